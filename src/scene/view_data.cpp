#include "scene/view_data.h"

#include <utility>
#include <variant>

#include "base/convert.h"
#include "base/format.h"
#include "scene/bodies/all.h"

namespace pliant {
namespace {

void add_anchors(const Description& description, const std::vector<BodyView>& views, ViewData& data) {
    for (std::size_t b = 0; b < views.size(); ++b) {
        const Body& body = description.bodies[b];
        const std::vector<Vec3>& points = bodies::positions_of(body);
        for (const std::uint32_t i : body.pinned) {
            data.anchors.push_back({views[b].first_particle + i, body.position + to_double(points[i])});
        }
    }
    for (const Attachment& attachment : description.attachments) {
        if (const auto* point = std::get_if<Vec3d>(&attachment.target)) {
            const auto& [body, particle] = attachment.particle;
            data.anchors.push_back({views[body].first_particle + particle, *point});
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

Result<ViewData> make_view_data(const Description& description, const model::Model& model) {
    ViewData data;
    add_anchors(description, model.bodies, data);
    if (const Status added = add_skins(description, data); !added) return added.error();
    return data;
}

std::vector<Vec3> skin_positions(const View& view, const SkinView& skin) {
    const BodyView& body = view.bodies[skin.body];
    std::vector<Vec3> points(skin.embedding->elements.size());
    const Status applied =
        skin.embedding->apply(view.positions.subspan(body.first_particle, body.particle_count), points);
    PLIANT_ASSERT(applied);  // of another view
    if (!applied) points.clear();
    return points;
}

}  // namespace pliant
