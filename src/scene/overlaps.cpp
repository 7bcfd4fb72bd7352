#include "scene/overlaps.h"

#include <pliant/bounds.h>

#include <array>
#include <span>

#include "base/convert.h"
#include "collision/local_colliders.h"
#include "collision/pairs/solid_overlap.h"
#include "mesh/geometry/box_tree.h"
#include "mesh/geometry/intersection.h"

namespace pliant {
namespace {

constexpr double least_depth = 1e-3;  // of the size of a body: what is less is rounding, or rests

class OverlapSearch {
public:
    OverlapSearch(const model::Model& model, const View& view) : model_(model), view_(view) {
        for (const BodyView& body : view.bodies) {
            Bounds3 box;
            for (const Vec3& p : positions_of(body)) box.add(p);
            boxes_.push_back(box);
        }
    }

    std::vector<Overlap> run() {
        for (std::uint32_t a = 0; a < view_.bodies.size(); ++a) {
            for (std::uint32_t b = a; b < view_.bodies.size(); ++b) compare(a, b);
            for (std::uint32_t c = 0; c < view_.colliders.size(); ++c) compare_with_collider(a, c);
        }
        return std::move(result_);
    }

private:
    std::span<const Vec3> positions_of(const BodyView& body) const {
        return view_.positions.subspan(body.first_particle, body.particle_count);
    }
    std::span<const Triangle> triangles_of(const BodyView& body) const {
        return view_.triangles.subspan(body.first_triangle, body.triangle_count);
    }

    void compare(std::uint32_t a, std::uint32_t b) {
        const auto& contacts = model_.contacts;
        if (!(contacts[a].radius > 0) || !(contacts[b].radius > 0) || !boxes_[a].meets(boxes_[b]) ||
            !model::may_touch(contacts[a], contacts[b], a == b))
            return;
        const BodyView &first = view_.bodies[a], &second = view_.bodies[b];
        Overlap overlap;
        overlap.body = a;
        overlap.other = b;
        overlap.crossings = crossings(first, second);
        if (a != b && first.tetrahedron_count > 0 && second.tetrahedron_count > 0) {
            const collision::Solid solids[2] = {solid_of(first), solid_of(second)};
            overlap.depth = max(collision::vertices_inside(solids[0], solids[1]).depth,
                                collision::vertices_inside(solids[1], solids[0]).depth);
            if (!(overlap.depth > least_depth * size_of(a)) && overlap.crossings == 0) return;
        }
        if (overlap.crossings > 0 || overlap.depth > 0) result_.push_back(overlap);
    }

    collision::Solid solid_of(const BodyView& body) const {
        return {positions_of(body), body.first_particle, triangles_of(body),
                std::span(model_.tetrahedra).subspan(body.first_tetrahedron, body.tetrahedron_count)};
    }

    double size_of(std::uint32_t body) const { return double(boxes_[body].diagonal()); }

    std::uint64_t crossings(const BodyView& a, const BodyView& b) const {
        const std::span<const Triangle> first = triangles_of(a), second = triangles_of(b);
        if (first.empty() || second.empty()) return 0;
        const auto box_of = [&](const Triangle& t) {
            Bounds3 box;
            for (const std::uint32_t corner : t) box.add(view_.positions[corner]);
            return box;
        };
        const auto corners_of = [&](const Triangle& t) {
            return std::array<Vec3d, 3>{to_double(view_.positions[t[0]]), to_double(view_.positions[t[1]]),
                                        to_double(view_.positions[t[2]])};
        };
        const auto share_corner = [&](const Triangle& s, const Triangle& t) {
            for (const std::uint32_t p : s) {
                for (const std::uint32_t q : t) {
                    if (p == q || view_.positions[p] == view_.positions[q]) return true;
                }
            }
            return false;
        };
        std::vector<Bounds3> boxes;
        for (const Triangle& t : second) boxes.push_back(box_of(t));
        const mesh::BoxTree tree(boxes);
        std::uint64_t count = 0;
        for (std::size_t i = 0; i < first.size(); ++i) {
            tree.for_each_meeting(box_of(first[i]), [&](std::uint32_t k) {
                if (&a == &b && k <= i) return;
                if (share_corner(first[i], second[k])) return;
                count += mesh::triangles_meet(corners_of(first[i]), corners_of(second[k]));
            });
        }
        return count;
    }

    void compare_with_collider(std::uint32_t b, std::uint32_t c) {
        const BodyView& body = view_.bodies[b];
        collision::LocalColliders collider;
        collider.place(view_.colliders.subspan(c, 1), view_.colliders.subspan(c, 1), {});
        double depth = 0;
        for (const Vec3& p : positions_of(body)) {
            const Vec3d x = to_double(p);
            depth = max(depth, length(collision::pushed_out(collider.set(), x, 0.0) - x));
        }
        if (!(depth > least_depth * size_of(b))) return;
        Overlap overlap;
        overlap.body = b;
        overlap.other = c;
        overlap.is_collider = true;
        overlap.depth = depth;
        result_.push_back(overlap);
    }

    const model::Model& model_;
    const View& view_;
    std::vector<Bounds3> boxes_;
    std::vector<Overlap> result_;
};

}  // namespace

std::vector<Overlap> find_overlaps(const model::Model& model, const View& view) {
    return OverlapSearch(model, view).run();
}

}  // namespace pliant
