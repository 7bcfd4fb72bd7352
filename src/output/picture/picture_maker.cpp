#include <pliant/output/picture_maker.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>

#include "base/floating_point.h"
#include "output/picture/camera.h"
#include "output/picture/drawable.h"

namespace pliant::output {
namespace {

float distance(Vec3 a, Vec3 b) { return std::sqrt(dot(a - b, a - b)); }

struct RestEdge {
    std::uint32_t a = 0, b = 0;
    float length = 0;
};

// The lines of a body; without any, the edges of its tetrahedra; without any, those of its triangles.
std::vector<RestEdge> rest_edges(const View& view) {
    std::vector<RestEdge> edges;
    const auto add = [&](std::span<const Edge> pairs) {
        for (const auto& [a, b] : pairs) {
            const float length = distance(view.positions[a], view.positions[b]);
            if (length > 0) edges.push_back({a, b, length});
        }
    };
    for (const BodyView& body : view.bodies) {
        if (body.line_count > 0) {
            add(view.lines.subspan(body.first_line, body.line_count));
        } else if (body.tetrahedron_count > 0) {
            add(unique_edges(view.tetrahedra.subspan(body.first_tetrahedron, body.tetrahedron_count)));
        } else {
            add(unique_edges(view.triangles.subspan(body.first_triangle, body.triangle_count)));
        }
    }
    return edges;
}

// Whether all bodies hang somewhere, each by itself or by one that it is tied to.
bool all_held(const View& view) {
    std::set<std::uint32_t> held;
    for (const BodyView& body : view.bodies) {
        if (!anchors_of(view, body).empty()) held.insert(body.island);
    }
    return !view.bodies.empty() && std::all_of(view.bodies.begin(), view.bodies.end(),
                                               [&](const BodyView& b) { return held.count(b.island) > 0; });
}

}  // namespace

struct PictureMaker::Implementation {
    Implementation(const View& start, PictureOptions wished)
        : options(std::move(wished)), camera(expected_bounds(start), options.aspect, options.direction) {
        if (options.quantity == Quantity::strain) edges = rest_edges(start);
        const Bounds stage = camera.stage();
        drawables = make_drawables(start, options, stage.diagonal());
        // What hangs somewhere has a floor below it, on which its shadow falls. What falls forever has none.
        if (!ground_of(start.colliders) && all_held(start) && !stage.empty()) {
            const Vec3d middle = stage.center();
            imaginary_ground = Plane{{middle.x, stage.low.y - 0.08 * stage.diagonal(), middle.z}, {0, 1, 0}};
        }
    }

    std::vector<float> values_of(const View& view, std::span<const float> given) const;
    std::optional<Scale> scale() const;
    std::vector<float> strains(const View& view) const;

    PictureOptions options;
    std::vector<Drawable> drawables;
    std::vector<RestEdge> edges;
    std::optional<Plane> imaginary_ground;
    SteadyCamera camera;
};

std::vector<float> PictureMaker::Implementation::strains(const View& view) const {
    std::vector<float> values(view.positions.size()), counts(view.positions.size());
    for (const RestEdge& e : edges) {
        const float strain = std::abs(distance(view.positions[e.a], view.positions[e.b]) / e.length - 1);
        for (const std::uint32_t particle : {e.a, e.b}) {
            values[particle] += strain;
            ++counts[particle];
        }
    }
    for (std::size_t i = 0; i < values.size(); ++i) values[i] /= std::max(counts[i], 1.0f);
    return values;
}

std::vector<float> PictureMaker::Implementation::values_of(const View& view,
                                                           std::span<const float> given) const {
    if (options.quantity == Quantity::strain) return strains(view);
    if (options.quantity == Quantity::given) {
        std::vector<float> all(given.begin(), given.end());
        all.resize(view.positions.size());
        return all;
    }
    std::vector<float> values;
    if (options.quantity == Quantity::speed) {
        values.reserve(view.velocities.size());
        for (const Vec3& v : view.velocities) values.push_back(std::sqrt(dot(v, v)));
    }
    return values;
}

std::optional<Scale> PictureMaker::Implementation::scale() const {
    const auto from_zero = [&](const char* title, double usual) {
        return Scale{title, 0, options.highest > 0 ? options.highest : usual};
    };
    switch (options.quantity) {
        case Quantity::strain:
            return from_zero("strain", 0.1);
        case Quantity::speed:
            return from_zero("speed, m/s", 5);
        case Quantity::given:
            return from_zero("", 1);
        case Quantity::none:
            break;
    }
    return std::nullopt;
}

PictureMaker::PictureMaker(const View& start, PictureOptions options) {
    const StandardFloatingPoint floating_point;
    implementation_ = std::make_unique<Implementation>(start, std::move(options));
}
PictureMaker::PictureMaker(PictureMaker&&) noexcept = default;
PictureMaker& PictureMaker::operator=(PictureMaker&&) noexcept = default;
PictureMaker::~PictureMaker() = default;

Picture PictureMaker::make(const View& view, std::span<const float> given) {
    const StandardFloatingPoint floating_point;
    Implementation& m = *implementation_;
    const PictureOptions& options = m.options;
    Picture picture;
    const std::vector<float> values = m.values_of(view, given);
    for (const Drawable& drawable : m.drawables) show(drawable, view, values, options.wireframe, picture);
    picture.colliders.assign(view.colliders.begin(), view.colliders.end());
    m.camera.follow(bounds_of(picture));
    picture.camera = options.camera ? widened(*options.camera, options.aspect) : m.camera.camera();
    picture.stage = m.camera.stage();
    picture.ground = ground_of(view.colliders);
    if (m.imaginary_ground) {
        double& height = m.imaginary_ground->point.y;
        height = std::min(height, picture.stage.low.y);
        picture.ground = m.imaginary_ground;
    }
    if (options.light) picture.light = *options.light;
    picture.captions = options.captions;
    picture.scale = m.scale();
    return picture;
}

}  // namespace pliant::output
