#include "engine/engine.h"

#include <pliant/catalog.h>
#include <pliant/mesh_io.h>
#include <pliant/mesh_report.h>
#include <pliant/version.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "base/format.h"
#include "scenes/scenes.h"

namespace pliant::web {
namespace {

json::Value answer() { return json::make_object(); }

json::Value failure(const Error& error) {
    json::Value inner = json::make_object(), outer = json::make_object();
    inner.add("path", json::make_string(error.path));
    inner.add("message", json::make_string(error.message));
    inner.add("text", json::make_string(error.text()));
    outer.add("error", std::move(inner));
    return outer;
}

json::Value answer(const Status& status) { return status ? answer() : failure(status.error()); }

Error nothing_loaded() { return {"", "no scene is loaded"}; }

json::Value number(std::uint64_t n) { return json::make_number(static_cast<long long>(n)); }

json::Value point(const Vec3& p) {
    json::Value items = json::make_list();
    for (const float c : {p.x, p.y, p.z}) items.items.push_back(json::make_number(c));
    return items;
}

float distance(const Vec3& a, const Vec3& b) { return std::sqrt(dot(a - b, a - b)); }

json::Value texts(const std::vector<std::string>& all) {
    json::Value items = json::make_list();
    for (const std::string& one : all) items.items.push_back(json::make_string(one));
    return items;
}

// NaN and infinity have no JSON.
json::Value reading(double value) { return std::isfinite(value) ? json::make_number(value) : json::Value{}; }

// What the scene wants to compare, as changes to it.
json::Value runs_json(const Result<Comparison>& comparison) {
    json::Value runs = json::make_list();
    if (!comparison || comparison->runs.size() < 2) return runs;
    for (const Comparison::Run& run : comparison->runs) {
        json::Value one = json::make_object();
        one.add("label", json::make_string(run.label));
        one.add("changes", texts(run.changes));
        runs.items.push_back(std::move(one));
    }
    return runs;
}

json::Value field_json(const FieldInfo& field) {
    json::Value one = json::make_object();
    one.add("name", json::make_string(field.name));
    one.add("type", json::make_string(field.type));
    one.add("unit", json::make_string(field.unit));
    one.add("default", json::make_string(field.default_value));
    one.add("range", json::make_string(field.range));
    one.add("summary", json::make_string(field.summary));
    if (field.numbers) {
        one.add("low", json::make_number(field.numbers->low));
        one.add("high", json::make_number(field.numbers->high));
        one.add("low_excluded", json::make_bool(field.numbers->low_excluded));
    }
    one.add("choices", texts(field.choices));
    return one;
}

Result<std::vector<std::string>> read_changes(std::string_view text) {
    const auto json = json::parse(text, "changes");
    if (!json) return json.error();
    std::vector<std::string> changes;
    for (const json::Value& item : json->items) changes.push_back(item.text);
    return changes;
}

// Without a text, one of the families c<N> and j<N>.
Result<Scene> read_scene(const std::string& name, std::string_view text, const SceneSource& source) {
    if (text.empty()) {
        if (auto family = scenes::load_family(name, source.changes)) return std::move(*family);
    }
    return parse_scene(text, source);
}

output::PictureOptions picture_options(const Scene& scene) {
    output::PictureOptions options;
    if (const auto& camera = scene.file.camera)
        options.camera = output::Camera{camera->position, camera->target, camera->field_of_view};
    if (scene.file.light) options.light = scene.file.light->direction;
    for (const scene::Body& body : scene.file.bodies) {
        const auto& c = body.color;
        options.colors.push_back(c ? std::optional(output::Color{c->x, c->y, c->z}) : std::nullopt);
    }
    return options;
}

// What colours may mean: a quantity of pictures, or a trait that the solver tells.
struct Shown {
    const char* name;
    output::Quantity quantity = output::Quantity::given;
    std::optional<Trait> trait{};
};
const std::array<Shown, 6> all_shown{{{"strain", output::Quantity::strain, {}},
                                      {"speed", output::Quantity::speed, {}},
                                      {"contacts", output::Quantity::given, Trait::contact},
                                      {"subdomains", output::Quantity::given, Trait::subdomain},
                                      {"blocks", output::Quantity::given, Trait::block},
                                      {"coarse level", output::Quantity::given, Trait::level}}};

std::string hash_of(const Simulation& simulation) { return fmt::format("{:016x}", simulation.state_hash()); }

bool is_true(const json::Value* value) { return value && value->boolean; }

}  // namespace

json::Value Engine::load(const std::string& name, std::string_view text, std::string_view changes) {
    const auto read = read_changes(changes);
    if (!read) return failure(read.error());
    auto scene = read_scene(name, text, {name, directory_, *read, progress_});
    if (!scene) return failure(scene.error());
    auto player = Player::create(std::move(*scene), execution_);
    if (!player) return failure(player.error());
    drawing_.reset();
    player_ = std::move(*player);
    options_ = picture_options(player_->scene());
    trait_.reset();
    const View view = player_->view();
    edges_.clear();
    const auto take = [&](std::span<const Edge> pairs) {
        for (const auto& [a, b] : pairs)
            edges_.push_back({a, b, distance(view.positions[a], view.positions[b])});
    };
    take(unique_edges(view.triangles));
    take(view.lines);
    draw();
    return described();
}

void Engine::draw() { drawing_.emplace(*player_, options_, trait_); }

json::Value Engine::described() const {
    json::Value all = answer();
    const scene::File& file = player_->scene().file;
    all.add("about", json::make_string(file.about));
    all.add("frames", number(static_cast<std::uint64_t>(file.frames)));
    const Result<Comparison> comparison = compare(file.compare);
    all.add("runs", runs_json(comparison));
    all.add("columns", number(comparison ? static_cast<std::uint64_t>(comparison->columns) : 1));
    all.add("warnings", texts(player_->scene().warnings));
    all.add("threads", number(static_cast<std::uint64_t>(player_->simulation().threads())));
    json::Value quantities = json::make_list();
    for (const Shown& one : all_shown) quantities.items.push_back(json::make_string(one.name));
    all.add("quantities", std::move(quantities));
    all.add("target", json::make_string(player_->simulation().target()));
    all.add("version", json::make_string(version));
    all.add("time_step", json::make_number(player_->simulation().settings().time_step));
    json::Value bodies = json::make_list();
    for (const BodyView& body : player_->view().bodies) bodies.items.push_back(json::make_string(body.name));
    all.add("bodies", std::move(bodies));
    all.add("layout", drawing_->layout());
    return all;
}

json::Value Engine::show(std::string_view text) {
    if (!player_) return failure(nothing_loaded());
    const auto json = json::parse(text, "options");
    if (!json) return failure(json.error());
    options_.wireframe = is_true(json->find("wireframe"));
    options_.tetrahedra = is_true(json->find("tetrahedra"));
    const json::Value* quantity = json->find("quantity");
    options_.quantity = output::Quantity::none;
    trait_.reset();
    for (const Shown& one : all_shown) {
        if (!quantity || quantity->text != one.name) continue;
        options_.quantity = one.quantity;
        trait_ = one.trait;
    }
    // Strain counts from the start.
    const auto now = player_->simulation().save();
    player_->simulation().reset();
    draw();
    if (const Status status = player_->simulation().restore(now); !status) return failure(status.error());
    drawing_->update(*player_);
    return described();
}

json::Value Engine::step(int frames) {
    if (!player_) return failure(nothing_loaded());
    for (int i = 0; i < frames; ++i) {
        if (const Status status = player_->step(); !status) return failure(status.error());
    }
    drawing_->update(*player_);
    return answer();
}

json::Value Engine::reset() {
    if (!player_) return failure(nothing_loaded());
    if (const Status status = player_->reset(); !status) return failure(status.error());
    drawing_->update(*player_);
    return answer();
}

json::Value Engine::set(std::string_view path, std::string_view value) {
    if (!player_) return failure(nothing_loaded());
    const Result<Effect> effect = player_->set(path, value);
    if (!effect) return failure(effect.error());
    json::Value said = answer();
    said.add("effect", json::make_string(*effect == Effect::at_once ? "at once" : "after restart"));
    return said;
}

json::Value Engine::perform(std::string_view event) {
    if (!player_) return failure(nothing_loaded());
    const Status status = player_->perform(event);
    drawing_->update(*player_);
    return answer(status);
}

json::Value Engine::grab(Vec3d origin, Vec3 reach) {
    if (!player_) return failure(nothing_loaded());
    Simulation& simulation = player_->simulation();
    Result<std::uint32_t> particle = simulation.grab_ray(origin, reach);
    if (!particle) particle = simulation.grab({origin.x + reach.x, origin.y + reach.y, origin.z + reach.z});
    if (!particle) return failure(particle.error());
    json::Value said = answer();
    said.add("particle", number(*particle));
    said.add("point", point(player_->view().positions[*particle]));
    return said;
}

json::Value Engine::drag(std::uint32_t particle, Vec3d target) {
    if (!player_) return failure(nothing_loaded());
    return answer(player_->simulation().drag(particle, target));
}

json::Value Engine::release(std::uint32_t particle) {
    if (!player_) return failure(nothing_loaded());
    return answer(player_->simulation().release(particle));
}

json::Value Engine::parameters() const {
    if (!player_) return failure(nothing_loaded());
    json::Value all = json::make_list(), said = answer();
    for (const Parameter& parameter : player_->parameters()) {
        json::Value one = field_json(parameter.field);
        one.add("path", json::make_string(parameter.path));
        one.add("value", *json::parse(parameter.value, "value"));
        all.items.push_back(std::move(one));
    }
    said.add("parameters", std::move(all));
    return said;
}

json::Value Engine::readings() const {
    if (!player_) return failure(nothing_loaded());
    const Diagnostics now = player_->diagnostics();
    const View view = player_->view();
    json::Value said = answer();
    said.add("frame", number(view.frame));
    said.add("time", reading(view.time));
    said.add("particles", number(now.particles));
    said.add("constraints", number(now.constraints));
    said.add("kinetic_energy", reading(now.kinetic_energy));
    said.add("total_energy", reading(now.total_energy));
    said.add("volume_ratio", now.rest_volume > 0 ? reading(now.volume / now.rest_volume) : json::Value{});
    said.add("worst_error", reading(now.worst_constraint_error));
    said.add("mean_error", reading(now.mean_constraint_error));
    double stretch = 0;
    for (const RestEdge& e : edges_) {
        if (e.length > 0)
            stretch =
                std::max(stretch, double(distance(view.positions[e.a], view.positions[e.b]) / e.length) - 1);
    }
    said.add("stretch", edges_.empty() ? json::Value{} : reading(stretch));
    said.add("inverted", number(now.inverted_tetrahedra));
    said.add("repaired", number(now.repaired_particles));
    said.add("rescues", number(now.rescues));
    said.add("hash", json::make_string(hash_of(player_->simulation())));
    return said;
}

json::Value Engine::points(std::uint32_t index, std::uint32_t stride) const {
    if (!player_) return failure(nothing_loaded());
    const View view = player_->view();
    if (index >= view.bodies.size() || stride == 0) {
        return failure({"", fmt::format("body must be 0 … {} and stride at least 1, got {} and {}",
                                        view.bodies.size() - 1, index, stride)});
    }
    const BodyView& body = view.bodies[index];
    json::Value said = answer(), all = json::make_list();
    for (std::uint32_t i = 0; i < body.particle_count; i += stride) {
        const Vec3& p = view.positions[body.first_particle + i];
        for (const float c : {p.x, p.y, p.z}) all.items.push_back(json::make_number(c));
    }
    said.add("points", std::move(all));
    said.add("time", reading(view.time));
    return said;
}

json::Value Engine::check(int frames) {
    if (!player_) return failure(nothing_loaded());
    if (const Status status = player_->reset(); !status) return failure(status.error());
    json::Value said = answer();
    ExpectationChecker checker(*player_);
    const int expected = player_->scene().file.frames;
    for (int i = 0;; ++i) {
        if (i == frames) said.add("hash", json::make_string(hash_of(player_->simulation())));
        if (i == expected) said.add("failed", texts(checker.verdict(*player_)));
        if (i >= frames && i >= expected) break;
        if (const Status status = player_->step(); !status) return failure(status.error());
        checker.after_frame(*player_);
    }
    drawing_->update(*player_);
    return said;
}

json::Value Engine::file() const {
    if (!player_) return failure(nothing_loaded());
    json::Value said = answer();
    said.add("text", json::make_string(to_json(player_->scene().file)));
    return said;
}

json::Value Engine::surface() const {
    if (!drawing_) return failure(nothing_loaded());
    std::string text = "# metres\n";
    for (const json::Value& item : drawing_->layout().find("items")->items) {
        if (item.find("kind")->text != "surface") continue;
        const auto at = [&](const char* key) { return static_cast<std::size_t>(item.find(key)->number); };
        const float* x = drawing_->positions().data() + 3 * at("first_vertex");
        for (std::size_t i = 0; i < at("count"); ++i)
            text += fmt::format("v {} {} {}\n", x[3 * i], x[3 * i + 1], x[3 * i + 2]);
    }
    std::size_t before = 1;  // OBJ counts from 1
    for (const json::Value& item : drawing_->layout().find("items")->items) {
        if (item.find("kind")->text != "surface") continue;
        const auto at = [&](const char* key) { return static_cast<std::size_t>(item.find(key)->number); };
        const std::uint32_t* corner = drawing_->indices().data() + at("first_index");
        for (std::size_t i = 0; i < at("index_count"); i += 3)
            text += fmt::format("f {} {} {}\n", before + corner[i], before + corner[i + 1],
                                before + corner[i + 2]);
        before += at("count");
    }
    json::Value said = answer();
    said.add("text", json::make_string(text));
    return said;
}

json::Value measure(const std::string& file) {
    const auto read = read_surface(file);
    if (!read) return failure(read.error());
    const SurfaceReport found = report(read->mesh);
    json::Value said = answer();
    said.add("low", point(found.low));
    said.add("high", point(found.high));
    said.add("report", json::make_string(to_text(found)));
    return said;
}

json::Value catalog_json() {
    json::Value all = json::make_list(), said = answer();
    for (const TableInfo& table : catalog()) {
        json::Value one = json::make_object(), fields = json::make_list();
        one.add("name", json::make_string(table.name));
        one.add("summary", json::make_string(table.summary));
        for (const FieldInfo& field : table.fields) fields.items.push_back(field_json(field));
        one.add("fields", std::move(fields));
        all.items.push_back(std::move(one));
    }
    said.add("tables", std::move(all));
    return said;
}

}  // namespace pliant::web
