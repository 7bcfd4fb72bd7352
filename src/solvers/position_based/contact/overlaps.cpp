#include <pliant/bounds.h>

#include <algorithm>
#include <utility>

#include "base/convert.h"
#include "base/particle_layout.h"
#include "collision/pairs/solid_overlap.h"
#include "solvers/position_based/contact/patch_motion.h"
#include "solvers/position_based/contact/tangles.h"
#include "solvers/position_based/plan.h"

namespace pliant::solvers::position_based {
namespace {

using BodyPair = std::pair<std::uint32_t, std::uint32_t>;  // ascending

class OverlapFinder {
public:
    explicit OverlapFinder(const ContactContext& context)
        : c_(context), workspace_(context.workspace), tangles_(context.workspace.tangles) {}

    void run() {
        add_crossing_solids();
        add_nested_solids();
        if (pairs_.empty()) return;
        std::sort(pairs_.begin(), pairs_.end());
        pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
        for (const auto& [a, b] : pairs_) measure(a, b);
    }

private:
    bool is_solid(std::uint32_t body) const { return c_.model.bodies[body].tetrahedron_count > 0; }

    void add_crossing_solids() {
        for (const Crossing& crossing : tangles_.crossings) {
            const std::uint32_t a = crossing.edge_body, b = crossing.triangle_body;
            if (a != b && is_solid(a) && is_solid(b)) pairs_.push_back(std::minmax(a, b));
        }
    }

    // A solid wholly inside another crosses nothing.
    void add_nested_solids() {
        auto& boxes = tangles_.boxes;
        boxes.clear();
        const std::vector<Patch>& patches = c_.plan.contact.patches;
        for (std::size_t p = 0; p < patches.size(); ++p) {
            if (!patches[p].is_closed) continue;
            if (boxes.empty() || boxes.back().first != patches[p].body)
                boxes.push_back({patches[p].body, {}});
            const Vec3 shift = workspace_.shifts[patches[p].island];
            boxes.back().second.add(vector(workspace_.motions[p].low) + shift);
            boxes.back().second.add(vector(workspace_.motions[p].high) + shift);
        }
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            for (std::size_t k = i + 1; k < boxes.size(); ++k) {
                const auto& [a, box_a] = boxes[i];
                const auto& [b, box_b] = boxes[k];
                const bool is_nested = (box_a.contains(box_b.low) && box_a.contains(box_b.high)) ||
                                       (box_b.contains(box_a.low) && box_b.contains(box_a.high));
                if (is_nested && model::may_touch(c_.model.contacts[a], c_.model.contacts[b], false))
                    pairs_.push_back(std::minmax(a, b));
            }
        }
    }

    collision::Solid solid_of(std::uint32_t b, const Vec3& shift, std::vector<Vec3>& positions) const {
        const BodyView& body = c_.model.bodies[b];
        positions.clear();
        for (std::uint32_t p = body.first_particle; p < body.first_particle + body.particle_count; ++p)
            positions.push_back(vector(workspace_.start.data() + c_.plan.slot_of[p] * floats_per_particle) +
                                shift);
        return {positions, body.first_particle,
                std::span(c_.model.triangles).subspan(body.first_triangle, body.triangle_count),
                std::span(c_.model.tetrahedra).subspan(body.first_tetrahedron, body.tetrahedron_count)};
    }

    void measure(std::uint32_t a, std::uint32_t b) {
        const Vec3 shift = to_float(c_.state.origins[c_.model.bodies[b].island] -
                                    c_.state.origins[c_.model.bodies[a].island]);
        const collision::Solid first = solid_of(a, {}, positions_[0]),
                               second = solid_of(b, shift, positions_[1]);
        collision::SolidOverlap found = collision::vertices_inside(first, second);
        found.add_reverse(collision::vertices_inside(second, first));
        const double spacing = max(c_.model.contacts[a].spacing, c_.model.contacts[b].spacing);
        Vec3d way = found.way;
        if (found.inside == 0) {
            way = way_of_crossings(a, b);
            if (way == Vec3d{}) return;  // one box in the other, and yet apart
            found.depth = 0.1 * spacing;
        }
        // Nothing says where to: one beside the other, or up.
        if (!(length(way) > 0.05 * max(found.depth, 0.02 * spacing)))
            way = middle_of(positions_[0]) - middle_of(positions_[1]);
        if (!(length(way) > 1e-3 * spacing)) way = {0, 1, 0};
        tangles_.overlaps.push_back(
            {a, b, to_float(way * (1 / length(way))), static_cast<float>(max(found.depth, 0.02 * spacing))});
    }

    static Vec3d middle_of(std::span<const Vec3> positions) {
        Bounds3 box;
        for (const Vec3& p : positions) box.add(p);
        return to_double(box.center());
    }

    // The way their triangles face that edges of the other go through.
    Vec3d way_of_crossings(std::uint32_t a, std::uint32_t b) const {
        Vec3d way{};
        for (const Crossing& crossing : tangles_.crossings) {
            const bool is_edge_of_a = crossing.edge_body == a && crossing.triangle_body == b;
            if (!is_edge_of_a && !(crossing.edge_body == b && crossing.triangle_body == a)) continue;
            Vec3d t[3];
            for (std::size_t k = 0; k < 3; ++k)
                t[k] = to_double(vector(workspace_.start.data() + crossing.triangle[k] / sizeof(float)));
            const Vec3d n = cross(t[1] - t[0], t[2] - t[0]);
            if (length(n) > 0) way = way + n * ((is_edge_of_a ? 1 : -1) / length(n));
        }
        return way;
    }

    const ContactContext& c_;
    ContactWorkspace& workspace_;
    TangleWorkspace& tangles_;
    std::vector<BodyPair> pairs_;
    std::vector<Vec3> positions_[2];
};

}  // namespace

void find_overlaps(const ContactContext& context) { OverlapFinder(context).run(); }

}  // namespace pliant::solvers::position_based
