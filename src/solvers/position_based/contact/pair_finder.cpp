#include "solvers/position_based/contact/pair_finder.h"

#include <algorithm>
#include <bit>

#include "base/convert.h"
#include "solvers/position_based/contact/patch_motion.h"
#include "solvers/position_based/plan.h"

namespace pliant::solvers::position_based {
namespace {

constexpr float least_cosine = 0.7f;
constexpr double least_altitude = 1.5;   // over the distance at which they touch
constexpr double most_flat_move = 0.25;  // of an altitude

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

bool have_pairs(const Patch& a, const Patch& b) {
    return (a.vertices && b.triangles) || (a.triangles && b.vertices) || (a.edges && b.edges);
}

}  // namespace

PairFinder::PairFinder(const ContactContext& context) : c_(context), contact_(context.plan.contact) {}

void PairFinder::find(std::size_t g, const PairReach& reach) {
    const ContactWorkspace& workspace = c_.workspace;
    PatchChunk& chunk = c_.workspace.chunks[g];
    chunk.next_pairs.clear();
    chunk.next_lists.clear();
    std::size_t old = 0;
    for (std::size_t p = g * group_size; p < std::min((g + 1) * group_size, contact_.patches.size()); ++p) {
        Box3 box;
        for (std::size_t c = 0; c < 3; ++c) {
            box.low[c] = workspace.tree[0][g].low[c][p % group_size];
            box.high[c] = workspace.tree[0][g].high[c][p % group_size];
        }
        visit(workspace.tree.size() - 1, 0, p, box,
              [&](std::size_t other) { meet(chunk, p, other, old, reach); });
    }
    std::swap(chunk.pairs, chunk.next_pairs);
    std::swap(chunk.lists, chunk.next_lists);
}

double PairFinder::move_between(std::size_t p, std::size_t q) const {
    const PatchState &a = c_.workspace.patches[p], &b = c_.workspace.patches[q];
    return length(to_double(a.move) - to_double(b.move)) + a.uneven_move + b.uneven_move;
}

Vec3 PairFinder::shift_between(const Patch& a, const Patch& b) const {
    return to_float(c_.state.origins[b.island] - c_.state.origins[a.island]);
}

double PairFinder::rounding_between(const Patch& a, const Patch& b, double share) const {
    return share * (c_.model.islands[a.island].extent + c_.model.islands[b.island].extent +
                    length(to_double(shift_between(a, b))));
}

PatchElements PairFinder::elements_of(std::size_t p) const {
    const Patch& patch = contact_.patches[p];
    PatchElements elements;
    elements.vertices = contact_.vertices.data() + patch.first_vertex;
    elements.edges = contact_.edges.data() + patch.first_edge;
    elements.triangles = contact_.triangles.data() + patch.first_triangle;
    elements.vertex_count = patch.vertices;
    elements.edge_count = patch.edges;
    elements.triangle_count = patch.triangles;
    const PatchMotion& motion = c_.workspace.motions[p];
    for (std::size_t c = 0; c < 3; ++c) {
        elements.box.low[c] = motion.low[c];
        elements.box.high[c] = motion.high[c];
    }
    return elements;
}

// Calls f(q) for the patches q ≥ p whose boxes meet that of p, in ascending order.
template <class F>
void PairFinder::visit(std::size_t level, std::size_t group, std::size_t p, const Box3& box, F&& f) const {
    std::size_t patches_per_child = 1;
    for (std::size_t l = 0; l < level; ++l) patches_per_child *= group_size;
    unsigned bits = c_.kernels.meet_boxes(c_.workspace.tree[level][group], box);
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

bool PairFinder::are_neighbours(std::size_t p, std::size_t q) const {
    const Patch& patch = contact_.patches[p];
    const auto first = contact_.neighbours.begin() + patch.first_neighbour;
    return std::binary_search(first, first + patch.neighbours, static_cast<std::uint32_t>(q));
}

// Whether the triangles of both are a graph over a plane, without slivers that could touch sideways.
bool PairFinder::are_flat(std::size_t p, std::size_t q, double distance, double covered,
                          const PairReach& reach) const {
    const Patch &a = contact_.patches[p], &b = contact_.patches[q];
    if (a.star == 0 || b.star == 0) return false;
    const PatchShape &of_a = c_.workspace.shapes[p], &of_b = c_.workspace.shapes[q];
    const double altitude = min(of_a.altitude, of_b.altitude);
    if (!(altitude > least_altitude * distance)) return false;
    if (reach.flat_at_start && !(covered < most_flat_move * altitude)) return false;
    if (p == q) return of_a.cosine > least_cosine;
    const Vec3 axis_a = vector(of_a.axis), axis_b = vector(of_b.axis), both = axis_a + axis_b;
    const float size = sqrt(dot(both, both));
    if (!(size > 0)) return false;
    // cos(α + β), with the angles of normals to their own axis and of that to the common one.
    const auto is_within = [&](const PatchShape& shape, const Vec3& axis) {
        const float between = min(dot(axis, both) / size, 1.0f), cosine = max(min(shape.cosine, 1.0f), 0.0f);
        return cosine * between - sqrt((1 - cosine * cosine) * (1 - between * between)) > least_cosine;
    };
    return is_within(of_a, axis_a) && is_within(of_b, axis_b);
}

// Two patches whose boxes meet. `old`: where the pairs of the last search have been read so far.
void PairFinder::meet(PatchChunk& chunk, std::size_t p, std::size_t q, std::size_t& old,
                      const PairReach& reach) {
    const Patch &a = contact_.patches[p], &b = contact_.patches[q];
    if (!have_pairs(a, b) ||
        !model::may_touch(c_.model.contacts[a.body], c_.model.contacts[b.body], a.body == b.body) ||
        contact_.grows(a.body, b.body))
        return;
    const PatchState &state_a = c_.workspace.patches[p], &state_b = c_.workspace.patches[q];
    const double distance = distance_between(a, b);
    const double covered = length(to_double(state_a.covered_move) - to_double(state_b.covered_move)) +
                           state_a.covered_uneven + state_b.covered_uneven;
    if (are_neighbours(p, q) && are_flat(p, q, distance, covered, reach)) return;
    const auto comes_before = [&](const PatchPair& pair) {
        return pair.first < p || (pair.first == p && pair.second < q);
    };
    while (old < chunk.pairs.size() && comes_before(chunk.pairs[old])) ++old;
    const bool is_known = old < chunk.pairs.size() && chunk.pairs[old].first == p &&
                          chunk.pairs[old].second == q && c_.workspace.is_valid;

    const Vec3d drift = state_a.drift - state_b.drift;
    const double stray = state_a.stray + state_b.stray;
    const Vec3 shift = shift_between(a, b);
    const double needed =
        reach.share * distance + (reach.counts_pushes ? 2 : 1) * covered + rounding_between(a, b, rounding);
    PatchPair pair;
    if (is_known) {
        pair = chunk.pairs[old];
        pair.used = length(drift - pair.drift) + (stray - pair.stray);
    }
    const std::uint32_t list = static_cast<std::uint32_t>(chunk.next_lists.size());
    if (is_known && pair.used + needed <= pair.within) {
        const auto first = chunk.lists.begin() + pair.list;
        chunk.next_lists.insert(chunk.next_lists.end(), first,
                                first + (pair.counts[0] + pair.counts[1] + pair.counts[2]));
    } else {
        pair = {static_cast<std::uint32_t>(p), static_cast<std::uint32_t>(q), drift, stray,
                needed + slack_of(covered, min(a.spacing, b.spacing))};
        search(pair, shift, chunk.next_lists);
    }
    pair.list = list;
    chunk.next_pairs.push_back(pair);
}

void PairFinder::search(PatchPair& pair, const Vec3& shift, std::vector<std::uint16_t>& lists) const {
    std::uint16_t found[most_pairs];
    PairSearch run;
    run.start = c_.workspace.start.data();
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
    c_.kernels.search_pairs(run);
    std::copy_n(run.counts, pair_sorts, pair.counts);
    pair.nearest = double(run.nearest) * (1 - rounding);
    lists.insert(lists.end(), found, found + (run.counts[0] + run.counts[1] + run.counts[2]));
}

}  // namespace pliant::solvers::position_based
