// The one list of constraint kinds. Everything that goes over all kinds folds over it.
#pragma once

#include "base/type_list.h"
#include "constraints/angle.h"
#include "constraints/attachment.h"
#include "constraints/distance.h"
#include "constraints/volume.h"

namespace pliant::constraints {

template <ConstraintKind... Kinds>
using KindList = TypeList<Kinds...>;

// In the order in which a sweep projects them.
using AllKinds = KindList<kinds::Distance, kinds::Volume, kinds::Attachment, kinds::Angle>;

}  // namespace pliant::constraints
