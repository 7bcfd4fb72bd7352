#include "solvers/position_based/coarse/coarse_solve.h"

#include <algorithm>

#include "base/geometry/polar_rotation.h"

namespace pliant::solvers::position_based {
namespace {

constexpr std::size_t corners = CoarseLevel::corners;
constexpr double stiffness_of_holds = 1e6;  // relative to what the node has by itself
constexpr double most_sizes = 10;           // of a body, that nodes move in a substep
constexpr int most_attempts = 6;            // to find which contacts hold, slide or let go
constexpr double least_volume = 0.1;        // of a box, relative to its rest: below, elements are at work

Vec3d vector_at(const std::vector<double>& values, std::uint32_t node) {
    return {values[3 * node], values[3 * node + 1], values[3 * node + 2]};
}
void add_at(std::vector<double>& values, std::uint32_t node, const Vec3d& v) {
    values[3 * node] += v.x;
    values[3 * node + 1] += v.y;
    values[3 * node + 2] += v.z;
}

Matrix3<double> transposed(const Matrix3<double>& a) {
    return {{a.x.x, a.y.x, a.z.x}, {a.x.y, a.y.y, a.z.y}, {a.x.z, a.y.z, a.z.z}};
}
Matrix3<double> outer(const Vec3d& a, const Vec3d& b) { return {a * b.x, a * b.y, a * b.z}; }

// The block of two corners in the stiffness of a box, which is symmetric as a whole.
Matrix3<double> block_of(const double* stiffness, std::size_t a, std::size_t b) {
    const double* k = stiffness + 3 * a * box_values + 3 * b;
    return {{k[0], k[box_values], k[2 * box_values]},
            {k[1], k[box_values + 1], k[2 * box_values + 1]},
            {k[2], k[box_values + 2], k[2 * box_values + 2]}};
}

// At the rows of one node and the columns of another, up to the diagonal.
void add_block(const SkylineLayout& layout, std::uint32_t row_node, std::uint32_t column_node,
               const Matrix3<double>& block, double* values) {
    const double rows[3][3] = {{block.x.x, block.y.x, block.z.x},
                               {block.x.y, block.y.y, block.z.y},
                               {block.x.z, block.y.z, block.z.z}};
    for (std::size_t i = 0; i < 3; ++i) {
        double* row = layout.row(values, 3 * row_node + i) + 3 * column_node;
        const std::size_t last = row_node == column_node ? i + 1 : 3;
        for (std::size_t j = 0; j < last; ++j) row[j] += rows[i][j];
    }
}

}  // namespace

void CoarseSolve::run(const ContactArrays& contacts) {
    project(workspace_.run_sums, own_.places);
    assemble();
    find_contacts(contacts);
    // Rows before the first node that touches stay as they are from attempt to attempt.
    auto& touching = own_.contacts.nodes;
    const std::size_t first_held = touching.empty() ? 0 : 3 * touching.front().node;
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
        const std::size_t from = attempt == 0 ? 0 : first_held, entry = body_.values.start(from);
        std::copy(own_.matrix.begin() + static_cast<std::ptrdiff_t>(entry), own_.matrix.end(),
                  own_.factor.begin() + static_cast<std::ptrdiff_t>(entry));
        own_.moves = own_.forces;
        add_holds();
        kernels_.factorize(body_.values.factor_run(own_.factor, from));
        solve(body_.values, own_.factor, 1, own_.moves);
        bool any_changed = false;
        for (NodeContact& contact : touching) {
            const bool changed = update_hold(contact, vector_at(own_.moves, contact.node));
            any_changed = any_changed || changed;
        }
        if (!any_changed) break;
    }
    write_nodes();
    give_pushes(level_, body_, own_.contacts, contacts);
}

void CoarseSolve::find_contacts(const ContactArrays& contacts) {
    NodeContacts& touching = own_.contacts;
    find_touching(level_, body_, contacts, touching.particles);
    touching.nodes.clear();
    if (touching.particles.empty()) return;
    project(workspace_.motion_sums, own_.motions);
    find_node_contacts(level_, body_, contacts, own_.motions, touching);
    for (NodeContact& contact : touching.nodes) {
        double sum = 0;
        for (std::size_t row = 3 * contact.node; row < 3 * contact.node + 3; ++row)
            sum += body_.values.row(own_.matrix.data(), row)[row];
        contact.stiffness = stiffness_of_holds * sum;
    }
}

// C⁻¹·Φᵀ·M·x
void CoarseSolve::project(const std::vector<float>& run_sums, std::vector<double>& result) const {
    std::fill(result.begin(), result.end(), 0.0);
    for (std::uint32_t r = body_.first_run; r < body_.first_run + body_.runs; ++r) {
        const GroupRun& run = level_.runs[r];
        const float *sums = run_sums.data() + r * floats_per_run_sum, *start = sums + 3 * corners;
        const Vec3d from{start[0], start[1], start[2]};
        for (std::size_t c = 0; c < corners; ++c) {
            const std::uint32_t node = level_.group_nodes[run.first][c] - body_.first_node;
            const Vec3d sum{sums[3 * c], sums[3 * c + 1], sums[3 * c + 2]};
            add_at(result, node, (sum + from * double(run.masses[c])) * double(run.weight));
        }
    }
    solve(body_.layout, body_.mass_factor, 3, result);
}

void CoarseSolve::assemble() {
    for (std::size_t n = 0; n < body_.layout.rows(); ++n) {
        const double* masses = body_.layout.row(body_.mass.data(), n);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            double* row = body_.values.row(own_.matrix.data(), 3 * n + axis);
            std::fill(row + 3 * body_.layout.first(n), row + 3 * n + axis + 1, 0.0);
            for (std::size_t m = body_.layout.first(n); m <= n; ++m) row[3 * m + axis] = masses[m];
        }
    }
    std::fill(own_.forces.begin(), own_.forces.end(), 0.0);
    for (std::uint32_t box = body_.first_box; box < body_.first_box + body_.boxes; ++box) add_box(box);
}

// R·K·Rᵀ, and −R·K·(Rᵀ·y − X).
void CoarseSolve::add_box(std::uint32_t box) {
    const double* stiffness = workspace_.stiffnesses.data() + box * box_values * box_values;
    if (!(stiffness[0] > 0)) return;
    std::array<std::uint32_t, corners> nodes = level_.box_nodes[box];
    std::array<Vec3d, corners> at;
    const auto gradients = corner_gradients(level_.box_middles[box], body_.box_size);
    Matrix3<double> f{};
    for (std::size_t c = 0; c < corners; ++c) {
        nodes[c] -= body_.first_node;
        at[c] = vector_at(own_.places, nodes[c]);
        f = f + outer(at[c], gradients[c]);
    }
    const Matrix3<double> cof = cofactor(f);
    const double volume = dot(f.x, cof.x);
    if (!(volume > least_volume && volume < 1e3)) return;
    const Matrix3<double> rotation = polar_rotation(f, cof, volume, contract(f, f)),
                          back = transposed(rotation);

    std::array<double, box_values> strains;
    for (std::size_t c = 0; c < corners; ++c) {
        const Vec3d corner{c & 1 ? body_.box_size.x : 0, c & 2 ? body_.box_size.y : 0,
                           c & 4 ? body_.box_size.z : 0};
        const Vec3d d = back * (at[c] - at[0]) - corner;
        strains[3 * c] = d.x, strains[3 * c + 1] = d.y, strains[3 * c + 2] = d.z;
    }
    for (std::size_t a = 0; a < corners; ++a) {
        double force[3] = {};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double* row = stiffness + (3 * a + axis) * box_values;
            for (std::size_t j = 0; j < box_values; ++j) force[axis] -= row[j] * strains[j];
        }
        add_at(own_.forces, nodes[a], rotation * Vec3d{force[0], force[1], force[2]});
        for (std::size_t b = 0; b < corners; ++b) {
            if (nodes[b] > nodes[a]) continue;
            add_block(body_.values, nodes[a], nodes[b], rotation * block_of(stiffness, a, b) * back,
                      own_.matrix.data());
        }
    }
}

// In the matrix to be factorized, and its right-hand side.
void CoarseSolve::add_holds() {
    for (const NodeContact& contact : own_.contacts.nodes) {
        if (contact.hold == Hold::none) continue;
        const HoldTerms terms = terms_of(contact);
        add_block(body_.values, contact.node, contact.node, terms.stiffness, own_.factor.data());
        add_at(own_.moves, contact.node, terms.force);
    }
}

// A body that goes many times its own size in a substep has no use for a level, and loses it to rounding.
void CoarseSolve::write_nodes() {
    const Vec3d& size = body_.box_size;
    const double limit = most_sizes * body_.boxes * (size.x + size.y + size.z);
    const bool is_far =
        std::any_of(own_.moves.begin(), own_.moves.end(), [&](double move) { return !(abs(move) < limit); });
    for (std::uint32_t n = 0; n < body_.nodes; ++n) {
        const Vec3d q = is_far ? Vec3d{} : vector_at(own_.moves, n);
        float* node = workspace_.nodes.data() + (body_.first_node + n) * floats_per_particle;
        node[0] = static_cast<float>(q.x), node[1] = static_cast<float>(q.y),
        node[2] = static_cast<float>(q.z);
    }
}

}  // namespace pliant::solvers::position_based
