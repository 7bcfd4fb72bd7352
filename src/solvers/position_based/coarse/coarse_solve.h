// One body in one substep: the motion q of its nodes (coarse_level.h).
#pragma once

#include "solvers/position_based/coarse/coarse_step.h"

namespace pliant::solvers::position_based {

class CoarseSolve {
public:
    CoarseSolve(const CoarseLevel& level, const CoarseBody& body, const Kernels& kernels,
                CoarseWorkspace& workspace, CoarseBodyWorkspace& own)
        : level_(level), body_(body), kernels_(kernels), workspace_(workspace), own_(own) {}

    // From the sums of the body's runs to the motion of its nodes.
    void run(const ContactArrays& contacts);

private:
    void project(const std::vector<float>& sums, std::vector<double>& result) const;
    void assemble();
    void add_box(std::uint32_t box);
    void find_contacts(const ContactArrays& contacts);
    void add_holds();
    void write_nodes();

    const CoarseLevel& level_;
    const CoarseBody& body_;
    const Kernels& kernels_;
    CoarseWorkspace& workspace_;
    CoarseBodyWorkspace& own_;
};

}  // namespace pliant::solvers::position_based
