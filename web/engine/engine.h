// One running scene behind a boundary of JSON and buffers: what a page, or any other host, talks to.
#pragma once

#include <pliant/scene.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "engine/drawing.h"

namespace pliant::web {

// Every call answers with an object: {"error": {"path", "message", "text"}}, or what it has to say.
class Engine {
public:
    using Progress = std::function<bool(double share, std::string_view stage)>;

    // directory: where the files that scenes name are found. progress: of filling surfaces with tetrahedra.
    explicit Engine(std::filesystem::path directory, Execution execution = {.threads = 1},
                    Progress progress = {})
        : directory_(std::move(directory)),
          execution_(std::move(execution)),
          progress_(std::move(progress)) {}

    // changes: a JSON list of texts such as "solver/substeps=20". Without a text, the name is one of the
    // families c<N> and j<N>.
    json::Value load(const std::string& name, std::string_view text, std::string_view changes);
    // {"wireframe": true, "tetrahedra": true, "quantity": "strain"}: draws it so from now on. load() lists
    // the quantities.
    json::Value show(std::string_view options);

    json::Value step(int frames);
    json::Value reset();
    json::Value set(std::string_view path, std::string_view value);
    json::Value perform(std::string_view event);
    // Along a ray; where that meets nothing but what is drawn, such as a skin, whatever is nearest to its
    // end.
    json::Value grab(Vec3d origin, Vec3 reach);
    json::Value drag(std::uint32_t particle, Vec3d point);
    json::Value release(std::uint32_t particle);

    json::Value parameters() const;
    json::Value readings() const;
    // Where every so many-th particle of a body is: {"points": [x, y, z, …], "time": s}.
    json::Value points(std::uint32_t body, std::uint32_t stride) const;
    // From the start through all frames of the scene, and through so many at least: {"failed": [what it
    // expects and does not get], "hash": of the state after so many frames}.
    json::Value check(int frames);
    json::Value file() const;     // the scene as a file: {"text": …}
    json::Value surface() const;  // what is shown, as the text of an OBJ file: {"text": …}

    const Drawing* drawing() const { return drawing_ ? &*drawing_ : nullptr; }

private:
    json::Value described() const;
    void draw();

    struct RestEdge {
        std::uint32_t a = 0, b = 0;
        float length = 0;  // m, at the start
    };

    std::filesystem::path directory_;
    Execution execution_;
    Progress progress_;
    std::vector<RestEdge> edges_;  // of surfaces, ropes and links
    std::optional<Trait> trait_;
    std::optional<Player> player_;
    std::optional<Drawing> drawing_;
    output::PictureOptions options_;
};

json::Value catalog_json();
// Of a surface in a file: its bounds and faults, {"low", "high", "report": [sentences]}.
json::Value measure(const std::string& file);

}  // namespace pliant::web
