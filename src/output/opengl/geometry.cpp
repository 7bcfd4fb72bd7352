#include "output/opengl/geometry.h"

#include "base/convert.h"
#include "base/rotation.h"
#include "output/picture/collider_surfaces.h"
#include "output/picture/palette.h"
#include "output/picture/round_shapes.h"
#include "output/picture/vectors.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>

namespace pliant::output::opengl {
namespace {

bool is_finite(Vec3 p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); }

std::array<std::uint8_t, 4> bytes(Color color) {
    const auto byte = [](float x) {
        return static_cast<std::uint8_t>(std::lround(255 * std::clamp(std::isnan(x) ? 0 : x, 0.0f, 1.0f)));
    };
    return {byte(color.red), byte(color.green), byte(color.blue), 0};
}

struct Mesh {
    std::vector<Vec3> positions, normals;
    std::vector<Color> colors;
    std::vector<Triangle> triangles;
    std::vector<Vec2> yarns{};  // empty, or one for each position
};

class Builder {
public:
    Builder(const Picture& picture, Geometry& geometry) : scale_(picture.scale), geometry_(geometry) {}

    void add(const Surface& surface);
    void add(const Tubes& tubes);
    void add(const Beads& beads);
    void add(const ColliderSurface& surface);
    void add_wall(const Plane& plane);

private:
    Vec3 on_stage(Vec3d p) const {
        const Vec3d q = (p - geometry_.center) * (1 / geometry_.radius);
        return {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z)};
    }
    Vec3 on_stage(Vec3 p) const { return on_stage(Vec3d{p.x, p.y, p.z}); }
    float on_stage(double length) const { return static_cast<float>(length / geometry_.radius); }

    Color shown(const std::vector<float>& values, std::size_t i, Color otherwise) const {
        if (!scale_ || i >= values.size()) return otherwise;
        const double range = scale_->high - scale_->low;
        return value_color(range > 0 ? (static_cast<double>(values[i]) - scale_->low) / range : 0);
    }

    std::uint32_t push(Vec3 position, Vec3 normal, Color color) {
        geometry_.vertices.push_back(
            {{position.x, position.y, position.z}, {normal.x, normal.y, normal.z}, bytes(color), {}});
        return static_cast<std::uint32_t>(geometry_.vertices.size() - 1);
    }
    // A vertex of a mesh.
    std::uint32_t push(const Mesh& mesh, std::size_t i, Vec3 normal, Weave weave) {
        const std::uint32_t index = push(mesh.positions[i], normal, mesh.colors[i]);
        if (!mesh.yarns.empty()) {
            geometry_.vertices.back().color[3] = static_cast<std::uint8_t>(weave);
            geometry_.vertices.back().yarn = {mesh.yarns[i].x, mesh.yarns[i].y};
        }
        return index;
    }
    void push(const RoundShape& shape, Color color) {
        const auto base = static_cast<std::uint32_t>(geometry_.vertices.size());
        for (std::size_t i = 0; i < shape.positions.size(); ++i) {
            push(shape.positions[i], shape.normals[i], color);
        }
        push(shape.triangles, base);
    }
    void push(std::span<const Triangle> triangles, std::uint32_t base) {
        for (const Triangle& t : triangles) {
            for (const std::uint32_t corner : t) geometry_.indices.push_back(base + corner);
        }
    }
    void begin(Finish finish) {
        DrawRange range;
        range.finish = finish;
        range.first = range.first_coarse = geometry_.indices.size();
        geometry_.ranges.push_back(range);
    }
    void end() {
        DrawRange& range = geometry_.ranges.back();
        range.count = range.coarse_count = geometry_.indices.size() - range.first;
    }
    void push_corners(const Surface& surface, const Mesh& mesh);

    const std::optional<Scale>& scale_;
    Geometry& geometry_;
};

// Those whose corners exist and are near enough to be numbers on the screen.
std::vector<Triangle> drawable(const Surface& surface, std::span<const Vec3> positions) {
    std::vector<Triangle> kept;
    if (!surface.triangles) return kept;
    kept.reserve(surface.triangles->size());
    const auto usable = [&](std::uint32_t i) {
        constexpr float far = 1e4f;
        return i < positions.size() && is_finite(positions[i]) &&
               std::max({std::abs(positions[i].x), std::abs(positions[i].y), std::abs(positions[i].z)}) < far;
    };
    for (const Triangle& t : *surface.triangles) {
        if (usable(t[0]) && usable(t[1]) && usable(t[2])) kept.push_back(t);
    }
    return kept;
}

// The sum of the cross products around each vertex: large triangles count more.
std::vector<Vec3> smooth_normals(std::span<const Vec3> positions, std::span<const Triangle> triangles) {
    std::vector<Vec3> normals(positions.size());
    for (const Triangle& t : triangles) {
        const Vec3 n = cross(positions[t[1]] - positions[t[0]], positions[t[2]] - positions[t[0]]);
        for (const std::uint32_t corner : t) normals[corner] = normals[corner] + n;
    }
    for (Vec3& n : normals) n = unit(n);
    return normals;
}

// Four triangles for each, with the middles of edges moved towards the planes that touch the surface at both
// ends (Boubekeur and Alexa, "Phong tessellation", 2008), the less the sharper the edge. Coarse meshes get
// round outlines, and vertices keep their places.
Mesh rounded(const Mesh& mesh) {
    constexpr float share = 0.7f;
    Mesh fine{mesh.positions, mesh.normals, mesh.colors, {}, mesh.yarns};
    const std::vector<Edge> edges = unique_edges(mesh.triangles);
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (const auto& [a, b] : edges) {
        const Vec3 middle = (mesh.positions[a] + mesh.positions[b]) * 0.5f;
        const Vec3 to_a = mesh.normals[a] * dot(mesh.positions[a] - middle, mesh.normals[a]);
        const Vec3 to_b = mesh.normals[b] * dot(mesh.positions[b] - middle, mesh.normals[b]);
        const float alike = std::max(dot(mesh.normals[a], mesh.normals[b]), 0.0f);
        fine.positions.push_back(middle + (to_a + to_b) * (0.5f * share * alike * alike));
        fine.normals.push_back(unit(mesh.normals[a] + mesh.normals[b]));
        const Color &p = mesh.colors[a], &q = mesh.colors[b];
        fine.colors.push_back({0.5f * (p.red + q.red), 0.5f * (p.green + q.green), 0.5f * (p.blue + q.blue)});
        if (!mesh.yarns.empty()) {
            const Vec2 &s = mesh.yarns[a], &t = mesh.yarns[b];
            fine.yarns.push_back({0.5f * (s.x + t.x), 0.5f * (s.y + t.y)});
        }
    }
    const auto middle_of = [&](std::uint32_t a, std::uint32_t b) {
        const Edge edge{std::min(a, b), std::max(a, b)};
        return first +
               static_cast<std::uint32_t>(std::lower_bound(edges.begin(), edges.end(), edge) - edges.begin());
    };
    for (const auto& [a, b, c] : mesh.triangles) {
        const std::uint32_t ab = middle_of(a, b), bc = middle_of(b, c), ca = middle_of(c, a);
        for (const Triangle& t :
             {Triangle{a, ab, ca}, Triangle{ab, b, bc}, Triangle{ca, bc, c}, Triangle{ab, bc, ca}}) {
            fine.triangles.push_back(t);
        }
    }
    return fine;
}

void Builder::add(const Surface& surface) {
    Mesh mesh;
    mesh.positions.reserve(surface.positions.size());
    for (const Vec3& p : surface.positions) mesh.positions.push_back(on_stage(p));
    mesh.triangles = drawable(surface, mesh.positions);
    const bool given = surface.normals.size() == mesh.positions.size();
    mesh.normals = given ? surface.normals : smooth_normals(mesh.positions, mesh.triangles);
    mesh.colors.reserve(mesh.positions.size());
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        mesh.colors.push_back(shown(surface.values, i, surface.color));
    }
    if (surface.yarns.size() == mesh.positions.size()) mesh.yarns = surface.yarns;
    if (surface.wireframe || surface.faceted) return push_corners(surface, mesh);

    const std::vector<Triangle>* coarse = nullptr;
    if (surface.triangles && mesh.triangles.size() == surface.triangles->size()) {
        coarse = &geometry_.coarsener(surface.triangles, mesh.positions);
        if (coarse->empty()) coarse = surface.triangles.get();
    }
    constexpr std::size_t few = 6000;
    if (mesh.triangles.size() <= few) mesh = rounded(mesh);
    begin(surface.finish);
    const auto base = static_cast<std::uint32_t>(geometry_.vertices.size());
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        push(mesh, i, mesh.normals[i], surface.weave);
    }
    push(mesh.triangles, base);
    end();
    if (coarse != nullptr) {
        DrawRange& range = geometry_.ranges.back();
        range.first_coarse = geometry_.indices.size();
        range.coarse_count = 3 * coarse->size();
        push(*coarse, base);
    }
}

// Every corner by itself.
void Builder::push_corners(const Surface& surface, const Mesh& mesh) {
    while (geometry_.vertices.size() % 3 != 0) geometry_.vertices.emplace_back();
    DrawRange range;
    range.finish = surface.finish;
    range.wireframe = surface.wireframe;
    range.first = range.first_coarse = geometry_.indices.size();
    range.first_vertex = geometry_.vertices.size();
    range.count = range.coarse_count = 3 * mesh.triangles.size();
    for (const Triangle& t : mesh.triangles) {
        const auto& [a, b, c] = t;
        const Vec3 facet =
            unit(cross(mesh.positions[b] - mesh.positions[a], mesh.positions[c] - mesh.positions[a]));
        for (const std::uint32_t i : t) {
            const Vec3 normal = surface.faceted ? facet : mesh.normals[i];
            geometry_.indices.push_back(push(mesh, i, normal, surface.weave));
        }
    }
    // Of many, some are enough to hide the sky.
    constexpr std::size_t enough = 8000;
    if (const std::size_t step = mesh.triangles.size() / enough; step > 1) {
        range.first_coarse = geometry_.indices.size();
        for (std::size_t i = 0; i < range.count; i += 3 * step) {
            for (std::size_t k = 0; k < 3; ++k)
                geometry_.indices.push_back(geometry_.indices[range.first + i + k]);
        }
        range.coarse_count = geometry_.indices.size() - range.first_coarse;
    }
    geometry_.ranges.push_back(range);
}

void Builder::add(const Tubes& tubes) {
    if (!tubes.paths || !(tubes.radius > 0)) return;
    begin(Finish::matte);
    constexpr std::size_t few = 20, many = 200;  // ropes, tufts of hair
    geometry_.ranges.back().strands = tubes.paths->size() > few;
    const bool is_hair = tubes.paths->size() > many;
    const float radius = on_stage(static_cast<double>(tubes.radius));
    std::vector<Vec3> path, sides;
    std::vector<Color> colors;
    for (const auto& indices : *tubes.paths) {
        path.clear();
        sides.clear();
        colors.clear();
        for (const std::uint32_t i : indices) {
            if (i >= tubes.positions.size() || !is_finite(tubes.positions[i])) continue;
            path.push_back(on_stage(tubes.positions[i]));
            if (i < tubes.sides.size()) sides.push_back(tubes.sides[i]);
            colors.push_back(shown(tubes.values, i, tubes.color));
        }
        if (sides.size() < path.size()) sides.clear();
        const Flatness flatness{sides, on_stage(static_cast<double>(tubes.thickness))};
        const Tube tube = make_tube(path, radius, flatness, is_hair ? thin_tube : TubeDetail{});
        const auto base = static_cast<std::uint32_t>(geometry_.vertices.size());
        for (std::size_t i = 0; i < tube.shape.positions.size(); ++i) {
            push(tube.shape.positions[i], tube.shape.normals[i], colors[tube.nearest[i]]);
        }
        push(tube.shape.triangles, base);
    }
    end();
}

void Builder::add(const Beads& beads) {
    if (!(beads.radius > 0)) return;
    begin(Finish::matte);
    // The more of them, the smaller they look, and the fewer triangles each needs.
    const std::size_t count = beads.positions.size();
    const RoundShape ball = make_ball(count <= 300 ? 12 : count <= 3000 ? 8 : count <= 30000 ? 5 : 3);
    const float radius = on_stage(static_cast<double>(beads.radius));
    RoundShape placed = ball;
    for (std::size_t i = 0; i < count; ++i) {
        if (!is_finite(beads.positions[i])) continue;
        const Vec3 center = on_stage(beads.positions[i]);
        for (std::size_t k = 0; k < ball.positions.size(); ++k) {
            placed.positions[k] = center + ball.positions[k] * radius;
        }
        push(placed, shown(beads.values, i, beads.color));
    }
    end();
}

constexpr Color collider_color{0.86f, 0.85f, 0.82f};

void Builder::add(const ColliderSurface& surface) {
    begin(Finish::matte);
    geometry_.ranges.back().shadow = !surface.inverted;  // light comes in as the view does
    RoundShape placed = surface.mesh;
    const Vec3 center = on_stage(surface.center);
    const double scale = surface.scale / geometry_.radius;
    for (std::size_t i = 0; i < placed.positions.size(); ++i) {
        const Vec3d p = rotate(surface.rotation, to_double(surface.mesh.positions[i]));
        placed.positions[i] = center + to_float(p * scale);
        placed.normals[i] = to_float(rotate(surface.rotation, to_double(surface.mesh.normals[i])));
    }
    push(placed, collider_color);
    end();
}

void Builder::add_wall(const Plane& plane) {
    begin(Finish::matte);
    geometry_.ranges.back().shadow = false;
    const Vec3 n = unit(plane.normal), point = on_stage(plane.point);
    const Vec3 foot = n * dot(point, n);  // nearest to the middle of the stage
    const Vec3 u = unit(cross(n, std::abs(n.y) < 0.9f ? Vec3{0, 1, 0} : Vec3{1, 0, 0})), v = cross(n, u);
    constexpr float half = 1.6f;
    constexpr std::uint32_t cells = 24;
    const auto base = static_cast<std::uint32_t>(geometry_.vertices.size());
    for (std::uint32_t i = 0; i <= cells; ++i) {
        for (std::uint32_t j = 0; j <= cells; ++j) {
            const float s = half * (2.0f * static_cast<float>(i) / cells - 1);
            const float t = half * (2.0f * static_cast<float>(j) / cells - 1);
            push(foot + u * s + v * t, n, collider_color);
        }
    }
    std::vector<Triangle> triangles;
    join_grid(triangles, base, cells);
    push(triangles, 0);
    end();
}

bool faces(const Plane& plane, Vec3d eye) {
    const Vec3d n{plane.normal.x, plane.normal.y, plane.normal.z};
    return dot(eye - plane.point, n) > 0;
}

bool same(const Plane& a, const Plane& b) { return a.point == b.point && a.normal == b.normal; }

}  // namespace

// Vertices are gathered in the cells of a grid, each cell keeps the one that comes first, and triangles
// between three different cells stay. So the coarse mesh moves with the fine one.
const std::vector<Triangle>& Coarsener::operator()(
    const std::shared_ptr<const std::vector<Triangle>>& triangles, std::span<const Vec3> positions) {
    constexpr std::size_t enough = 3000, most_entries = 64;
    for (const Entry& entry : entries_) {
        if (entry.fine == triangles) return entry.coarse;
    }
    if (entries_.size() == most_entries) entries_.erase(entries_.begin());
    Entry& entry = entries_.emplace_back(Entry{triangles, {}});
    if (triangles->size() <= enough) return entry.coarse;

    // Cells with the area of so many triangles that about enough remain.
    double area = 0;
    for (const Triangle& t : *triangles) {
        const Vec3 n = cross(positions[t[1]] - positions[t[0]], positions[t[2]] - positions[t[0]]);
        area += 0.5 * std::sqrt(static_cast<double>(dot(n, n)));
    }
    const double side = std::max(std::sqrt(2 * area / enough), 1e-6);
    using Cell = std::array<long, 3>;
    std::map<Cell, std::uint32_t> first;
    const auto representative = [&](std::uint32_t i) {
        const auto at = [&](float x) { return std::lround(static_cast<double>(x) / side); };
        const Cell cell{at(positions[i].x), at(positions[i].y), at(positions[i].z)};
        return first.emplace(cell, i).first->second;
    };
    for (const Triangle& t : *triangles) {
        const Triangle kept{representative(t[0]), representative(t[1]), representative(t[2])};
        if (kept[0] != kept[1] && kept[1] != kept[2] && kept[2] != kept[0]) entry.coarse.push_back(kept);
    }
    return entry.coarse;
}

void build(const Picture& picture, Geometry& geometry) {
    const Bounds stage = picture.stage.empty() ? bounds_of(picture) : picture.stage;
    geometry.center = stage.empty() ? picture.camera.target : stage.center();
    geometry.radius = std::max(0.5 * stage.diagonal(), 1e-9);
    geometry.vertices.clear();
    geometry.indices.clear();
    geometry.ranges.clear();
    Builder builder(picture, geometry);
    for (const Surface& surface : picture.surfaces) builder.add(surface);
    for (const Tubes& tubes : picture.tubes) builder.add(tubes);
    for (const Beads& beads : picture.beads) builder.add(beads);
    for (const Collider& collider : picture.colliders) {
        if (const auto surface = surface_of(collider)) builder.add(*surface);
        if (const auto plane = plane_of(collider)) {
            const bool ground = picture.ground && same(*plane, *picture.ground);
            if (!ground && faces(*plane, picture.camera.eye)) builder.add_wall(*plane);
        }
    }
}

}  // namespace pliant::output::opengl
