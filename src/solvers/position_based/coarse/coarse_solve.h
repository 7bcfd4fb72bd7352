// One body in one substep: the motion q of its nodes (coarse_level.h).
//
// All is done in the body's own frame: the rotation of its mean deformation. There, boxes of a body that
// moves but is hardly bent are as they are at rest, and so is their matrix, which is factorized once for all.
// Of a body that is bent or twisted, the matrix is made anew when a box has turned within the body since it
// was made. A matrix that is a little off changes how fast forces act on the nodes, not what they are.
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
    void enter_frame();
    void into_frame(std::vector<double>& vectors) const;
    void find_forces();
    const CoarseMatrix& matrix();
    bool touches() const { return !own_.contacts.nodes.empty(); }
    void find_contacts(const ContactArrays& contacts);
    void solve_held(const CoarseMatrix& matrix);
    std::span<const double> held_factor(const CoarseMatrix& matrix, HeldFactor& held);
    void write_nodes();

    const CoarseLevel& level_;
    const CoarseBody& body_;
    const Kernels& kernels_;
    CoarseWorkspace& workspace_;
    CoarseBodyWorkspace& own_;
};

}  // namespace pliant::solvers::position_based
