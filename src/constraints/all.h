// The one list of constraint kinds. Everything that goes over all kinds folds over it.
#pragma once

#include "base/type_list.h"
#include "constraints/angle.h"
#include "constraints/attachment.h"
#include "constraints/distance.h"
#include "constraints/elements/arap.h"
#include "constraints/elements/dirichlet.h"
#include "constraints/elements/neo_hookean.h"
#include "constraints/elements/stvk.h"
#include "constraints/volume.h"

namespace pliant::constraints {

template <class K>
concept ConstraintKind = ScalarKind<K> || BlockKind<K>;

template <ConstraintKind... Kinds>
using KindList = TypeList<Kinds...>;

using BlockKinds = KindList<kinds::Arap, kinds::NeoHookean, kinds::StVK, kinds::Dirichlet>;
using ScalarKinds = KindList<kinds::Distance, kinds::Volume, kinds::Attachment, kinds::Angle>;

// In the order in which a sweep projects them.
using AllKinds = Joined<BlockKinds, ScalarKinds>;

}  // namespace pliant::constraints
