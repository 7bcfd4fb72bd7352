#include "scene/view_data.h"

#include <utility>
#include <variant>

#include "base/convert.h"
#include "base/format.h"

namespace pliant {
namespace {

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
    for (std::size_t b = 0; b < assembly.model.bodies.size(); ++b) {
        BodyView& view = assembly.model.bodies[b];
        view.first_texture_coordinate = static_cast<std::uint32_t>(data.texture_coordinates.size());
        if (const auto* cloth = std::get_if<Cloth>(&description.bodies[b].shape)) {
            const auto& coordinates = cloth->mesh.texture_coordinates;
            data.texture_coordinates.insert(data.texture_coordinates.end(), coordinates.begin(),
                                            coordinates.end());
        }
        view.texture_coordinate_count =
            static_cast<std::uint32_t>(data.texture_coordinates.size()) - view.first_texture_coordinate;
        view.smooth_lines = std::holds_alternative<Rope>(description.bodies[b].shape);
    }
    add_anchors(description, assembly.model.bodies, data);
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
