// The one list of constraint kinds. Everything that goes over all kinds folds over it.
#pragma once

#include "base/type_list.h"
#include "constraints/angle.h"
#include "constraints/attachment.h"
#include "constraints/bending/dihedral.h"
#include "constraints/bending/isometric.h"
#include "constraints/distance.h"
#include "constraints/elements/arap.h"
#include "constraints/elements/dirichlet.h"
#include "constraints/elements/neo_hookean.h"
#include "constraints/elements/stvk.h"
#include "constraints/membranes/arap.h"
#include "constraints/membranes/dirichlet.h"
#include "constraints/membranes/orthotropic.h"
#include "constraints/membranes/stvk.h"
#include "constraints/volume.h"

namespace pliant::constraints {

template <class K>
concept ConstraintKind = ScalarKind<K> || BlockKind<K>;

template <ConstraintKind... Kinds>
using KindList = TypeList<Kinds...>;

using ElementKinds = KindList<kinds::Arap, kinds::NeoHookean, kinds::StVK, kinds::Dirichlet>;
using MembraneKinds =
    KindList<kinds::OrthotropicMembrane, kinds::StVKMembrane, kinds::ArapMembrane, kinds::DirichletMembrane>;
using BlockKinds = Joined<ElementKinds, MembraneKinds>;
using BendingKinds = KindList<kinds::Isometric, kinds::Dihedral>;
using OtherKinds = KindList<kinds::Distance, kinds::Volume, kinds::Attachment, kinds::Angle>;
using ScalarKinds = Joined<BendingKinds, OtherKinds>;

// In the order in which a sweep projects them: what comes last gives way least.
using AllKinds = Joined<Joined<BendingKinds, BlockKinds>, OtherKinds>;

}  // namespace pliant::constraints
