#include "pliant/page_files.h"

#include <pliant/mesh_io.h>

#include <fstream>
#include <iterator>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/json.h"
#include "output/web/text.h"
#include "scenes/scenes.h"

namespace pliant::app {

std::filesystem::path page_folder() {
    const std::filesystem::path installed = scenes::directory() / "../page";
    std::error_code ignored;
    if (std::filesystem::exists(installed / "index.html", ignored)) return installed;
    return PLIANT_BUILT_PAGE;
}

std::string file_content(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::filesystem::path> mesh_files_of(const scene::File& file) {
    std::vector<std::filesystem::path> files;
    const auto take = [&](const auto& shape) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(shape)>, scene::FileShape>) {
            for (std::filesystem::path& one : mesh_files(shape.path)) files.push_back(std::move(one));
        }
    };
    for (const scene::Body& body : file.bodies)
        std::visit([&](const auto& kind) { std::visit(take, kind.shape); }, body.kind);
    for (const scene::Collider& collider : file.colliders) {
        const auto* mesh = std::get_if<SolidMesh>(&collider.collider.shape);
        if (!mesh) continue;
        if (!mesh->source.file.empty()) files.emplace_back(mesh->source.file);
        files.insert(files.end(), mesh->source.poses.begin(), mesh->source.poses.end());
    }
    return files;
}

Result<std::string> live_page(const scene::File& scene, const std::string& name,
                              const std::filesystem::path& directory,
                              const std::vector<std::string>& changes) {
    const std::filesystem::path file = page_folder() / "demo.html";
    std::string page = file_content(file);
    constexpr std::string_view mark = "\"{{scenes}}\"";
    const std::size_t at = page.find(mark);
    if (at == std::string::npos)
        return Error{file.string(), "./demo --web builds the page on which it runs live"};
    // A family has no bodies in its file: the engine makes them of the name and the changes.
    const bool family = scene.bodies.empty();
    using output::json_text;
    const auto mesh_json = [&](const std::filesystem::path& mesh) {
        const std::string content = file_content(directory / mesh);
        return fmt::format(R"({{"path":{},"content":"{}"}})", json_text(mesh.string()),
                           output::base64(std::span<const char>(content)));
    };
    const std::string entry =
        fmt::format(R"([{{"name":{},"about":{},"text":{},"changes":{},"meshes":{}}}])", json_text(name),
                    json_text(scene.about), json_text(family ? "" : pliant::to_json(scene)),
                    output::json_list(family ? changes : std::vector<std::string>(), json_text),
                    output::json_list(mesh_files_of(scene), mesh_json));
    return page.replace(at, mark.size(), entry);
}

}  // namespace pliant::app
