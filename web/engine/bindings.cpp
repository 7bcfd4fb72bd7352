// The engine as functions of plain C: texts are UTF-8, answers are JSON and live until the next call.
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <string_view>

#include "base/parallel.h"
#include "engine/engine.h"

#if defined(__EMSCRIPTEN__)
#include <emscripten/emscripten.h>
#define PLIANT_EXPORT EMSCRIPTEN_KEEPALIVE
#else
#define PLIANT_EXPORT
#endif

namespace {

// Several scenes may run beside each other; those who call choose one, then talk to it.
std::map<int, pliant::web::Engine> engines;
int chosen = 0;
std::string answer;

// Without exceptions operator new would give a null pointer, which the engine would write to.
[[maybe_unused]] const std::new_handler none_before = std::set_new_handler([] { std::abort(); });

#if defined(__EMSCRIPTEN__)
// clang-format off
EM_JS(void, tell_progress, (double share, const char* stage), {
    if (Module["progress"]) Module["progress"](share, UTF8ToString(stage));
});
// clang-format on
#else
void tell_progress(double, const char*) {}
#endif

bool on_progress(double share, std::string_view stage) {
    tell_progress(share, std::string(stage).c_str());
    return true;
}

// One team for all scenes: a page cannot start threads in the middle of a call.
pliant::Execution execution{.threads = 1};

pliant::web::Engine& engine() {
    return engines.try_emplace(chosen, "/scenes", execution, on_progress).first->second;
}

const char* say(const pliant::json::Value& value) {
    answer = pliant::json::print_compact(value);
    return answer.c_str();
}

}  // namespace

extern "C" {

// Of scenes that are loaded for the first time from now on.
PLIANT_EXPORT void pliant_threads(int count) {
    const auto team = std::make_shared<pliant::Executor>(count, pliant::ThreadRunner{});
    execution.threads = count;
    execution.runner = [team](int items, const std::function<void(int)>& job) {
        team->for_each(static_cast<std::size_t>(items), [&](std::size_t i) { job(static_cast<int>(i)); });
    };
}
PLIANT_EXPORT void pliant_choose(int scene) { chosen = scene; }
PLIANT_EXPORT void pliant_forget(int scene) { engines.erase(scene); }

PLIANT_EXPORT const char* pliant_load(const char* name, const char* text, const char* changes) {
    return say(engine().load(name, text, changes));
}
PLIANT_EXPORT const char* pliant_show(const char* options) { return say(engine().show(options)); }
PLIANT_EXPORT const char* pliant_step(int frames) { return say(engine().step(frames)); }
PLIANT_EXPORT const char* pliant_reset() { return say(engine().reset()); }
PLIANT_EXPORT const char* pliant_set(const char* path, const char* value) {
    return say(engine().set(path, value));
}
PLIANT_EXPORT const char* pliant_perform(const char* event) { return say(engine().perform(event)); }
PLIANT_EXPORT const char* pliant_grab(double x, double y, double z, double dx, double dy, double dz) {
    return say(engine().grab({x, y, z}, {float(dx), float(dy), float(dz)}));
}
PLIANT_EXPORT const char* pliant_drag(std::uint32_t particle, double x, double y, double z) {
    return say(engine().drag(particle, {x, y, z}));
}
PLIANT_EXPORT const char* pliant_release(std::uint32_t particle) { return say(engine().release(particle)); }
PLIANT_EXPORT const char* pliant_parameters() { return say(engine().parameters()); }
PLIANT_EXPORT const char* pliant_readings() { return say(engine().readings()); }
PLIANT_EXPORT const char* pliant_points(std::uint32_t body, std::uint32_t stride) {
    return say(engine().points(body, stride));
}
PLIANT_EXPORT const char* pliant_check(int frames) { return say(engine().check(frames)); }
PLIANT_EXPORT const char* pliant_file() { return say(engine().file()); }
PLIANT_EXPORT const char* pliant_surface() { return say(engine().surface()); }
PLIANT_EXPORT const char* pliant_measure(const char* file) { return say(pliant::web::measure(file)); }
PLIANT_EXPORT const char* pliant_catalog() { return say(pliant::web::catalog_json()); }
PLIANT_EXPORT const char* pliant_schema() {
    answer = pliant::scene_schema();
    return answer.c_str();
}

// Buffers of the frame that is shown; they may move with every call.
PLIANT_EXPORT const float* pliant_positions() { return engine().drawing()->positions().data(); }
PLIANT_EXPORT std::size_t pliant_position_count() { return engine().drawing()->positions().size(); }
PLIANT_EXPORT const float* pliant_normals() { return engine().drawing()->normals().data(); }
PLIANT_EXPORT const float* pliant_colors() { return engine().drawing()->colors().data(); }
PLIANT_EXPORT std::size_t pliant_color_count() { return engine().drawing()->colors().size(); }
PLIANT_EXPORT const float* pliant_poses() { return engine().drawing()->poses().data(); }
PLIANT_EXPORT std::size_t pliant_pose_count() { return engine().drawing()->poses().size(); }
PLIANT_EXPORT const std::uint32_t* pliant_indices() { return engine().drawing()->indices().data(); }
PLIANT_EXPORT std::size_t pliant_index_count() { return engine().drawing()->indices().size(); }

}  // extern "C"
