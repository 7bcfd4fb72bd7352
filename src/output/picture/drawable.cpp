#include "output/picture/drawable.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "output/picture/palette.h"

namespace pliant::output {
namespace {

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

// Chooses what is drawn of one body.
class Chooser {
public:
    Chooser(const View& view, const PictureOptions& options, double across, std::vector<Drawable>& drawables)
        : view_(view), options_(options), across_(static_cast<float>(across)), drawables_(drawables) {}

    void choose(std::uint32_t index) {
        const BodyView& body = view_.bodies[index];
        const bool chosen = index < options_.colors.size() && options_.colors[index];
        color_ = chosen ? *options_.colors[index] : body_color(index);
        const auto skin = std::find_if(view_.skins.begin(), view_.skins.end(),
                                       [&](const SkinView& s) { return s.body == index; });
        const auto triangles = view_.triangles.subspan(body.first_triangle, body.triangle_count);
        const std::size_t before = drawables_.size();
        if (body.tetrahedron_count > 0 && options_.tetrahedra) {
            add_tetrahedra(body);
        } else if (skin != view_.skins.end() && !options_.wireframe) {
            add_skin(body, static_cast<std::uint32_t>(skin - view_.skins.begin()));
        } else if (!triangles.empty()) {
            add_surface(body, triangles);
        }
        std::vector<std::uint32_t> loose = particles_beside(body, triangles, drawables_.size() > before);
        std::vector<Edge> lines = lines_beside(body, loose);
        if (body.smooth_lines) {
            add_rope(body, lines);
        } else {
            add_links(body, std::move(lines), std::move(loose));
        }
    }

private:
    Drawable begin(Drawable::Kind kind) const {
        Drawable drawable;
        drawable.kind = kind;
        drawable.color = color_;
        return drawable;
    }

    void add_tetrahedra(const BodyView& body) {
        Drawable drawable = begin(Drawable::Kind::tetrahedra);
        const auto tetrahedra = view_.tetrahedra.subspan(body.first_tetrahedron, body.tetrahedron_count);
        drawable.tetrahedra.assign(tetrahedra.begin(), tetrahedra.end());
        drawable.particles = gather(drawable.tetrahedra);
        drawable.finish = Finish::matte;
        drawables_.push_back(std::move(drawable));
    }

    void add_skin(const BodyView& body, std::uint32_t skin) {
        Drawable drawable = begin(Drawable::Kind::skin);
        drawable.skin = skin;
        drawable.particles.resize(body.particle_count);
        std::iota(drawable.particles.begin(), drawable.particles.end(), body.first_particle);
        const auto& triangles = view_.skins[skin].triangles;
        drawable.triangles =
            std::make_shared<const std::vector<Triangle>>(triangles.begin(), triangles.end());
        drawable.finish = Finish::jelly;
        drawables_.push_back(std::move(drawable));
    }

    void add_surface(const BodyView& body, std::span<const Triangle> all) {
        Drawable drawable = begin(Drawable::Kind::surface);
        std::vector<Triangle> triangles(all.begin(), all.end());
        drawable.particles = gather(triangles);
        drawable.triangles = std::make_shared<const std::vector<Triangle>>(std::move(triangles));
        drawable.finish = body.tetrahedron_count > 0 ? Finish::jelly : Finish::cloth;
        if (body.weave != Weave::none && body.texture_coordinate_count == body.triangle_count)
            add_yarns(body, drawable);
        drawables_.push_back(std::move(drawable));
    }

    // Yarns by texture coordinates, warp along v; thick enough to be seen.
    void add_yarns(const BodyView& body, Drawable& drawable) const {
        const auto texture =
            view_.texture_coordinates.subspan(body.first_texture_coordinate, body.texture_coordinate_count);
        const std::vector<Triangle>& triangles = *drawable.triangles;
        // How long u and v are on the cloth, in the mean over its area.
        Vec2 sizes{};
        float areas = 0;
        for (std::size_t t = 0; t < triangles.size(); ++t) {
            const auto at = [&](std::size_t k) {
                return view_.positions[drawable.particles[triangles[t][k]]];
            };
            const Vec3 p = at(1) - at(0), q = at(2) - at(0), across = cross(p, q);
            const float u1 = texture[t][1].x - texture[t][0].x, v1 = texture[t][1].y - texture[t][0].y,
                        u2 = texture[t][2].x - texture[t][0].x, v2 = texture[t][2].y - texture[t][0].y;
            const float turn = u1 * v2 - u2 * v1, area = std::sqrt(dot(across, across));
            if (!(std::abs(turn) > 0)) continue;
            const Vec3 along_u = (p * v2 - q * v1) * (1 / turn), along_v = (q * u1 - p * u2) * (1 / turn);
            sizes.x += area * std::sqrt(dot(along_u, along_u));
            sizes.y += area * std::sqrt(dot(along_v, along_v));
            areas += area;
        }
        if (!(areas > 0)) return;
        const float yarn = across_ / 150;
        drawable.weave = body.weave;
        drawable.yarns.resize(drawable.particles.size());
        for (std::size_t t = 0; t < triangles.size(); ++t) {
            for (std::size_t k = 0; k < 3; ++k)
                drawable.yarns[triangles[t][k]] = {texture[t][k].x * sizes.x / (areas * yarn),
                                                   texture[t][k].y * sizes.y / (areas * yarn)};
        }
    }

    // Particles that are no corners of triangles; the surface of a body of tetrahedra hides its inside.
    std::vector<std::uint32_t> particles_beside(const BodyView& body, std::span<const Triangle> triangles,
                                                bool has_surface) const {
        if (body.tetrahedron_count > 0 && has_surface) return {};
        std::vector<bool> seen(body.particle_count, false);
        for (const Triangle& t : triangles) {
            for (const std::uint32_t corner : t) seen[corner - body.first_particle] = true;
        }
        std::vector<std::uint32_t> loose;
        for (std::uint32_t i = 0; i < body.particle_count; ++i) {
            if (!seen[i]) loose.push_back(body.first_particle + i);
        }
        return loose;
    }

    // Lines that end at one of those. Between corners of triangles, the triangles are what shows.
    std::vector<Edge> lines_beside(const BodyView& body, const std::vector<std::uint32_t>& loose) const {
        const auto all = view_.lines.subspan(body.first_line, body.line_count);
        std::vector<Edge> lines(all.begin(), all.end());
        const auto is_loose = [&](std::uint32_t particle) {
            return std::binary_search(loose.begin(), loose.end(), particle);
        };
        std::erase_if(lines, [&](const Edge& line) { return !is_loose(line[0]) && !is_loose(line[1]); });
        return lines;
    }

    float radius_of(const BodyView& body) const {
        const auto radii = view_.radii.subspan(body.first_particle, body.particle_count);
        return radii.empty() ? 0 : *std::max_element(radii.begin(), radii.end());
    }

    float length(const Edge& line) const {
        const Vec3 along = view_.positions[line[0]] - view_.positions[line[1]];
        return std::sqrt(dot(along, along));
    }

    void add_tubes(std::vector<Path> paths, float radius) {
        if (paths.empty()) return;
        Drawable drawable = begin(Drawable::Kind::tubes);
        drawable.particles = gather(paths);
        drawable.paths = std::make_shared<const std::vector<Path>>(std::move(paths));
        drawable.radius = radius;
        drawables_.push_back(std::move(drawable));
    }

    // As wide and thick as it is, and large enough to be seen.
    void add_ribbon(const BodyView& body, const std::vector<Edge>& lines) {
        add_tubes(join_lines(lines), std::max(body.line_width / 2, 0.0015f * across_));
        Drawable& ribbon = drawables_.back();
        ribbon.thickness = std::max(body.line_thickness, 0.001f * across_);
        for (const std::uint32_t particle : ribbon.particles) {
            const auto behind =
                std::lower_bound(lines.begin(), lines.end(), particle,
                                 [](const Edge& line, std::uint32_t p) { return line[0] < p; });
            const auto next = static_cast<std::uint32_t>(behind - lines.begin()),
                       last = static_cast<std::uint32_t>(lines.size()) - 1;
            const std::uint32_t before = next > 0 ? next - 1 : 0;
            ribbon.lines.push_back({body.first_line + before, body.first_line + std::min(next, last)});
        }
    }

    void add_rope(const BodyView& body, const std::vector<Edge>& lines) {
        if (body.line_width > 0 && !lines.empty()) return add_ribbon(body, lines);
        float whole = 0;
        for (const Edge& line : lines) whole += length(line);
        const float radius = radius_of(body);
        std::vector<Path> paths = join_lines(lines);
        if (paths.size() > 50)
            return add_tubes(std::move(paths), std::max(radius, 0.0009f * across_));  // hair
        add_tubes(std::move(paths), radius > 0 ? std::max(radius, 0.0015f * across_)
                                               : std::min(0.017f * whole, 0.008f * across_));
    }

    void add_links(const BodyView& body, std::vector<Edge> lines, std::vector<std::uint32_t> loose) {
        float shortest = lines.empty() ? 0 : length(lines.front());
        std::vector<Path> paths;
        for (const Edge& line : lines) {
            shortest = std::min(shortest, length(line));
            paths.push_back({line[0], line[1]});
        }
        const float own = radius_of(body);
        const float thin = lines.empty() ? 0.008f * across_ : std::min(0.12f * shortest, 0.01f * across_);
        const float radius = std::max(own, thin);
        add_tubes(std::move(paths), radius);
        if (loose.empty()) return;
        if (lines.empty() && own > 0) return add_balls(std::move(loose));
        Drawable beads = begin(Drawable::Kind::beads);
        beads.particles = std::move(loose);
        beads.radius = std::max(radius, own > 0 ? own : 1.6f * radius);
        drawables_.push_back(std::move(beads));
    }

    // Those of about one radius together.
    void add_balls(std::vector<std::uint32_t> particles) {
        constexpr std::size_t sizes = 12;
        float least = view_.radii[particles[0]], largest = least;
        for (const std::uint32_t p : particles) {
            least = std::min(least, view_.radii[p]);
            largest = std::max(largest, view_.radii[p]);
        }
        std::array<Drawable, sizes> balls;
        balls.fill(begin(Drawable::Kind::beads));
        for (const std::uint32_t p : particles) {
            const float share = largest > least ? (view_.radii[p] - least) / (largest - least) : 0;
            Drawable& drawable = balls[std::min(static_cast<std::size_t>(share * sizes), sizes - 1)];
            drawable.particles.push_back(p);
            drawable.radius += view_.radii[p];
        }
        for (Drawable& drawable : balls) {
            if (drawable.particles.empty()) continue;
            // Large enough to be seen.
            drawable.radius =
                std::max(drawable.radius / static_cast<float>(drawable.particles.size()), 0.0015f * across_);
            drawables_.push_back(std::move(drawable));
        }
    }

    const View& view_;
    const PictureOptions& options_;
    float across_;
    std::vector<Drawable>& drawables_;
    Color color_{};
};

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

// A value at each point of a skin, from those of the body's particles.
std::vector<float> spread(const Embedding& embedding, const std::vector<float>& values) {
    std::vector<float> result;
    if (values.empty()) return result;
    result.reserve(embedding.elements.size());
    for (std::size_t i = 0; i < embedding.elements.size(); ++i) {
        float sum = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            sum += embedding.weights[i][k] * values[embedding.elements[i][k]];
        }
        result.push_back(sum);
    }
    return result;
}

// Across a ribbon at each of its vertices: between the lines that meet there.
std::vector<Vec3> sides_of(const Drawable& drawable, const View& view) {
    std::vector<Vec3> sides;
    if (view.line_normals.empty()) return sides;
    sides.reserve(drawable.lines.size());
    for (const auto& [before, behind] : drawable.lines)
        sides.push_back(view.line_normals[before] + view.line_normals[behind]);
    return sides;
}

Surface surface_of(const Drawable& drawable, const View& view, std::vector<Vec3> positions,
                   std::vector<float> values) {
    if (drawable.kind == Drawable::Kind::tetrahedra) {
        return shrunken(positions, values, drawable.tetrahedra);
    }
    Surface surface;
    surface.triangles = drawable.triangles;
    if (drawable.kind == Drawable::Kind::skin) {
        const SkinView& skin = view.skins[drawable.skin];
        surface.positions = skin_positions(view, skin);
        surface.values = spread(*skin.embedding, values);
    } else {
        surface.positions = std::move(positions);
        surface.values = std::move(values);
    }
    return surface;
}

}  // namespace

std::vector<Drawable> make_drawables(const View& start, const PictureOptions& options, double across) {
    std::vector<Drawable> drawables;
    Chooser chooser(start, options, across, drawables);
    for (std::uint32_t b = 0; b < start.bodies.size(); ++b) chooser.choose(b);
    return drawables;
}

void show(const Drawable& drawable, const View& view, std::span<const float> values, bool wireframe,
          Picture& picture) {
    std::vector<Vec3> positions;
    std::vector<float> own;
    positions.reserve(drawable.particles.size());
    for (const std::uint32_t i : drawable.particles) positions.push_back(view.positions[i]);
    if (!values.empty()) {
        own.reserve(drawable.particles.size());
        for (const std::uint32_t i : drawable.particles) own.push_back(values[i]);
    }
    if (drawable.kind == Drawable::Kind::tubes) {
        picture.tubes.push_back({std::move(positions), drawable.paths, std::move(own), drawable.radius,
                                 drawable.color, sides_of(drawable, view), drawable.thickness});
    } else if (drawable.kind == Drawable::Kind::beads) {
        picture.beads.push_back({std::move(positions), std::move(own), drawable.radius, drawable.color});
    } else {
        Surface surface = surface_of(drawable, view, std::move(positions), std::move(own));
        surface.color = drawable.color;
        surface.yarns = drawable.yarns;
        surface.weave = drawable.weave;
        surface.finish = drawable.finish;
        surface.wireframe = wireframe;
        picture.surfaces.push_back(std::move(surface));
    }
}

}  // namespace pliant::output
