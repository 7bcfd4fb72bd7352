#include "solvers/position_based/contact/tangles.h"

#include <algorithm>

#include "base/convert.h"
#include "base/particle_layout.h"
#include "collision/pairs/closest_points.h"
#include "solvers/position_based/contact/pair_finder.h"
#include "solvers/position_based/contact/patch_motion.h"
#include "solvers/position_based/plan.h"

namespace pliant::solvers::position_based {
namespace {

constexpr float easing_share = 0.3f;   // of the thickness, per substep
constexpr float least_sine = 0.2f;     // between an edge and a triangle it goes through
constexpr float slowing = 0.95f;       // of what is tangled, per substep
constexpr double easing_speed = 0.5;   // m/s, of two solids from each other
constexpr double easing_frames = 1.5;  // over the depth: a frame's share
constexpr std::uint64_t frames_between_looks = 8;

class Untangler {
public:
    explicit Untangler(const ContactContext& context)
        : c_(context),
          contact_(context.plan.contact),
          finder_(context),
          workspace_(context.workspace),
          tangles_(context.workspace.tangles) {}

    void find(bool is_first_of_frame) {
        std::vector<SolidsInEachOther> overlaps;
        if (!is_first_of_frame) std::swap(overlaps, tangles_.overlaps);
        forget_tangles(tangles_);
        if (!is_first_of_frame) std::swap(overlaps, tangles_.overlaps);
        c_.executor.for_each(workspace_.chunks.size(), [&](std::size_t g) {
            PatchChunk& chunk = workspace_.chunks[g];
            chunk.crossings.clear();
            for (const PatchPair& pair : chunk.pairs) find_crossings(pair, chunk);
        });
        for (const PatchChunk& chunk : workspace_.chunks)
            tangles_.crossings.insert(tangles_.crossings.end(), chunk.crossings.begin(),
                                      chunk.crossings.end());
        if (is_first_of_frame) find_overlaps(c_);
        tangles_.any = !tangles_.crossings.empty() || !tangles_.overlaps.empty();
        if (tangles_.crossings.empty()) return;
        const std::size_t slots = c_.plan.slots();
        tangles_.is_tangled.resize(slots, 0);
        tangles_.moves.resize(slots);
        tangles_.counts.resize(slots, 0);
        for (const Crossing& crossing : tangles_.crossings) {
            for (const std::uint32_t offset : crossing.edge) mark(offset);
            for (const std::uint32_t offset : crossing.triangle) mark(offset);
        }
    }

    void ease() {
        if (!tangles_.any) return;
        for (const Crossing& crossing : tangles_.crossings) {
            if (!overlap(tangles_, crossing.edge_body, crossing.triangle_body)) ease(crossing);
        }
        for (const std::uint32_t slot : tangles_.tangled) {
            if (tangles_.counts[slot] == 0) continue;
            move(slot, tangles_.moves[slot] * (1 / static_cast<float>(tangles_.counts[slot])), true);
            tangles_.moves[slot] = {};
            tangles_.counts[slot] = 0;
            float* u = c_.particles.displacement + slot * floats_per_particle;
            if (!(position(slot)[3] > 0)) continue;
            for (std::size_t k = 0; k < 3; ++k) u[k] *= slowing;
        }
        for (const SolidsInEachOther& overlap : tangles_.overlaps) ease(overlap);
    }

private:
    void mark(std::uint32_t offset) {
        const std::uint32_t slot = offset / bytes_per_particle;
        if (tangles_.is_tangled[slot]) return;
        tangles_.is_tangled[slot] = 1;
        tangles_.tangled.push_back(slot);
    }

    void find_crossings(const PatchPair& pair, PatchChunk& chunk) const {
        const PatchMotion &a = workspace_.motions[pair.first], &b = workspace_.motions[pair.second];
        const Vec3 shift = finder_.shift_between(contact_.patches[pair.first], contact_.patches[pair.second]);
        const float shifts[3] = {shift.x, shift.y, shift.z};
        for (std::size_t c = 0; c < 3; ++c) {
            if (a.low[c] > b.high[c] + shifts[c] || a.high[c] < b.low[c] + shifts[c]) return;
        }
        add_crossings(pair.first, pair.second, shift, chunk);
        if (pair.first != pair.second) add_crossings(pair.second, pair.first, -shift, chunk);
    }

    void add_crossings(std::uint32_t first, std::uint32_t second, const Vec3& shift,
                       PatchChunk& chunk) const {
        const Patch &a = contact_.patches[first], &b = contact_.patches[second];
        if (a.edges == 0 || a.has_lines || b.triangles == 0) return;
        std::uint16_t found[most_pairs];
        CrossingSearch run;
        run.start = workspace_.start.data();
        run.tied = contact_.tied.data();
        run.first = finder_.elements_of(first);
        run.second = finder_.elements_of(second);
        run.shift[0] = shift.x, run.shift[1] = shift.y, run.shift[2] = shift.z;
        run.pairs = found;
        c_.kernels.find_crossings(run);
        for (std::uint32_t i = 0; i < run.count; ++i) {
            Crossing crossing;
            const std::uint32_t edge = a.first_edge + (found[i] & 255u);
            std::copy_n(contact_.edges[edge].begin(), 2, crossing.edge);
            std::copy_n(contact_.wings[edge].begin(), 2, crossing.wings);
            std::copy_n(contact_.triangles[b.first_triangle + (found[i] >> 8)].begin(), 3, crossing.triangle);
            crossing.edge_body = a.body, crossing.triangle_body = b.body;
            crossing.shift = shift;
            crossing.distance = static_cast<float>(finder_.distance_between(a, b));
            chunk.crossings.push_back(crossing);
        }
    }

    const float* position(std::uint32_t slot) const {
        return c_.particles.position + slot * floats_per_particle;
    }
    Vec3 start(std::uint32_t offset) const {
        return vector(workspace_.start.data() + offset / sizeof(float));
    }

    static Vec3 unit(const Vec3& a) {
        const float size = sqrt(dot(a, a));
        return size > 0 ? a * (1 / size) : Vec3{};
    }

    // G of tangles.h.
    Vec3 way_of(const Crossing& crossing, const Vec3& normal) const {
        const Vec3 a = start(crossing.edge[0]), along = unit(start(crossing.edge[1]) - a);
        float sine = dot(along, normal);
        sine = sine < 0 ? min(sine, -least_sine) : max(sine, least_sine);
        Vec3 way{};
        for (const std::uint32_t wing : crossing.wings) {
            if (wing == ContactPlan::none) continue;
            const Vec3 to_wing = start(wing) - a, inward = to_wing - along * dot(along, to_wing);
            Vec3 line = unit(cross(normal, cross(along, inward)));
            if (dot(line, inward) < 0) line = -line;
            way = way + line - normal * (2 * dot(along, line) / sine);
        }
        return way;
    }

    void ease(const Crossing& crossing) {
        const Vec3 t[3] = {start(crossing.triangle[0]) + crossing.shift,
                           start(crossing.triangle[1]) + crossing.shift,
                           start(crossing.triangle[2]) + crossing.shift};
        const Vec3 normal = unit(cross(t[1] - t[0], t[2] - t[0]));
        const Vec3 way = way_of(crossing, normal);
        const float size = sqrt(dot(way, way));
        if (!(size > 1e-3f)) return;
        const Vec3 a = start(crossing.edge[0]), b = start(crossing.edge[1]);
        const float begin = dot(normal, a - t[0]), end = dot(normal, b - t[0]);
        const float s = begin / (begin - end);
        const auto c = collision::closest_of_vertex_and_triangle(a + (b - a) * s, t[0], t[1], t[2]);
        const std::uint32_t offsets[5] = {crossing.edge[0], crossing.edge[1], crossing.triangle[0],
                                          crossing.triangle[1], crossing.triangle[2]};
        const float weights[5] = {1 - s, s, c.weights[1], c.weights[2], c.weights[3]};
        float masses = 0;
        for (std::size_t k = 0; k < 5; ++k)
            masses += position(offsets[k] / bytes_per_particle)[3] * (weights[k] * weights[k]);
        if (!(masses > 0)) return;
        const float most = easing_share * crossing.distance;
        const Vec3 push = way * (min(most, most * size) / (size * masses));
        for (std::size_t k = 0; k < 5; ++k) {
            const std::uint32_t slot = offsets[k] / bytes_per_particle;
            Vec3 move = push * (position(slot)[3] * weights[k]);
            const float moved = sqrt(dot(move, move));
            if (moved > most) move = move * (most / moved);  // beside a held particle
            tangles_.moves[slot] = tangles_.moves[slot] + move;
            ++tangles_.counts[slot];
        }
    }

    // Without velocity: where it would have gone and where it came from, for friction, move along.
    void move(std::uint32_t slot, const Vec3& by, bool without_velocity) {
        const std::size_t at = slot * floats_per_particle;
        float* x = c_.particles.position + at;
        if (!(x[3] > 0)) return;
        x[0] += by.x, x[1] += by.y, x[2] += by.z;
        if (!without_velocity) return;
        for (float* list : {c_.particles.predicted + at, workspace_.reference.data() + at})
            list[0] += by.x, list[1] += by.y, list[2] += by.z;
    }

    struct BodyMotion {
        double mass = 0;  // kg; 0: it is held
        Vec3d move{};     // m, the mean in this substep
    };
    BodyMotion motion_of(const BodyView& body) const {
        BodyMotion motion;
        Vec3d sum{};
        for (std::uint32_t p = body.first_particle; p < body.first_particle + body.particle_count; ++p) {
            const std::size_t at = c_.plan.slot_of[p] * floats_per_particle;
            const double w = c_.particles.position[at + 3];
            if (!(w > 0)) return {};
            sum = sum + (to_double(vector(c_.particles.position + at)) -
                         to_double(vector(workspace_.reference.data() + at))) *
                            (1 / w);
            motion.mass += 1 / w;
        }
        motion.move = sum * (1 / motion.mass);
        return motion;
    }

    void move_body(const BodyView& body, const Vec3& by, bool without_velocity) {
        for (std::uint32_t p = body.first_particle; p < body.first_particle + body.particle_count; ++p)
            move(static_cast<std::uint32_t>(c_.plan.slot_of[p]), by, without_velocity);
    }

    // Both as they are, shared by their masses.
    void ease(const SolidsInEachOther& overlap) {
        const BodyView &a = c_.model.bodies[overlap.first], &b = c_.model.bodies[overlap.second];
        const BodyMotion of_a = motion_of(a), of_b = motion_of(b);
        double share = of_a.mass > 0 ? 1 : 0;  // of the first
        if (of_a.mass > 0 && of_b.mass > 0) share = of_b.mass / (of_a.mass + of_b.mass);
        if (of_a.mass == 0 && of_b.mass == 0) return;
        const Vec3d way = to_double(overlap.way);
        const double approach = -dot(way, of_a.move - of_b.move);
        if (approach > 0) {
            move_body(a, to_float(way * (approach * share)), false);
            move_body(b, to_float(way * (-approach * (1 - share))), false);
        }
        const double step =
            min(easing_speed * c_.substep, easing_frames * overlap.depth / c_.settings.substeps);
        move_body(a, to_float(way * (step * share)), true);
        move_body(b, to_float(way * (-step * (1 - share))), true);
    }

    const ContactContext& c_;
    const ContactPlan& contact_;
    PairFinder finder_;
    ContactWorkspace& workspace_;
    TangleWorkspace& tangles_;
};

}  // namespace

bool looks_for_tangles(const ContactContext& context) {
    return context.state.position_based.is_tangled || context.state.frame % frames_between_looks == 0;
}

void find_tangles(const ContactContext& context, bool is_first_of_frame) {
    Untangler(context).find(is_first_of_frame);
}

void forget_tangles(TangleWorkspace& tangles) {
    for (const std::uint32_t slot : tangles.tangled) tangles.is_tangled[slot] = 0;
    tangles.tangled.clear();
    tangles.crossings.clear();
    tangles.overlaps.clear();
    tangles.any = false;
}

void ease_tangles(const ContactContext& context) { Untangler(context).ease(); }

bool overlap(const TangleWorkspace& tangles, std::uint32_t first, std::uint32_t second) {
    if (tangles.overlaps.empty()) return false;
    const auto key = std::minmax(first, second);
    return std::any_of(tangles.overlaps.begin(), tangles.overlaps.end(),
                       [&](const SolidsInEachOther& overlap) {
                           return overlap.first == key.first && overlap.second == key.second;
                       });
}

}  // namespace pliant::solvers::position_based
