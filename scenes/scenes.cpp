#include "scenes/scenes.h"

#include <pliant/shapes.h>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <system_error>
#include <utility>

namespace pliant::scenes {
namespace {

Body named(std::string name, decltype(Body::shape) shape, Vec3d position) {
    Body body;
    body.name = std::move(name);
    body.shape = std::move(shape);
    body.position = position;
    return body;
}

// Rotates about x by the angle whose cosine is 12/13, then about z by that whose cosine is 4/5:
// rational, so that the start is the same bit for bit with every compiler and C library.
Vec3 tilted(Vec3 p) {
    const double x = p.x, y = p.y, z = p.z;
    const double y1 = (12 * y - 5 * z) / 13, z1 = (5 * y + 12 * z) / 13;
    const double x2 = (4 * x - 3 * y1) / 5, y2 = (3 * x + 4 * y1) / 5;
    return {static_cast<float>(x2), static_cast<float>(y2), static_cast<float>(z1)};
}

Description jelly() {
    SoftBody block;
    block.mesh = make_box({0.5f, 0.5f, 0.5f}, {8, 8, 8});
    for (Vec3& p : block.mesh.positions) p = tilted(p);
    block.density = 1000;
    block.edges.compliance = 1e-5f;
    block.edges.damping = 0.02f;  // comes to rest within two seconds

    Description scene;
    scene.bodies.push_back(named("jelly", std::move(block), {0, 1.4, 0}));
    scene.colliders.push_back({.shape = Plane{}, .friction = 0.5f, .restitution = 0.2f});
    return scene;
}

Description rope() {
    Rope rope;
    rope.positions = make_line({0, 0, 0}, {1, 0, 0}, 40);

    Description scene;
    scene.bodies.push_back(named("rope", std::move(rope), {0, 2, 0}));
    scene.bodies[0].pinned = {0};
    return scene;
}

Description drape() {
    Cloth cloth;
    cloth.mesh = make_sheet(1, 1, 40, 40);

    Description scene;
    scene.bodies.push_back(named("cloth", std::move(cloth), {0.04, 0.9, 0.02}));
    scene.bodies[0].radius = 0.006f;
    scene.colliders.push_back({.shape = Sphere{.center = {0, 0.45, 0}, .radius = 0.25f}});
    scene.colliders.push_back({.shape = Plane{}});
    return scene;
}

// Links in the order of their kind. (column, row) is particle row · n + column.
std::vector<Link> sheet_links(std::uint32_t n) {
    struct Kind {
        std::uint32_t from, to_column, to_row;  // from: the column of the first end, the other being 0
    };
    constexpr Kind kinds[] = {
        {0, 1, 0}, {0, 0, 1},  // structural
        {0, 1, 1}, {1, 0, 1},  // both diagonals
        {0, 2, 0}, {0, 0, 2},  // bending
    };
    std::vector<Link> links;
    links.reserve(6 * static_cast<std::size_t>(n) * n);
    for (const Kind& kind : kinds) {
        const std::uint32_t width = kind.from > kind.to_column ? kind.from : kind.to_column;
        for (std::uint32_t row = 0; row + kind.to_row < n; ++row) {
            for (std::uint32_t column = 0; column + width < n; ++column) {
                Link link;
                link.a = row * n + column + kind.from;
                link.b = (row + kind.to_row) * n + column + kind.to_column;
                links.push_back(link);
            }
        }
    }
    return links;
}

Description linked_cloth(int n) {
    constexpr float side = 2, area_density = 0.2f;
    TriangleMesh sheet = make_sheet(side, side, n - 1, n - 1);
    const std::uint32_t count = static_cast<std::uint32_t>(n);

    Particles cloth;
    cloth.mass =
        static_cast<float>(static_cast<double>(area_density) * side * side / (static_cast<double>(n) * n));
    cloth.positions = std::move(sheet.positions);
    cloth.triangles = std::move(sheet.triangles);
    cloth.links = sheet_links(count);

    Description scene;
    scene.bodies.push_back(named("cloth", std::move(cloth), {0, 2, 0}));
    scene.bodies[0].pinned = {0, count - 1};
    scene.settings.substeps = 10;
    scene.settings.iterations = 1;
    return scene;
}

Description hanging_box(int n) {
    SoftBody box;
    box.mesh = make_box({1, 1, 1}, {n, n, n});
    box.edges.compliance = 0;

    Description scene;
    scene.bodies.push_back(named("box", std::move(box), {0, 2, 0}));
    const std::uint32_t cells = static_cast<std::uint32_t>(n), row = cells + 1, layer = row * row;
    const std::uint32_t top = cells * row, back = cells * layer;
    scene.bodies[0].pinned = {top, top + cells, back + top, back + top + cells};
    return scene;
}

// The number after the first letter, or -1.
int size_in(std::string_view name) {
    int size = -1;
    const char* end = name.data() + name.size();
    const auto [rest, error] = std::from_chars(name.data() + 1, end, size);
    const bool plain = error == std::errc{} && rest == end && name[1] != '0' && name[1] != '-';
    return plain ? size : -1;
}

}  // namespace

std::vector<std::string_view> names() { return {"jelly", "rope", "drape", "c100", "c300", "j20", "j60"}; }

std::optional<Description> make(std::string_view name) {
    if (name == "jelly") return jelly();
    if (name == "rope") return rope();
    if (name == "drape") return drape();
    if (name.size() < 2) return std::nullopt;
    const int size = size_in(name);
    if (name[0] == 'c' && size >= 3 && size <= 4096) return linked_cloth(size);
    if (name[0] == 'j' && size >= 1 && size <= 256) return hanging_box(size);
    return std::nullopt;
}

}  // namespace pliant::scenes
