// Kinds by what they are in a body, for solvers that do more with them than project them.
#pragma once

#include "constraints/all.h"

namespace pliant::constraints {

using Link =
    kinds::Distance;  // two particles at a length: chains of them are strands, nets of them are sheets
using Tie = kinds::Attachment;             // two particles at one place
using Weave = kinds::OrthotropicMembrane;  // a triangle that has a strain limit

}  // namespace pliant::constraints
