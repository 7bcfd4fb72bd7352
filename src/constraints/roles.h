// Kinds by what they are in a body, for solvers that do more with them than project them.
#pragma once

#include "constraints/all.h"

namespace pliant::constraints {

using Link =
    kinds::Distance;  // two particles at a length: chains of them are strands, nets of them are sheets
using Tie = kinds::Attachment;              // two particles at one place
using Weave = kinds::OrthotropicMembrane;   // a triangle that has a strain limit
using GreenMembrane = kinds::StVKMembrane;  // triangles that are the same in all directions
using RotatedMembrane = kinds::ArapMembrane;
using FlatHinge =
    kinds::Isometric;           // two triangles in a plane, with an energy that is quadratic in positions
using Hinge = kinds::Dihedral;  // two triangles at an angle

}  // namespace pliant::constraints
