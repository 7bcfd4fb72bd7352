// Scene files read and written.
#include <pliant/scene.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>

#include "base/floating_point.h"
#include "scene/file/resolve.h"
#include "scene/file/write_fields.h"

namespace pliant {
namespace {

constexpr std::uintmax_t largest_file = 256u << 20;

// Follows the path, and makes objects where there is nothing yet.
Result<json::Value*> follow(json::Value& root, std::string_view path, const std::string& change) {
    json::Value* value = &root;
    if (path.starts_with('/')) path.remove_prefix(1);  // as errors write it
    while (!path.empty()) {
        const std::string_view step = path.substr(0, path.find('/'));
        path.remove_prefix(step.size() < path.size() ? step.size() + 1 : step.size());
        if (step.empty()) return Error{"change " + change, "a name is missing in the path"};
        if (value->kind == json::Kind::list) {
            std::size_t index = 0;
            const auto [rest, error] = std::from_chars(step.data(), step.data() + step.size(), index);
            if (error != std::errc{} || rest != step.data() + step.size() || index >= value->items.size()) {
                return Error{"change " + change,
                             fmt::format("\"{}\" must be an index below {}", step, value->items.size())};
            }
            value = &value->items[index];
        } else if (json::Value* inner = value->find(step)) {
            value = inner;
        } else if (value->kind == json::Kind::null && step.find_first_not_of("0123456789") == step.npos) {
            return Error{"change " + change,
                         "the file does not say this list, so set all of it, as solver/gravity=[0, -5, 0]"};
        } else if (value->kind == json::Kind::object || value->kind == json::Kind::null) {
            value = &value->add(std::string(step), json::Value{});
        } else {
            return Error{"change " + change,
                         fmt::format("there is nothing called \"{}\" in {}", step, json::describe(*value))};
        }
    }
    return value;
}

Status apply(json::Value& root, const std::string& change) {
    const std::size_t equals = change.find('=');
    if (equals == 0 || equals == std::string::npos) {
        return Error{"change " + change, "must be a path and a value, such as solver/substeps=20"};
    }
    const std::string text = change.substr(equals + 1);
    const auto target = follow(root, std::string_view(change).substr(0, equals), change);
    if (!target) return target.error();
    auto value = json::parse(text, "change");
    **target = value ? std::move(*value) : json::make_string(text);  // xpbd needs no quotes
    (*target)->position = {};
    return {};
}

// Adds file, line and column to an Error whose place is a path.
Error located(Error error, const json::Value& root, const std::string& name) {
    const json::Position position = json::locate(root, error.path);
    const std::string place = error.path.empty() ? "" : ": " + error.path;
    error.path = position.line > 0 ? fmt::format("{}:{}:{}{}", name, position.line, position.column, place)
                                   : fmt::format("{} with its changes{}", name, place);
    return error;
}

Result<std::string> read_text(const std::filesystem::path& file) {
    std::error_code code;
    const std::string name = file.string();
    if (std::filesystem::is_directory(file, code)) return Error{name, "is a directory, not a scene file"};
    errno = 0;
    std::ifstream stream(file, std::ios::binary);
    std::string text;
    std::vector<char> piece(1 << 16);
    while (stream.good() && text.size() <= largest_file) {  // a pipe does not tell its size
        stream.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        text.append(piece.data(), static_cast<std::size_t>(stream.gcount()));
    }
    if (!stream.is_open() || stream.bad()) {
        return Error{name, fmt::format("cannot be read: {}", std::strerror(errno ? errno : EIO))};
    }
    if (text.size() > largest_file)
        return Error{name, fmt::format("is larger than {} MB", largest_file >> 20)};
    return text;
}

// With its changes applied.
Result<json::Value> parse_changed(std::string_view text, const SceneSource& source) {
    auto root = json::parse(text, source.name);
    if (!root) return root;
    for (const std::string& change : source.changes) {
        if (const Status status = apply(*root, change); !status) return status.error();
    }
    return root;
}

Problem read_file(const json::Value& root, scene::File& file) {
    return FieldReader(file).read(root, file, {}, ranges::any);
}

// The runs that the file wants to compare must be as right as itself.
Problem check_comparison(const json::Value& root, const scene::File& file) {
    const auto comparison = compare(file.compare);
    if (!comparison) return comparison.error();
    for (const Comparison::Run& run : comparison->runs) {
        if (run.changes.empty()) continue;  // the file as it is
        json::Value changed = root;
        for (const std::string& change : run.changes) {
            if (const Status status = apply(changed, change); !status)
                return Error{"/compare", status.error().text()};
        }
        scene::File other;
        if (const Problem problem = read_file(changed, other))
            return Error{"/compare", fmt::format("{}: {}", run.label, problem->text())};
    }
    return {};
}

}  // namespace

Result<Scene> parse_scene(std::string_view text, const SceneSource& source) {
    const StandardFloatingPoint floating_point;
    const auto root = parse_changed(text, source);
    if (!root) return root.error();
    Scene scene;
    scene.name = source.name;
    if (auto error = read_file(*root, scene.file)) return located(*error, *root, source.name);
    if (auto error = check_comparison(*root, scene.file)) return located(*error, *root, source.name);
    if (auto error = resolve(scene, source)) return located(*error, *root, source.name);
    return scene;
}

Result<Scene> load_scene(const std::filesystem::path& file, std::vector<std::string> changes) {
    const auto text = read_text(file);
    if (!text) return text.error();
    return parse_scene(*text, {file.string(), file.parent_path(), std::move(changes)});
}

Result<scene::File> load_scene_file(const std::filesystem::path& file) {
    const StandardFloatingPoint floating_point;
    const auto text = read_text(file);
    if (!text) return text.error();
    const auto root = json::parse(*text, file.string());
    if (!root) return root.error();
    scene::File content;
    if (auto error = read_file(*root, content)) return located(*error, *root, file.string());
    return content;
}

std::string to_json(const scene::File& file) {
    const StandardFloatingPoint floating_point;
    return json::print(FieldWriter(file).write(file));
}

}  // namespace pliant
