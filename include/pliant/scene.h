// Scenes from files, ready to be run.
#pragma once

#include <pliant/catalog.h>
#include <pliant/description.h>
#include <pliant/error.h>
#include <pliant/mesh.h>
#include <pliant/scene_file.h>
#include <pliant/simulation.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

// An event whose bodies and particles are found: particles are counted as in View::positions.
struct TimedEvent {
    double time = 0;        // s
    std::size_t index = 0;  // in the file
    decltype(scene::Event::action) action{};
    std::vector<std::uint32_t> particles{};  // of Pin and Unpin
    Elasticity original{};                   // that ChangeElasticity changes, at the start
    SoftMaterial original_material{};        // that ChangeMaterial changes, at the start
};

struct MovingAttachment {
    static constexpr std::uint32_t none = 0xffffffff;
    std::uint32_t attachment = 0;
    std::uint32_t source = 0;       // which of the file's attachments it came from
    std::uint32_t collider = none;  // whose motion it follows, instead of its own
    Vec3d start{};                  // m
    Vec3d center{};  // m, the mean of the points at the start: what they turn about; of a collider, its point
    // Of a mesh with several poses: where it rides on which triangle.
    std::uint32_t triangle = none;
    Vec3d on_triangle{};
    // Of a skeleton: the joints that carry it, and the share of each.
    std::uint32_t skeleton = none;
    std::array<std::uint32_t, 4> joints{};
    std::array<double, 4> weights{};
};

// The contents of a scene file, with shapes made, files read and names looked up.
struct Scene {
    std::string name{};  // for errors and captions: the file's name
    scene::File file{};
    Description description{};
    std::vector<TimedEvent> events{};  // in the order of time
    std::vector<MovingAttachment> moving{};
    std::vector<scene::Skeleton> skeletons{};  // the file's, with the joints of those that are in files
    std::vector<std::uint32_t> attachment_sources{};  // of each attachment, which of the file's it came from
    std::vector<std::string> warnings{};
};

struct SceneSource {
    std::string name = "scene";          // in errors
    std::filesystem::path directory{};   // where its files are
    std::vector<std::string> changes{};  // "solver/substeps=20": a path into the JSON and a value
    // Called while a surface is filled with tetrahedra, as TetrahedralizeOptions::progress is.
    std::function<bool(double share, std::string_view stage)> progress{};
};

// Errors name file, line and column: "jelly.json:7:9: /bodies/0/soft/density: must be > 0, got -1".
Result<Scene> load_scene(const std::filesystem::path& file, std::vector<std::string> changes = {});
Result<Scene> parse_scene(std::string_view text, const SceneSource& source = {});

// The file alone, without making any shapes.
Result<scene::File> load_scene_file(const std::filesystem::path& file);

// Runs of one scene beside each other in a picture, row after row.
struct Comparison {
    struct Run {
        std::vector<std::string> changes{};  // as in SceneSource
        std::string label{};                 // "method pbd, iterations 5"
    };
    int rows = 1, columns = 1;
    std::vector<Run> runs{};
};

// Of up to two lists, "solver/iterations=1,5,20": every value of one (a row) with every value of the last
// (a column). Of none: the scene as it is.
Result<Comparison> compare(std::span<const std::string> lists);

// The same scene as JSON, without values that equal their defaults.
std::string to_json(const scene::File& file);

// The JSON Schema (draft 2020-12) of scene files.
std::string scene_schema();

// A value of a scene that a person may set: a slider, a few numbers, a choice.
struct Parameter {
    std::string path{};   // "/bodies/0/soft/young_modulus"
    std::string value{};  // as JSON
    FieldInfo field{};    // its default is empty
};

// When a value that was set counts.
enum class Effect {
    at_once,
    after_restart,  // it is in range, but the scene must be loaded with it: see SceneSource::changes
};

// Runs a scene: its simulation, and its events and motions frame by frame. The same every time.
class Player {
public:
    static Result<Player> create(Scene scene, const Execution& execution = {});

    Player(Player&&) noexcept;
    Player& operator=(Player&&) noexcept;
    ~Player();

    Status step();   // one frame; an Error names the event that failed
    Status reset();  // back to the start, with all that events had changed; values that were set stay

    // All values of solver, bodies, attachments and colliders that mean something beside each other.
    std::vector<Parameter> parameters() const;
    // set("/solver/substeps", "20"): a value of the scene's file, as JSON.
    Result<Effect> set(std::string_view path, std::string_view value);
    // An event of scene files, now and without "time": {"squash": {"body": "jelly", "height": 0.01}}
    Status perform(std::string_view event);

    const Scene& scene() const;
    Simulation& simulation();
    const Simulation& simulation() const;
    View view() const { return simulation().view(); }
    Diagnostics diagnostics() const { return simulation().diagnostics(); }

private:
    struct Implementation;
    explicit Player(std::unique_ptr<Implementation> implementation);
    std::unique_ptr<Implementation> implementation_;
};

// Checks the expectations of a scene while it runs.
class ExpectationChecker {
public:
    explicit ExpectationChecker(const Player& player);

    void after_frame(const Player& player);  // checks those of every frame
    // The expectations that failed, in any frame or now, in words; empty if all is well.
    std::vector<std::string> verdict(const Player& player) const;

private:
    std::string failure(const Player& player, const Diagnostics& now, std::size_t index) const;

    double start_energy_ = 0;
    std::vector<Vec3> start_positions_;
    std::map<std::size_t, std::string> failures_;  // the first of each expectation
};

}  // namespace pliant
