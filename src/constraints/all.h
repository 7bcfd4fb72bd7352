// The one list of constraint kinds. Everything that goes over all kinds folds over it.
#pragma once

#include <cstddef>
#include <tuple>
#include <utility>

#include "constraints/attachment.h"
#include "constraints/distance.h"
#include "constraints/volume.h"

namespace pliant {

template <ConstraintKind... Kinds>
struct KindList {
    static constexpr std::size_t size = sizeof...(Kinds);

    // A tuple of one Container<Kind> for every kind.
    template <template <class> class Container>
    using Each = std::tuple<Container<Kinds>...>;

    // Calls f.template operator()<Kind>() for every kind.
    template <class F>
    static constexpr void for_each(F&& f) {
        (f.template operator()<Kinds>(), ...);
    }
};

// In the order in which a sweep projects them.
using AllKinds = KindList<kinds::Distance, kinds::Volume, kinds::Attachment>;

}  // namespace pliant
