#include "engine/drawing.h"

#include <pliant/embedding.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/convert.h"
#include "base/rotation.h"
#include "output/picture/palette.h"
#include "output/picture/round_shapes.h"

namespace pliant::web {
namespace {

json::Value count(std::size_t n) { return json::make_number(static_cast<long long>(n)); }

template <class... Numbers>
json::Value list(Numbers... numbers) {
    json::Value items = json::make_list();
    (items.items.push_back(json::make_number(static_cast<double>(numbers))), ...);
    return items;
}
json::Value list(const Vec3& v) { return list(v.x, v.y, v.z); }
json::Value list(const Vec3d& v) { return list(v.x, v.y, v.z); }
json::Value list(const Triangle& t) { return list(t[0], t[1], t[2]); }
json::Value list(const output::Color& c) { return list(c.red, c.green, c.blue); }

template <class Elements>
json::Value flat(const Elements& elements) {
    json::Value items = json::make_list();
    for (const auto& element : elements) {
        for (json::Value& number : list(element).items) items.items.push_back(std::move(number));
    }
    return items;
}

// From sRGB, about: light is added in linear colours.
float linear(float channel) { return std::pow(channel, 2.2f); }

// Numbers that count something, as values from 0.1 to 1: neighbours are far apart, nothing (-1) is 0. Steps
// of the golden ratio fill the range evenly.
float apart(float number) {
    if (number < 0) return 0;
    const double turns = double(number) * 0.6180339887498949;
    return static_cast<float>(0.1 + 0.9 * (turns - std::floor(turns)));
}

const char* name_of(output::Finish finish) {
    switch (finish) {
        case output::Finish::jelly:
            return "jelly";
        case output::Finish::cloth:
            return "cloth";
        case output::Finish::matte:
            break;
    }
    return "matte";
}

// Ropes are round and smooth. Hair is drawn with three sides, and beyond so many points not every strand.
constexpr std::size_t most_round_points = 4000, most_strand_points = 60'000;

// Through the points as they are, with three sides and open ends.
output::Tube make_strand(const std::vector<Vec3>& points, float radius) {
    constexpr std::uint32_t sides = 3;
    constexpr float cosine = -0.5f, sine = 0.8660254f;  // of a third of a turn
    output::Tube tube;
    Vec3 across{0, 0, 0};
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3 along = points[std::min(i + 1, points.size() - 1)] - points[i > 0 ? i - 1 : 0];
        const float squared = dot(along, along);
        if (squared > 0) across = across - along * (dot(along, across) / squared);
        if (!(dot(across, across) > 1e-6f)) {  // the start, or a sharp bend
            const Vec3 axis =
                std::abs(along.y) * std::abs(along.y) < 0.5f * squared ? Vec3{0, 1, 0} : Vec3{1, 0, 0};
            across = cross(axis, along);
        }
        const float size = std::sqrt(dot(across, across));
        across = size > 0 ? across * (1 / size) : Vec3{0, 0, 1};
        const Vec3 up = squared > 0 ? cross(along, across) * (1 / std::sqrt(squared)) : Vec3{0, 1, 0};
        for (const Vec3& n : {across, across * cosine + up * sine, across * cosine - up * sine}) {
            tube.shape.positions.push_back(points[i] + n * radius);
            tube.shape.normals.push_back(n);
            tube.nearest.push_back(i);
        }
        if (i == 0) continue;
        const auto now = static_cast<std::uint32_t>(i) * sides, before = now - sides;
        for (std::uint32_t k = 0; k < sides; ++k) {
            const std::uint32_t next = (k + 1) % sides;
            tube.shape.triangles.push_back({before + k, before + next, now + next});
            tube.shape.triangles.push_back({before + k, now + next, now + k});
        }
    }
    return tube;
}

json::Value item(const char* kind, std::size_t first_vertex, const output::Color& color) {
    json::Value one = json::make_object();
    one.add("kind", json::make_string(kind));
    one.add("first_vertex", count(first_vertex));
    one.add("color", list(color));
    return one;
}

json::Value collider_mesh(const Collider& collider) {
    if (output::deforms(collider)) return {};  // among the items
    const auto surface = output::surface_of(collider);
    if (!surface) return {};  // the ground, or a wall
    json::Value mesh = json::make_object();
    mesh.add("inverted", json::make_bool(surface->inverted));
    mesh.add("positions", flat(surface->mesh.positions));
    mesh.add("normals", flat(surface->mesh.normals));
    mesh.add("triangles", flat(surface->mesh.triangles));
    return mesh;
}

}  // namespace

Drawing::Drawing(const Player& player, output::PictureOptions options, std::optional<Trait> trait)
    : maker_(player.view(), std::move(options)), trait_(trait) {
    const output::Picture first = picture_of(player);
    fill(first, player);
    describe(first, player);
    counting_ = false;
}

void Drawing::update(const Player& player) { fill(picture_of(player), player); }

output::Picture Drawing::picture_of(const Player& player) {
    if (!trait_) return maker_.make(player.view());
    std::vector<float> values = player.simulation().traits(*trait_);
    for (float& value : values) value = *trait_ == Trait::contact ? value : apart(value);
    return maker_.make(player.view(), values);
}

void Drawing::fill(const output::Picture& picture, const Player& player) {
    turn_ = (turn_ + 1) % frames_.size();
    Buffers& now = frames_[turn_];
    for (auto* numbers : {&now.positions, &now.normals, &now.colors, &now.poses}) numbers->clear();
    for (const output::Surface& surface : picture.surfaces) {
        add_surface(surface);
        add_colors(surface.values, picture);
    }
    for (const output::Tubes& tubes : picture.tubes) add_tubes(tubes, picture);
    for (const output::Beads& beads : picture.beads) {
        if (counting_) {
            json::Value one = item("beads", positions().size() / 3, beads.color);
            one.add("count", count(beads.positions.size()));
            one.add("radius", json::make_number(beads.radius));
            items_.items.push_back(std::move(one));
        }
        add_vertices(beads.positions, std::vector<Vec3>(beads.positions.size()));
        add_colors(beads.values, picture);
    }
    for (const Collider& collider : player.view().colliders) {
        const auto surface = output::surface_of(collider);
        if (!surface) continue;
        if (output::deforms(collider)) {
            add_deforming(*surface, picture);
            continue;
        }
        const Vec3d& c = surface->center;
        const Quaternion& q = surface->rotation;
        for (const double number : {c.x, c.y, c.z, double(q.x), double(q.y), double(q.z), double(q.w)})
            now.poses.push_back(static_cast<float>(number));
        now.poses.push_back(surface->scale);
    }
}

void Drawing::add_vertices(const std::vector<Vec3>& positions, const std::vector<Vec3>& normals) {
    Buffers& now = frames_[turn_];
    for (const Vec3& p : positions) now.positions.insert(now.positions.end(), {p.x, p.y, p.z});
    for (const Vec3& n : normals) now.normals.insert(now.normals.end(), {n.x, n.y, n.z});
}

void Drawing::add_colors(const std::vector<float>& values, const output::Picture& picture) {
    if (!picture.scale) return;
    const double low = picture.scale->low, range = picture.scale->high - low;
    for (const float value : values) {
        const output::Color c = output::value_color((value - low) / range);
        for (const float channel : {c.red, c.green, c.blue}) frames_[turn_].colors.push_back(linear(channel));
    }
}

void Drawing::add_surface(const output::Surface& surface) {
    std::vector<Vec3> normals = surface.normals;
    if (normals.empty()) {
        normals.resize(surface.positions.size());
        (void)vertex_normals(surface.positions, *surface.triangles, normals);  // sizes agree
    }
    if (counting_) {
        json::Value one = item("surface", positions().size() / 3, surface.color);
        one.add("count", count(surface.positions.size()));
        one.add("first_index", count(indices_.size()));
        one.add("index_count", count(3 * surface.triangles->size()));
        one.add("finish", json::make_string(name_of(surface.finish)));
        one.add("faceted", json::make_bool(surface.faceted));
        items_.items.push_back(std::move(one));
        for (const Triangle& t : *surface.triangles) indices_.insert(indices_.end(), t.begin(), t.end());
    }
    add_vertices(surface.positions, normals);
}

// A mesh with poses: its vertices go to the page with every frame, as those of a body.
void Drawing::add_deforming(const output::ColliderSurface& surface, const output::Picture& picture) {
    output::Surface placed;
    for (const Vec3& p : surface.mesh.positions)
        placed.positions.push_back(to_float(surface.center + rotate(surface.rotation, to_double(p))));
    for (const Vec3& n : surface.mesh.normals)
        placed.normals.push_back(to_float(rotate(surface.rotation, to_double(n))));
    placed.triangles = std::make_shared<const std::vector<Triangle>>(surface.mesh.triangles);
    placed.color = {0.62f, 0.69f, 0.75f};
    placed.finish = output::Finish::matte;
    add_surface(placed);
    if (counting_) items_.items.back().add("collider", json::make_bool(true));
    std::vector<float>& colors = frames_[turn_].colors;
    if (picture.scale) colors.insert(colors.end(), 3 * placed.positions.size(), 0.4f);
}

void Drawing::add_tubes(const output::Tubes& tubes, const output::Picture& picture) {
    const std::size_t first = positions().size() / 3, first_index = indices_.size();
    const bool is_hair = tubes.positions.size() > most_round_points;
    const std::size_t every = (tubes.positions.size() + most_strand_points - 1) / most_strand_points;
    const float radius = tubes.radius * std::sqrt(static_cast<float>(std::max<std::size_t>(every, 1)));
    for (std::size_t strand = 0; strand < tubes.paths->size(); strand += std::max<std::size_t>(every, 1)) {
        const std::vector<std::uint32_t>& path = (*tubes.paths)[strand];
        std::vector<Vec3> points, sides;
        for (const std::uint32_t i : path) {
            points.push_back(tubes.positions[i]);
            if (!tubes.sides.empty()) sides.push_back(tubes.sides[i]);
        }
        const output::Tube tube = is_hair ? make_strand(points, radius)
                                          : output::make_tube(points, tubes.radius, {sides, tubes.thickness});
        const auto base = static_cast<std::uint32_t>(positions().size() / 3 - first);
        if (counting_) {
            for (const Triangle& t : tube.shape.triangles)
                indices_.insert(indices_.end(), {base + t[0], base + t[1], base + t[2]});
        }
        add_vertices(tube.shape.positions, tube.shape.normals);
        if (tubes.values.empty()) continue;
        std::vector<float> values;
        for (const std::size_t nearest : tube.nearest) values.push_back(tubes.values[path[nearest]]);
        add_colors(values, picture);
    }
    if (!counting_) return;
    json::Value one = item("surface", first, tubes.color);
    one.add("count", count(positions().size() / 3 - first));
    one.add("first_index", count(first_index));
    one.add("index_count", count(indices_.size() - first_index));
    one.add("finish", json::make_string("matte"));
    one.add("faceted", json::make_bool(false));
    items_.items.push_back(std::move(one));
}

void Drawing::describe(const output::Picture& picture, const Player& player) {
    layout_ = json::make_object();
    layout_.add("items", items_);
    json::Value colliders = json::make_list();
    for (const Collider& collider : player.view().colliders) {
        json::Value mesh = collider_mesh(collider);
        if (mesh.kind == json::Kind::object) colliders.items.push_back(std::move(mesh));
    }
    layout_.add("colliders", std::move(colliders));
    json::Value ground{};
    if (picture.ground) {
        ground = json::make_object();
        ground.add("point", list(picture.ground->point));
        ground.add("normal", list(picture.ground->normal));
    }
    layout_.add("ground", std::move(ground));
    json::Value camera = json::make_object();
    camera.add("position", list(picture.camera.eye));
    camera.add("target", list(picture.camera.target));
    camera.add("field_of_view", json::make_number(picture.camera.field_of_view));
    layout_.add("camera", std::move(camera));
    layout_.add("light", list(picture.light));
    json::Value stage = json::make_object();
    stage.add("low", list(picture.stage.low));
    stage.add("high", list(picture.stage.high));
    layout_.add("stage", std::move(stage));
    json::Value scale{};
    if (picture.scale && !trait_) {
        scale = json::make_object();
        scale.add("low", json::make_number(picture.scale->low));
        scale.add("high", json::make_number(picture.scale->high));
    }
    layout_.add("scale", std::move(scale));
}

}  // namespace pliant::web
