#include "scenes/scenes.h"

#include <pliant/shapes.h>

#include <algorithm>
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
    TriangleMesh sheet = *make_sheet(side, side, n - 1, n - 1);
    const std::uint32_t count = static_cast<std::uint32_t>(n);

    Particles cloth;
    cloth.material.mass =
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
    box.material.energy = Energy::springs;
    box.mesh = *make_box({1, 1, 1}, {n, n, n});
    box.material.edges.compliance = 0;

    Description scene;
    scene.bodies.push_back(named("box", std::move(box), {0, 2, 0}));
    const std::uint32_t cells = static_cast<std::uint32_t>(n), row = cells + 1, layer = row * row;
    const std::uint32_t top = cells * row, back = cells * layer;
    scene.bodies[0].pinned = {top, top + cells, back + top, back + top + cells};
    scene.settings.levels = Levels::off;  // it is there to measure sweeps
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

std::optional<Description> make_family(std::string_view name) {
    if (name.size() < 2) return std::nullopt;
    const int size = size_in(name);
    if (name[0] == 'c' && size >= 3 && size <= 4096) return linked_cloth(size);
    if (name[0] == 'j' && size >= 1 && size <= 256) return hanging_box(size);
    return std::nullopt;
}

}  // namespace

std::filesystem::path directory() {
    std::error_code ignored;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored);
    const std::filesystem::path installed =
        (program.parent_path() / PLIANT_INSTALLED_SCENES).lexically_normal();
    if (!program.empty() && std::filesystem::is_directory(installed, ignored)) return installed;
    return PLIANT_SOURCE_SCENES;
}

std::vector<std::string> names() {
    std::vector<std::string> found;
    std::error_code code;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory(), code)) {
        if (entry.path().extension() == ".json") found.push_back(entry.path().stem().string());
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::optional<std::filesystem::path> find(std::string_view name) {
    const bool plain = !name.empty() && name.find_first_of("/\\.") == std::string_view::npos;
    const std::string file = std::string(name) + ".json";
    std::error_code ignored;
    if (!plain) return std::nullopt;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory(), ignored)) {
        if (entry.path().filename() == file && entry.is_regular_file(ignored)) return entry.path();
    }
    return std::nullopt;
}

std::optional<Description> make(std::string_view name) {
    if (const auto file = find(name)) {
        auto scene = load_scene(*file);
        if (!scene) return std::nullopt;
        return std::move(scene->description);
    }
    return make_family(name);
}

std::optional<Result<Scene>> load_family(const std::string& name, const std::vector<std::string>& changes) {
    auto description = make_family(name);
    if (!description) return std::nullopt;
    for (const std::string& change : changes) {
        if (change.starts_with("solver/") || change.starts_with("frames=")) continue;
        return Error{"change " + change, "of " + name + " only solver/… and frames can be changed"};
    }
    // A file says how it is solved; the body comes from here.
    auto scene = parse_scene(R"({ "bodies": [{ "particles": { "points": [[0, 0, 0]] } }] })",
                             {.name = name, .directory = {}, .changes = changes});
    if (!scene) return scene;
    scene->file.bodies.clear();
    scene->description.bodies = std::move(description->bodies);
    return scene;
}

}  // namespace pliant::scenes
