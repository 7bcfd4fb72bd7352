#include "output/picture_maker.h"

#include "output/palette.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>
#include <variant>

namespace pliant::output {
namespace {

float distance(Vec3 a, Vec3 b) { return std::sqrt(dot(a - b, a - b)); }

bool is_held(const Description& description, std::size_t body) {
    return !description.bodies[body].pinned.empty() ||
           std::any_of(description.attachments.begin(), description.attachments.end(),
                       [&](const Attachment& a) { return a.particle.body == body; });
}

// The particles that the elements use, and the elements again with places among those.
template <class Element>
std::vector<std::uint32_t> gather(std::vector<Element>& elements) {
    std::vector<std::uint32_t> used;
    for (const Element& element : elements) used.insert(used.end(), element.begin(), element.end());
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    for (Element& element : elements) {
        for (std::uint32_t& i : element) {
            i = static_cast<std::uint32_t>(std::lower_bound(used.begin(), used.end(), i) - used.begin());
        }
    }
    return used;
}

std::vector<Edge> edges_of(const Body& body) {
    if (const auto* soft = std::get_if<SoftBody>(&body.shape)) return unique_edges(soft->mesh.tetrahedra);
    if (const auto* cloth = std::get_if<Cloth>(&body.shape)) return unique_edges(cloth->mesh.triangles);
    std::vector<Edge> edges;
    if (const auto* rope = std::get_if<Rope>(&body.shape)) {
        for (std::uint32_t i = 1; i < rope->positions.size(); ++i) edges.push_back({i - 1, i});
    }
    if (const auto* particles = std::get_if<Particles>(&body.shape)) {
        for (const Link& link : particles->links) edges.push_back({link.a, link.b});
    }
    return edges;
}

// Four corners each, drawn towards the middle.
Surface shrunken(const std::vector<Vec3>& positions, const std::vector<float>& values,
                 const std::vector<Tetrahedron>& tetrahedra) {
    constexpr float size = 0.82f;
    Surface surface;
    auto triangles = std::make_shared<std::vector<Triangle>>();
    for (const Tetrahedron& t : tetrahedra) {
        const Vec3 middle = (positions[t[0]] + positions[t[1]] + positions[t[2]] + positions[t[3]]) * 0.25f;
        const auto base = static_cast<std::uint32_t>(surface.positions.size());
        for (const std::uint32_t corner : t) {
            surface.positions.push_back(middle + (positions[corner] - middle) * size);
            if (!values.empty()) surface.values.push_back(values[corner]);
        }
        for (const Triangle& face :
             {Triangle{1, 2, 3}, Triangle{0, 3, 2}, Triangle{0, 1, 3}, Triangle{0, 2, 1}}) {
            triangles->push_back({base + face[0], base + face[1], base + face[2]});
        }
    }
    surface.triangles = std::move(triangles);
    surface.faceted = true;
    return surface;
}

}  // namespace

PictureMaker::PictureMaker(const Description& description, const View& start, PictureOptions options)
    : options_(std::move(options)),
      colliders_(description.colliders),
      ground_(ground_of(description.colliders)),
      camera_(expected_bounds(description), options_.aspect, options_.direction) {
    for (std::size_t b = 0; b < start.bodies.size() && b < description.bodies.size(); ++b) {
        add_body(description, b, start);
    }
    // What hangs somewhere has a floor below it, on which its shadow falls. What falls forever has none.
    bool held = !description.bodies.empty();
    for (std::size_t b = 0; b < description.bodies.size(); ++b) held = held && is_held(description, b);
    const Bounds stage = camera_.stage();
    if (!ground_ && held && !stage.empty()) {
        const Vec3d middle = stage.center();
        ground_ = Plane{{middle.x, stage.low.y - 0.08 * stage.diagonal(), middle.z}, {0, 1, 0}};
        imaginary_ground_ = true;
    }
}

void PictureMaker::add_body(const Description& description, std::size_t index, const View& start) {
    const Body& body = description.bodies[index];
    const BodyView& view = start.bodies[index];
    Part part;
    const bool chosen = index < options_.colors.size() && options_.colors[index];
    part.color = chosen ? *options_.colors[index] : body_color(index);
    if (options_.quantity == Quantity::strain) add_rest_edges(body, view, start);

    const auto* soft = std::get_if<SoftBody>(&body.shape);
    if (soft != nullptr && options_.tetrahedra) {
        part.tetrahedra = soft->mesh.tetrahedra;
        part.particles = gather(part.tetrahedra);
        for (std::uint32_t& i : part.particles) i += view.first_particle;
        part.finish = Finish::matte;
        parts_.push_back(std::move(part));
        return;
    }
    if (soft != nullptr && index < options_.skins.size() && options_.skins[index] && !options_.wireframe) {
        part.skin = options_.skins[index];
        part.particles.resize(view.particle_count);
        std::iota(part.particles.begin(), part.particles.end(), view.first_particle);
        part.triangles = {part.skin.surface, &part.skin.surface->triangles};
        part.finish = Finish::jelly;
        parts_.push_back(std::move(part));
        return;
    }
    if (view.triangle_count > 0) {
        const auto first = start.triangles.begin() + view.first_triangle;
        std::vector<Triangle> triangles(first, first + view.triangle_count);
        part.particles = gather(triangles);
        part.triangles = std::make_shared<const std::vector<Triangle>>(std::move(triangles));
        part.finish = soft != nullptr ? Finish::jelly : Finish::cloth;
        parts_.push_back(std::move(part));
        return;
    }
    std::vector<std::vector<std::uint32_t>> paths;
    float shortest = 0, longest = 0;
    const std::vector<Edge> edges = edges_of(body);
    for (const auto& [a, b] : edges) {
        const float length =
            distance(start.positions[view.first_particle + a], start.positions[view.first_particle + b]);
        shortest = paths.empty() ? length : std::min(shortest, length);
        longest += length;
        paths.push_back({a, b});
    }
    for (std::uint32_t i = 0; i < view.particle_count; ++i) part.particles.push_back(view.first_particle + i);
    const float across = static_cast<float>(camera_.stage().diagonal());
    if (std::holds_alternative<Rope>(body.shape)) {
        std::vector<std::uint32_t> whole(view.particle_count);
        for (std::uint32_t i = 0; i < view.particle_count; ++i) whole[i] = i;
        paths = {std::move(whole)};
        part.radius = body.radius > 0 ? std::max(body.radius, 0.0015f * across)
                                      : std::min(0.017f * longest, 0.008f * across);
    } else {
        part.radius = std::max(body.radius,
                               edges.empty() ? 0.008f * across : std::min(0.12f * shortest, 0.01f * across));
    }
    if (!paths.empty()) {
        part.kind = Part::Kind::tubes;
        part.paths = std::make_shared<const std::vector<std::vector<std::uint32_t>>>(std::move(paths));
        parts_.push_back(part);
    }
    if (!std::holds_alternative<Rope>(body.shape)) {
        part.kind = Part::Kind::beads;
        part.radius = std::max(part.radius, body.radius > 0 ? body.radius : 1.6f * part.radius);
        parts_.push_back(std::move(part));
    }
}

void PictureMaker::add_rest_edges(const Body& body, const BodyView& view, const View& start) {
    for (const auto& [a, b] : edges_of(body)) {
        const std::uint32_t i = view.first_particle + a, j = view.first_particle + b;
        const float length = distance(start.positions[i], start.positions[j]);
        if (length > 0) rest_edges_.push_back({i, j, length});
    }
}

std::vector<float> PictureMaker::values_of(const View& view) const {
    std::vector<float> values;
    if (options_.quantity == Quantity::strain) {
        values.resize(view.positions.size());
        std::vector<float> edges(view.positions.size());
        for (const RestEdge& e : rest_edges_) {
            const float strain = std::abs(distance(view.positions[e.a], view.positions[e.b]) / e.length - 1);
            for (const std::uint32_t particle : {e.a, e.b}) {
                values[particle] += strain;
                ++edges[particle];
            }
        }
        for (std::size_t i = 0; i < values.size(); ++i) values[i] /= std::max(edges[i], 1.0f);
    }
    if (options_.quantity == Quantity::speed) {
        values.reserve(view.velocities.size());
        for (const Vec3& v : view.velocities) values.push_back(std::sqrt(dot(v, v)));
    }
    return values;
}

void PictureMaker::show(const Part& part, const View& view, const std::vector<float>& values,
                        Picture& picture) const {
    std::vector<Vec3> positions;
    std::vector<float> own;
    positions.reserve(part.particles.size());
    for (const std::uint32_t i : part.particles) positions.push_back(view.positions[i]);
    if (!values.empty()) {
        own.reserve(part.particles.size());
        for (const std::uint32_t i : part.particles) own.push_back(values[i]);
    }
    if (part.kind == Part::Kind::tubes) {
        picture.tubes.push_back({std::move(positions), part.paths, std::move(own), part.radius, part.color});
    } else if (part.kind == Part::Kind::beads) {
        picture.beads.push_back({std::move(positions), std::move(own), part.radius, part.color});
    } else {
        Surface surface;
        if (!part.tetrahedra.empty()) {
            surface = shrunken(positions, own, part.tetrahedra);
        } else {
            surface.positions = part.skin ? part.skin.spread(positions) : std::move(positions);
            surface.values = part.skin && !own.empty() ? part.skin.spread(own) : std::move(own);
            surface.triangles = part.triangles;
        }
        surface.color = part.color;
        surface.finish = part.finish;
        surface.wireframe = options_.wireframe;
        picture.surfaces.push_back(std::move(surface));
    }
}

Picture PictureMaker::make(const View& view) { return make(view, colliders_); }

Picture PictureMaker::make(const View& view, std::span<const Collider> colliders) {
    Picture picture;
    const std::vector<float> values = values_of(view);
    for (const Part& part : parts_) show(part, view, values, picture);
    picture.colliders.assign(colliders.begin(), colliders.end());
    camera_.follow(bounds_of(picture));
    picture.camera = options_.camera ? widened(*options_.camera, options_.aspect) : camera_.camera();
    picture.stage = camera_.stage();
    if (imaginary_ground_) ground_->point.y = std::min(ground_->point.y, picture.stage.low.y);
    picture.ground = imaginary_ground_ ? ground_ : ground_of(picture.colliders);
    picture.captions = options_.captions;
    if (options_.quantity != Quantity::none) {
        const bool strain = options_.quantity == Quantity::strain;
        const double usual = strain ? 0.1 : 5;
        picture.scale =
            Scale{strain ? "strain" : "speed, m/s", 0, options_.highest > 0 ? options_.highest : usual};
    }
    return picture;
}

}  // namespace pliant::output
