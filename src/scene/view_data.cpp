#include "scene/view_data.h"

#include <utility>
#include <variant>

#include "base/convert.h"
#include "base/format.h"

namespace pliant {
namespace {

template <class List>
std::uint32_t count_of(const List& list) {
    return static_cast<std::uint32_t>(list.size());
}

// Adds what the shapes have, one after the other.
class ViewBuilder {
public:
    explicit ViewBuilder(ViewData& data) : data_(data) {}

    void add(const Body& body, BodyView& view) {
        first_ = view.first_particle;
        view.first_line = count_of(data_.lines);
        view.first_tetrahedron = count_of(data_.tetrahedra);
        view.first_texture_coordinate = count_of(data_.texture_coordinates);
        std::visit([&](const auto& shape) { add_shape(shape, view); }, body.shape);
        view.line_count = count_of(data_.lines) - view.first_line;
        view.tetrahedron_count = count_of(data_.tetrahedra) - view.first_tetrahedron;
        view.texture_coordinate_count = count_of(data_.texture_coordinates) - view.first_texture_coordinate;
        data_.radii.insert(data_.radii.end(), view.particle_count, body.radius);
    }

private:
    void add_line(std::uint32_t a, std::uint32_t b) { data_.lines.push_back({first_ + a, first_ + b}); }

    void add_shape(const SoftBody& shape, BodyView&) {
        for (const auto& [a, b, c, d] : shape.mesh.tetrahedra) {
            data_.tetrahedra.push_back({first_ + a, first_ + b, first_ + c, first_ + d});
        }
    }
    void add_shape(const Cloth& shape, BodyView&) {
        const auto& coordinates = shape.mesh.texture_coordinates;
        auto& all = data_.texture_coordinates;
        all.insert(all.end(), coordinates.begin(), coordinates.end());
    }
    void add_shape(const Rope& shape, BodyView& view) {
        for (std::uint32_t i = 1; i < shape.positions.size(); ++i) add_line(i - 1, i);
        view.smooth_lines = true;
    }
    void add_shape(const Particles& shape, BodyView&) {
        for (const Link& link : shape.links) add_line(link.a, link.b);
    }

    ViewData& data_;
    std::uint32_t first_ = 0;
};

const std::vector<Vec3>& points_of(const Body& body) {
    struct Find {
        const std::vector<Vec3>& operator()(const SoftBody& s) const { return s.mesh.positions; }
        const std::vector<Vec3>& operator()(const Cloth& s) const { return s.mesh.positions; }
        const std::vector<Vec3>& operator()(const Rope& s) const { return s.positions; }
        const std::vector<Vec3>& operator()(const Particles& s) const { return s.positions; }
    };
    return std::visit(Find{}, body.shape);
}

void add_anchors(const Description& description, const std::vector<BodyView>& bodies, ViewData& data) {
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        const Body& body = description.bodies[b];
        const std::vector<Vec3>& points = points_of(body);
        for (const std::uint32_t i : body.pinned) {
            data.anchors.push_back({bodies[b].first_particle + i, body.position + to_double(points[i])});
        }
    }
    for (const Attachment& attachment : description.attachments) {
        if (const auto* point = std::get_if<Vec3d>(&attachment.target)) {
            const auto& [body, particle] = attachment.particle;
            data.anchors.push_back({bodies[body].first_particle + particle, *point});
        }
    }
}

Status add_skins(const Description& description, ViewData& data) {
    for (std::uint32_t b = 0; b < description.bodies.size(); ++b) {
        const TriangleMesh& skin = description.bodies[b].skin;
        if (skin.triangles.empty()) continue;
        auto embedding = embed(skin.positions, std::get<SoftBody>(description.bodies[b].shape).mesh);
        if (!embedding) return Error{fmt::format("/bodies/{}/skin", b), embedding.error().text()};
        data.skin_meshes.push_back(skin);
        data.embeddings.push_back(std::move(*embedding));
        data.skins.push_back({b, {}, {}, nullptr});
    }
    for (std::size_t i = 0; i < data.skins.size(); ++i) {
        data.skins[i].triangles = data.skin_meshes[i].triangles;
        data.skins[i].texture_coordinates = data.skin_meshes[i].texture_coordinates;
        data.skins[i].embedding = &data.embeddings[i];
    }
    return {};
}

}  // namespace

Result<ViewData> make_view_data(const Description& description, Assembly& assembly) {
    ViewData data;
    ViewBuilder builder(data);
    const Model& model = assembly.model;
    for (std::size_t b = 0; b < assembly.bodies.size(); ++b) {
        BodyView& view = assembly.bodies[b];
        builder.add(description.bodies[b], view);
        view.island = model.group_of(model.place[view.first_particle]);
    }
    add_anchors(description, assembly.bodies, data);
    if (const Status added = add_skins(description, data); !added) return added.error();
    return data;
}

std::vector<Vec3> skin_positions(const View& view, const SkinView& skin) {
    const BodyView& body = view.bodies[skin.body];
    std::vector<Vec3> points(skin.embedding->elements.size());
    skin.embedding->apply(view.positions.subspan(body.first_particle, body.particle_count), points);
    return points;
}

}  // namespace pliant
