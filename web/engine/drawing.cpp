#include "engine/drawing.h"

#include <pliant/embedding.h>

#include <cmath>

#include "output/picture/collider_surfaces.h"
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

json::Value item(const char* kind, std::size_t first_vertex, const output::Color& color) {
    json::Value one = json::make_object();
    one.add("kind", json::make_string(kind));
    one.add("first_vertex", count(first_vertex));
    one.add("color", list(color));
    return one;
}

json::Value collider_mesh(const Collider& collider) {
    const auto surface = output::surface_of(collider.shape);
    if (!surface) return {};  // the ground, or a wall
    json::Value mesh = json::make_object();
    mesh.add("positions", flat(surface->mesh.positions));
    mesh.add("normals", flat(surface->mesh.normals));
    mesh.add("triangles", flat(surface->mesh.triangles));
    return mesh;
}

}  // namespace

Drawing::Drawing(const Player& player, output::PictureOptions options)
    : maker_(player.view(), std::move(options)) {
    const output::Picture first = maker_.make(player.view());
    fill(first, player);
    describe(first, player);
    counting_ = false;
}

void Drawing::update(const Player& player) { fill(maker_.make(player.view()), player); }

void Drawing::fill(const output::Picture& picture, const Player& player) {
    positions_.clear();
    normals_.clear();
    colors_.clear();
    poses_.clear();
    for (const output::Surface& surface : picture.surfaces) {
        add_surface(surface);
        add_colors(surface.values, picture);
    }
    for (const output::Tubes& tubes : picture.tubes) add_tubes(tubes, picture);
    for (const output::Beads& beads : picture.beads) {
        if (counting_) {
            json::Value one = item("beads", positions_.size() / 3, beads.color);
            one.add("count", count(beads.positions.size()));
            one.add("radius", json::make_number(beads.radius));
            items_.items.push_back(std::move(one));
        }
        add_vertices(beads.positions, std::vector<Vec3>(beads.positions.size()));
        add_colors(beads.values, picture);
    }
    for (const Collider& collider : player.view().colliders) {
        const auto surface = output::surface_of(collider.shape);
        if (!surface) continue;
        const Vec3d& c = surface->center;
        const Quaternion& q = surface->rotation;
        for (const double number : {c.x, c.y, c.z, double(q.x), double(q.y), double(q.z), double(q.w)})
            poses_.push_back(static_cast<float>(number));
        poses_.push_back(surface->scale);
    }
}

void Drawing::add_vertices(const std::vector<Vec3>& positions, const std::vector<Vec3>& normals) {
    for (const Vec3& p : positions) positions_.insert(positions_.end(), {p.x, p.y, p.z});
    for (const Vec3& n : normals) normals_.insert(normals_.end(), {n.x, n.y, n.z});
}

void Drawing::add_colors(const std::vector<float>& values, const output::Picture& picture) {
    if (!picture.scale) return;
    const double low = picture.scale->low, range = picture.scale->high - low;
    for (const float value : values) {
        const output::Color c = output::value_color((value - low) / range);
        for (const float channel : {c.red, c.green, c.blue}) colors_.push_back(linear(channel));
    }
}

void Drawing::add_surface(const output::Surface& surface) {
    std::vector<Vec3> normals = surface.normals;
    if (normals.empty()) {
        normals.resize(surface.positions.size());
        (void)vertex_normals(surface.positions, *surface.triangles, normals);  // sizes agree
    }
    if (counting_) {
        json::Value one = item("surface", positions_.size() / 3, surface.color);
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

void Drawing::add_tubes(const output::Tubes& tubes, const output::Picture& picture) {
    const std::size_t first = positions_.size() / 3, first_index = indices_.size();
    for (const std::vector<std::uint32_t>& path : *tubes.paths) {
        std::vector<Vec3> points;
        for (const std::uint32_t i : path) points.push_back(tubes.positions[i]);
        const output::Tube tube = output::make_tube(points, tubes.radius);
        const auto base = static_cast<std::uint32_t>(positions_.size() / 3 - first);
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
    one.add("count", count(positions_.size() / 3 - first));
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
}

}  // namespace pliant::web
