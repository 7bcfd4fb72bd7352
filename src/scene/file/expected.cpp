#include "scene/file/expected.h"

#include "base/convert.h"
#include "base/format.h"
#include "scene/file/names.h"

namespace pliant {

std::optional<Error> check_picture(const scene::File& file) {
    if (file.light) {
        const Vec3d d = to_double(file.light->direction);
        const JsonPath root, path = root / "light";
        if (!(dot(d, d) > 0)) return (path / "direction").error("must not have length 0");
    }
    if (file.camera && file.camera->position == file.camera->target) {
        const JsonPath root, path = root / "camera";
        return (path / "target").error("must not be where the camera is");
    }
    return {};
}

std::optional<Error> check_expectations(const scene::File& file) {
    const JsonPath root, list = root / "expect";
    for (std::size_t i = 0; i < file.expect.size(); ++i) {
        const scene::Expectation& expectation = file.expect[i];
        const JsonPath item = list / i, path = item / key_of_alternative(expectation);
        std::optional<Error> problem;
        const auto check_body = [&](const std::string& name, const JsonPath& owner) -> std::optional<Error> {
            const auto found = find_body(file, name, owner / "body");
            return found ? std::nullopt : std::optional<Error>(found.error());
        };
        if (const auto* height = std::get_if<scene::Height>(&expectation.what)) {
            problem = check_body(height->body, path);
        } else if (const auto* center = std::get_if<scene::Center>(&expectation.what)) {
            problem = check_body(center->body, path);
        } else if (const auto* spin = std::get_if<scene::Spin>(&expectation.what)) {
            problem = check_body(spin->body, path);
        } else if (const auto* stretch = std::get_if<scene::Stretch>(&expectation.what)) {
            problem = check_body(stretch->body, path);
        } else if (const auto* hash = std::get_if<scene::StateHash>(&expectation.what)) {
            const bool digits = hash->hash.find_first_not_of("0123456789abcdef") == std::string::npos;
            if (!digits || hash->hash.size() != 16) {
                problem = path.error(
                    fmt::format("must be 16 hexadecimal digits (0-9, a-f), got \"{}\"", hash->hash));
            }
        }
        if (problem) return problem;
    }
    return {};
}

}  // namespace pliant
