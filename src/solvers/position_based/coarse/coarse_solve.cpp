#include "solvers/position_based/coarse/coarse_solve.h"

#include <algorithm>

#include "base/geometry/polar_rotation.h"

namespace pliant::solvers::position_based {
namespace {

constexpr std::size_t corners = CoarseLevel::corners;
constexpr double stiffness_of_holds = 1e6;  // relative to what the node has by itself
constexpr double most_sizes = 10;           // of a body, that nodes move in a substep

Vec3d vector_at(const std::vector<double>& values, std::uint32_t node) {
    return {values[3 * node], values[3 * node + 1], values[3 * node + 2]};
}
void set_at(std::vector<double>& values, std::uint32_t node, const Vec3d& v) {
    values[3 * node] = v.x, values[3 * node + 1] = v.y, values[3 * node + 2] = v.z;
}
void add_at(std::vector<double>& values, std::uint32_t node, const Vec3d& v) {
    set_at(values, node, vector_at(values, node) + v);
}

}  // namespace

void CoarseSolve::run(const ContactArrays& contacts) {
    project(workspace_.run_sums, own_.places);
    enter_frame();
    find_contacts(contacts);
    find_forces();
    const CoarseMatrix& found = matrix();
    if (touches()) {
        solve_held(found);
    } else {
        own_.moves = own_.forces;
        kernels_.solve_factor(body_.values.solve_run(found.factor, own_.moves));
    }
    write_nodes();
    give_pushes(level_, body_, own_.contacts, contacts);
}

// C⁻¹·Φᵀ·M·x
void CoarseSolve::project(const std::vector<float>& run_sums, std::vector<double>& result) const {
    std::fill(own_.sums.begin(), own_.sums.end(), 0.0);
    double* const sums[3] = {own_.sums.data(), own_.sums.data() + body_.nodes,
                             own_.sums.data() + 2 * body_.nodes};
    for (std::uint32_t r = body_.first_run; r < body_.first_run + body_.runs; ++r) {
        const GroupRun& run = level_.runs[r];
        const float *own = run_sums.data() + r * floats_per_run_sum, *start = own + 3 * corners;
        for (std::size_t c = 0; c < corners; ++c) {
            const std::uint32_t node = level_.group_nodes[run.first][c] - body_.first_node;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                sums[axis][node] +=
                    (double(own[3 * c + axis]) + double(start[axis]) * double(run.masses[c])) *
                    double(run.weight);
            }
        }
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        kernels_.solve_factor(body_.layout.solve_run(body_.mass_factor, {sums[axis], body_.nodes}));
        for (std::size_t n = 0; n < body_.nodes; ++n) result[3 * n + axis] = sums[axis][n];
    }
}

void CoarseSolve::enter_frame() {
    Matrix3<double> mean{};
    for (std::uint32_t n = 0; n < body_.nodes; ++n)
        mean = mean + detail::outer(vector_at(own_.places, n), body_.mean_gradients[n]);
    const Matrix3<double> cof = cofactor(mean);
    const double volume = dot(mean.x, cof.x);
    const bool is_whole = volume > detail::least_volume && volume < detail::most_volume;
    own_.frame = is_whole ? polar_rotation(mean, cof, volume, contract(mean, mean)) : diagonal(1.0);
    into_frame(own_.places);
}

void CoarseSolve::into_frame(std::vector<double>& vectors) const {
    const Matrix3<double> back = detail::transposed(own_.frame);
    for (std::uint32_t n = 0; n < body_.nodes; ++n) set_at(vectors, n, back * vector_at(vectors, n));
}

void CoarseSolve::find_contacts(const ContactArrays& contacts) {
    NodeContacts& touching = own_.contacts;
    find_touching(level_, body_, contacts, touching.particles);
    touching.nodes.clear();
    if (touching.particles.empty()) return;
    project(workspace_.motion_sums, own_.motions);
    into_frame(own_.motions);
    find_node_contacts(level_, body_, contacts, detail::transposed(own_.frame), own_.motions, touching);
}

// Viscous ones are those of where nodes go: y + τ/h·u.
void CoarseSolve::find_forces() {
    std::fill(own_.forces.begin(), own_.forces.end(), 0.0);
    if (touches()) {
        for (std::size_t i = 0; i < own_.places.size(); ++i)
            own_.places[i] += body_.viscosity * own_.motions[i];
    }
    BoxRun run;
    run.boxes = body_.boxes;
    run.nodes = level_.box_nodes.data() + body_.first_box;
    run.gradients = level_.box_gradients.data() + body_.first_box;
    run.stiffnesses = stiffnesses_of(body_, workspace_).data();
    run.places = own_.places.data();
    run.first_node = body_.first_node;
    run.size = body_.box_size;
    run.rotations = own_.rotations.data();
    run.forces = own_.forces.data();
    kernels_.strain_boxes(run);
}

// For boxes that are turned as they are now, or nearly so.
const CoarseMatrix& CoarseSolve::matrix() {
    const CoarseMatrix& rest = own_.rest[touches()];
    const auto fits = [&](const CoarseMatrix& made) {
        if (made.viscosity != rest.viscosity) return false;
        for (std::size_t box = 0; box < body_.boxes; ++box) {
            const Matrix3<double> turn = own_.rotations[box] - made.rotations[box];
            if (!(contract(turn, turn) <= made.most_turn * made.most_turn)) return false;
        }
        return true;
    };
    if (fits(rest)) return rest;
    CoarseMatrix& turned = own_.turned;
    if (own_.has_turned && fits(turned)) return turned;
    own_.has_turned = true;
    turned.viscosity = rest.viscosity;
    turned.rotations = own_.rotations;
    assemble_matrix(level_, body_, stiffnesses_of(body_, workspace_), turned);
    turned.factor = turned.values;
    kernels_.factorize(body_.values.factor_run(turned.factor, 0));
    return turned;
}

void CoarseSolve::solve_held(const CoarseMatrix& matrix) {
    auto& touching = own_.contacts.nodes;
    for (NodeContact& contact : touching) {
        double sum = 0;
        for (std::size_t row = 3 * contact.node; row < 3 * contact.node + 3; ++row)
            sum += body_.values.row(matrix.values.data(), row)[row];
        contact.stiffness = stiffness_of_holds * sum;
    }
    for (HeldFactor& held : own_.held) {
        const std::span<const double> factor = held_factor(matrix, held);
        own_.moves = own_.forces;
        for (const NodeContact& contact : touching) {
            if (contact.hold != Hold::none) add_at(own_.moves, contact.node, terms_of(contact).force);
        }
        kernels_.solve_factor(body_.values.solve_run(factor, own_.moves));
        bool any_changed = false;
        for (NodeContact& contact : touching) {
            const bool changed = update_hold(contact, vector_at(own_.moves, contact.node));
            any_changed = any_changed || changed;
        }
        if (!any_changed) break;
    }
}

// Rows before the first node that touches are those without contact.
std::span<const double> CoarseSolve::held_factor(const CoarseMatrix& matrix, HeldFactor& held) {
    const auto& touching = own_.contacts.nodes;
    const auto is_same = [](const HeldNode& node, const NodeContact& contact) {
        return node == held_node(contact);
    };
    const int which = &matrix == &own_.turned ? 2 : touches();
    if (held.matrix == which && held.version == matrix.version &&
        std::equal(held.nodes.begin(), held.nodes.end(), touching.begin(), touching.end(), is_same))
        return held.values;
    held.matrix = which, held.version = matrix.version;
    held.nodes.clear();
    const std::size_t from = 3 * touching.front().node;
    const auto entry = static_cast<std::ptrdiff_t>(body_.values.start(from));
    std::copy(matrix.factor.begin(), matrix.factor.begin() + entry, held.values.begin());
    std::copy(matrix.values.begin() + entry, matrix.values.end(), held.values.begin() + entry);
    for (const NodeContact& contact : touching) {
        held.nodes.push_back(held_node(contact));
        if (contact.hold != Hold::none)
            add_block(body_.values, contact.node, contact.node, terms_of(contact).stiffness,
                      held.values.data());
    }
    kernels_.factorize(body_.values.factor_run(held.values, from));
    return held.values;
}

// A body that goes many times its own size in a substep has no use for a level, and loses it to rounding.
void CoarseSolve::write_nodes() {
    const Vec3d& size = body_.box_size;
    const double limit = most_sizes * body_.boxes * (size.x + size.y + size.z);
    const bool is_far =
        std::any_of(own_.moves.begin(), own_.moves.end(), [&](double move) { return !(abs(move) < limit); });
    for (std::uint32_t n = 0; n < body_.nodes; ++n) {
        const Vec3d q = is_far ? Vec3d{} : own_.frame * vector_at(own_.moves, n);
        float* node = workspace_.nodes.data() + (body_.first_node + n) * floats_per_particle;
        node[0] = static_cast<float>(q.x), node[1] = static_cast<float>(q.y),
        node[2] = static_cast<float>(q.z);
    }
}

}  // namespace pliant::solvers::position_based
