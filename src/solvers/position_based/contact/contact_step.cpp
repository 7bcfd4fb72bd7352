#include "solvers/position_based/contact/contact_step.h"

#include <algorithm>
#include <bit>

#include "base/convert.h"
#include "solvers/position_based/contact/patch_motion.h"
#include "solvers/position_based/plan.h"

namespace pliant::solvers::position_based {
namespace {

constexpr int sweeps = 4;  // there and back
constexpr float least_cosine = 0.7f;
constexpr double least_altitude = 1.5;  // over the distance at which they touch

// L beyond what is needed now: enough for some substeps, but lists grow with its square.
double slack_of(double move, double spacing) {
    return max(max(0.03 * spacing, 0.5 * move), min(6 * move, 0.25 * spacing));
}

double gap_between(const Box3& a, const Box3& b, const float* shift) {
    double squared = 0;
    for (std::size_t c = 0; c < 3; ++c) {
        const double above = double(b.low[c]) + shift[c] - a.high[c],
                     below = double(a.low[c]) - b.high[c] - shift[c];
        const double gap = max(max(above, below), 0.0);
        squared += gap * gap;
    }
    return sqrt(squared);
}

class ContactPass {
public:
    ContactPass(const model::Model& model, const Plan& plan, const model::State& state,
                const Kernels& kernels, const ParticleArrays& particles, ContactWorkspace& workspace,
                Executor& executor)
        : model_(model),
          plan_(plan),
          contact_(plan.contact),
          state_(state),
          kernels_(kernels),
          particles_(particles),
          workspace_(workspace),
          executor_(executor) {}

    void find() {
        move_patches(plan_, state_, kernels_, particles_, workspace_, executor_);
        executor_.for_each(workspace_.chunks.size(), [&](std::size_t g) { find_pairs(g); });
        workspace_.is_valid = true;
    }

    void solve(const Settings& settings, float resting_step, std::vector<std::uint8_t>& touched) {
        ContactRun run{particles_.position, particles_.predicted, workspace_.start.data()};
        run.resting_step = resting_step;
        const std::size_t count = workspace_.chunks.size();
        for (int sweep = 0; sweep < sweeps; ++sweep) {
            run.backward = sweep % 2 == 1;
            for (std::size_t i = 0; i < count; ++i) {
                const PatchChunk& chunk = workspace_.chunks[run.backward ? count - 1 - i : i];
                run.contacts = chunk.contacts.data();
                run.count = chunk.contacts.size();
                kernels_.solve_contacts(run);
            }
        }
        for (const PatchChunk& chunk : workspace_.chunks) {
            for (const std::uint32_t island : chunk.touching) touched[island] = 1;
        }
        find_supports(settings);
        std::swap(workspace_.start, workspace_.before);
    }

private:
    // A particle is supported by what is below it.
    void find_supports(const Settings& settings) {
        workspace_.supports.clear();
        if (state_.position_based.contacts.empty()) return;
        const Vec3& g = settings.gravity;
        const float least = -0.3f * sqrt(dot(g, g));
        for (const PatchChunk& chunk : workspace_.chunks) {
            for (const Contact& contact : chunk.contacts) {
                const Vec3 n = vector(contact.normal);
                const float along = dot(n, g);
                if (contact.support < 0 || abs(along) < -least) continue;
                if (along < least) add_support(contact, n, 1);
                if (-along < least) add_support(contact, -n, -1);
            }
        }
    }

    // side: 1 if the first part of the contact lies on the second, −1 for the reverse.
    void add_support(const Contact& contact, const Vec3& normal, float side) {
        Vec3 sum{}, moved{};
        for (std::size_t k = 0; k < 4; ++k) {
            const std::size_t at = contact.offsets[k] / sizeof(float);
            const Vec3 x = vector(particles_.position + at), p = vector(workspace_.start.data() + at);
            sum = sum + x * contact.weights[k];
            if (side * contact.weights[k] < 0) moved = moved - (x - p) * (side * contact.weights[k]);
        }
        if (!(dot(sum, vector(contact.normal)) < contact.level + contact.support)) return;
        for (std::size_t k = 0; k < 4; ++k) {
            if (side * contact.weights[k] > 0) {
                workspace_.supports.push_back({contact.offsets[k],
                                               {normal.x, normal.y, normal.z},
                                               {moved.x, moved.y, moved.z},
                                               contact.friction});
            }
        }
    }

    void find_pairs(std::size_t g) {
        PatchChunk& chunk = workspace_.chunks[g];
        chunk.next_pairs.clear();
        chunk.next_lists.clear();
        chunk.contacts.clear();
        chunk.touching.clear();
        std::size_t old = 0;
        for (std::size_t p = g * group_size; p < std::min((g + 1) * group_size, contact_.patches.size());
             ++p) {
            Box3 box;
            for (std::size_t c = 0; c < 3; ++c) {
                box.low[c] = workspace_.tree[0][g].low[c][p % group_size];
                box.high[c] = workspace_.tree[0][g].high[c][p % group_size];
            }
            visit(workspace_.tree.size() - 1, 0, p, box,
                  [&](std::size_t other) { meet(chunk, p, other, old); });
        }
        std::swap(chunk.pairs, chunk.next_pairs);
        std::swap(chunk.lists, chunk.next_lists);
    }

    // Calls f(q) for the patches q ≥ p whose boxes meet that of p, in ascending order.
    template <class F>
    void visit(std::size_t level, std::size_t group, std::size_t p, const Box3& box, F&& f) {
        std::size_t patches_per_child = 1;
        for (std::size_t l = 0; l < level; ++l) patches_per_child *= group_size;
        unsigned bits = kernels_.meet_boxes(workspace_.tree[level][group], box);
        for (; bits; bits &= bits - 1) {
            const std::size_t child = group * group_size + static_cast<std::size_t>(std::countr_zero(bits));
            if ((child + 1) * patches_per_child <= p) continue;
            if (level == 0) {
                f(child);
            } else {
                visit(level - 1, child, p, box, f);
            }
        }
    }

    PatchElements elements_of(std::size_t p) const {
        const Patch& patch = contact_.patches[p];
        PatchElements elements;
        elements.vertices = contact_.vertices.data() + patch.first_vertex;
        elements.edges = contact_.edges.data() + patch.first_edge;
        elements.triangles = contact_.triangles.data() + patch.first_triangle;
        elements.vertex_count = patch.vertices;
        elements.edge_count = patch.edges;
        elements.triangle_count = patch.triangles;
        const PatchMotion& motion = workspace_.motions[p];
        for (std::size_t c = 0; c < 3; ++c) {
            elements.box.low[c] = motion.low[c];
            elements.box.high[c] = motion.high[c];
        }
        return elements;
    }

    static bool have_pairs(const Patch& a, const Patch& b) {
        return (a.vertices && b.triangles) || (a.triangles && b.vertices) || (a.edges && b.edges);
    }

    bool are_neighbours(std::size_t p, std::size_t q) const {
        const Patch& patch = contact_.patches[p];
        const auto first = contact_.neighbours.begin() + patch.first_neighbour;
        return std::binary_search(first, first + patch.neighbours, static_cast<std::uint32_t>(q));
    }

    // Whether the triangles of both are a graph over a plane, without slivers that could touch sideways.
    bool are_flat(std::size_t p, std::size_t q, double distance) const {
        const Patch &a = contact_.patches[p], &b = contact_.patches[q];
        if (a.star == 0 || b.star == 0) return false;
        const PatchShape &of_a = workspace_.shapes[p], &of_b = workspace_.shapes[q];
        if (!(min(of_a.altitude, of_b.altitude) > least_altitude * distance)) return false;
        if (p == q) return of_a.cosine > least_cosine;
        const Vec3 axis_a = vector(of_a.axis), axis_b = vector(of_b.axis), both = axis_a + axis_b;
        const float size = sqrt(dot(both, both));
        if (!(size > 0)) return false;
        // cos(α + β), with the angles of normals to their own axis and of that to the common one.
        const auto is_within = [&](const PatchShape& shape, const Vec3& axis) {
            const float between = min(dot(axis, both) / size, 1.0f),
                        cosine = max(min(shape.cosine, 1.0f), 0.0f);
            return cosine * between - sqrt((1 - cosine * cosine) * (1 - between * between)) > least_cosine;
        };
        return is_within(of_a, axis_a) && is_within(of_b, axis_b);
    }

    // Two patches whose boxes meet. `old`: where the pairs of the last substep have been read so far.
    void meet(PatchChunk& chunk, std::size_t p, std::size_t q, std::size_t& old) {
        const Patch &a = contact_.patches[p], &b = contact_.patches[q];
        if (!have_pairs(a, b) ||
            !model::may_touch(model_.contacts[a.body], model_.contacts[b.body], a.body == b.body))
            return;
        const double distance = double(a.radius) + b.radius;
        if (are_neighbours(p, q) && are_flat(p, q, distance)) return;
        const auto comes_before = [&](const PatchPair& pair) {
            return pair.first < p || (pair.first == p && pair.second < q);
        };
        while (old < chunk.pairs.size() && comes_before(chunk.pairs[old])) ++old;
        const bool is_known =
            old < chunk.pairs.size() && chunk.pairs[old].first == p && chunk.pairs[old].second == q;

        const PatchState &state_a = workspace_.patches[p], &state_b = workspace_.patches[q];
        const Vec3d drift = state_a.drift - state_b.drift;
        const double stray = state_a.stray + state_b.stray;
        const double move = length(to_double(state_a.move) - to_double(state_b.move)) + state_a.uneven_move +
                            state_b.uneven_move;
        const Vec3 shift = to_float(state_.origins[b.island] - state_.origins[a.island]);
        const double watched = watched_share * distance + move;
        const double needed = distance + watched + move +
                              rounding * (model_.islands[a.island].extent + model_.islands[b.island].extent +
                                          length(to_double(shift)));
        PatchPair pair;
        double used = 0;
        if (is_known && workspace_.is_valid) {
            pair = chunk.pairs[old];
            used = length(drift - pair.drift) + (stray - pair.stray);
        }
        const std::uint32_t list = static_cast<std::uint32_t>(chunk.next_lists.size());
        if (is_known && workspace_.is_valid && used + needed <= pair.within) {
            const auto first = chunk.lists.begin() + pair.list;
            chunk.next_lists.insert(chunk.next_lists.end(), first,
                                    first + (pair.counts[0] + pair.counts[1] + pair.counts[2]));
        } else {
            used = 0;
            pair = {static_cast<std::uint32_t>(p),
                    static_cast<std::uint32_t>(q),
                    drift,
                    stray,
                    needed + slack_of(move, min(a.spacing, b.spacing)),
                    0,
                    0,
                    {}};
            search(pair, shift, chunk.next_lists);
        }
        pair.list = list;
        chunk.next_pairs.push_back(pair);
        if (used + needed > pair.nearest) find_contacts(pair, shift, distance, watched, chunk);
    }

    void search(PatchPair& pair, const Vec3& shift, std::vector<std::uint16_t>& lists) {
        std::uint16_t found[most_pairs];
        PairSearch run;
        run.start = workspace_.start.data();
        run.tied = contact_.tied.data();
        run.first = elements_of(pair.first);
        run.second = elements_of(pair.second);
        run.is_same = pair.first == pair.second;
        run.shift[0] = shift.x, run.shift[1] = shift.y, run.shift[2] = shift.z;
        // Boxes that are far apart say it all.
        if (const double gap = gap_between(run.first.box, run.second.box, run.shift); gap > pair.within) {
            pair.within = pair.nearest = gap * (1 - rounding);
            return;
        }
        run.within = static_cast<float>(pair.within);
        run.pairs = found;
        kernels_.search_pairs(run);
        std::copy_n(run.counts, pair_sorts, pair.counts);
        pair.nearest = double(run.nearest) * (1 - rounding);
        lists.insert(lists.end(), found, found + (run.counts[0] + run.counts[1] + run.counts[2]));
    }

    void find_contacts(const PatchPair& pair, const Vec3& shift, double distance, double watched,
                       PatchChunk& chunk) {
        const std::size_t count = pair.counts[0] + pair.counts[1] + pair.counts[2];
        if (count == 0) return;
        const Patch &a = contact_.patches[pair.first], &b = contact_.patches[pair.second];
        const model::BodyContact &of_a = model_.contacts[a.body], &of_b = model_.contacts[b.body];
        ContactSearch run;
        run.position = particles_.position;
        run.start = workspace_.start.data();
        run.first = elements_of(pair.first);
        run.second = elements_of(pair.second);
        run.shift[0] = shift.x, run.shift[1] = shift.y, run.shift[2] = shift.z;
        run.pairs = chunk.next_lists.data() + pair.list;
        std::copy_n(pair.counts, pair_sorts, run.counts);
        run.distance = static_cast<float>(distance);
        run.watched = static_cast<float>(watched);
        if (a.body == b.body) {
            run.rest = contact_.rest_positions.data();
            run.is_sheet = !a.is_closed && a.triangles > 0;
        } else {
            run.first_is_closed = a.is_closed;
            run.second_is_closed = b.is_closed;
        }
        run.has_lines = a.has_lines || b.has_lines;
        run.friction = sqrt(of_a.friction * of_b.friction);
        run.restitution = max(of_a.restitution, of_b.restitution);
        const std::size_t before = chunk.contacts.size();
        chunk.contacts.resize(before + count);
        run.contacts = chunk.contacts.data() + before;
        kernels_.find_contacts(run);
        chunk.contacts.resize(before + run.found);
        if (run.found > 0 && a.island != b.island) {
            chunk.touching.push_back(a.island);
            chunk.touching.push_back(b.island);
        }
    }

    const model::Model& model_;
    const Plan& plan_;
    const ContactPlan& contact_;
    const model::State& state_;
    const Kernels& kernels_;
    const ParticleArrays particles_;
    ContactWorkspace& workspace_;
    Executor& executor_;
};

}  // namespace

void solve_contacts(const model::Model& model, const Plan& plan, const model::State& state,
                    const Settings& settings, const Kernels& kernels, const ParticleArrays& particles,
                    double substep, ContactWorkspace& workspace, std::vector<std::uint8_t>& touched,
                    Executor& executor) {
    ContactPass pass(model, plan, state, kernels, particles, workspace, executor);
    pass.find();
    // What gravity adds in two substeps is resting, not falling.
    const double gravity = length(to_double(settings.gravity));
    pass.solve(settings, static_cast<float>(2 * substep * substep * gravity), touched);
}

void add_supports(const ContactWorkspace& workspace, bool has_colliders,
                  model::PositionBasedState& particles) {
    if (particles.contacts.empty()) return;
    // Where there are colliders, they have written all of it.
    if (!has_colliders) std::fill(particles.contacts.begin(), particles.contacts.end(), 0.0f);
    for (const Support& support : workspace.supports) {
        float* contact = particles.contacts.data() + support.offset / sizeof(float);
        float* surface = particles.surfaces.data() + support.offset / sizeof(float);
        if (contact[0] != 0 || contact[1] != 0 || contact[2] != 0) continue;
        std::copy_n(support.normal, 3, contact);
        std::copy_n(support.surface, 3, surface);
        surface[3] = support.friction;
    }
}

}  // namespace pliant::solvers::position_based
