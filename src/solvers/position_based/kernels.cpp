// The inner loops: compiled once per instruction set, in a namespace named after it (base/lanes.h).
#include "solvers/position_based/kernels.h"
#include "solvers/position_based/cloth/cloth_kernels.h"
#include "solvers/position_based/coarse/coarse_kernels.h"
#include "solvers/position_based/constraint_kernels.h"
#include "solvers/position_based/contact/contact_kernels.h"
#include "solvers/position_based/contact/crossing_kernels.h"
#include "solvers/position_based/contact/safe_kernels.h"
#include "solvers/position_based/grains/grain_kernels.h"
#include "solvers/position_based/motion_kernels.h"
#include "solvers/position_based/particle_kernels.h"
#include "solvers/position_based/strands/hair_kernels.h"
#include "solvers/position_based/strands/long_rope_kernels.h"
#include "solvers/position_based/strands/rod_kernels.h"
#include "solvers/position_based/strands/strand_kernels.h"
#include "solvers/position_based/tetrahedra/tetrahedron_kernels.h"

#define PLIANT_STRING_(s) #s
#define PLIANT_STRING(s) PLIANT_STRING_(s)

namespace pliant::PLIANT_TARGET {

static constexpr Kernels make_table() {
    Kernels k{PLIANT_STRING(PLIANT_TARGET),
              {},
              apply_wind,
              begin,
              finish,
              finish_begin,
              collide,
              collide_finish,
              in_range,
              fastest,
              moments,
              moments_in_double,
              add_motion,
              bounds,
              output,
              restrict_groups,
              factorize,
              solve_factor,
              strain_boxes,
              prolong,
              pull_links,
              tether_sheet,
              carry_sheet,
              count_inverted,
              solve_strands,
              find_starts,
              move_patch,
              shape_patch,
              meet_boxes,
              search_pairs,
              find_contacts,
              solve_contacts,
              find_unsafe,
              find_crossings,
              solve_rods,
              solve_hair,
              push_grains,
              sweep_grains,
              solve_long_rope};
    std::size_t sort = 0;
    constraints::AllClusters::for_each([&]<class Cluster>() {
        unroll<projection_forms>([&](auto form) {
            // Elements are never rigid.
            constexpr ProjectionForm needed = Cluster::rows > Cluster::stages && form == 0
                                                  ? ProjectionForm::single
                                                  : static_cast<ProjectionForm>(form.value);
            k.project[sort][form] = project<Cluster, needed>;
        });
        ++sort;
    });
    return k;
}

extern const Kernels kernels;
constinit const Kernels kernels = make_table();

}  // namespace pliant::PLIANT_TARGET
