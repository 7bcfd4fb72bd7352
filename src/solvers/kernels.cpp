// The inner loops: compiled once per instruction set, in a namespace named after it (base/lanes.h).
#include "solvers/kernels.h"
#include "solvers/constraint_kernels.h"
#include "solvers/particle_kernels.h"

#define PLIANT_STRING_(s) #s
#define PLIANT_STRING(s) PLIANT_STRING_(s)

namespace pliant::PLIANT_TARGET {

static constexpr Kernels make_table() {
    Kernels k{PLIANT_STRING(PLIANT_TARGET),
              {},
              blow,
              begin,
              finish,
              finish_begin,
              collide,
              collide_finish,
              in_range,
              output};
    std::size_t visit = 0;
    AllVisits::for_each([&]<class Visit>() {
        unroll<projection_forms>([&](auto form) {
            k.project[visit][form] = project<Visit, static_cast<ProjectionForm>(form.value)>;
        });
        ++visit;
    });
    return k;
}

extern const Kernels kernels;
constinit const Kernels kernels = make_table();

}  // namespace pliant::PLIANT_TARGET
