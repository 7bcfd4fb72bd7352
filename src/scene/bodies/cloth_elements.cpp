#include "scene/bodies/cloth_elements.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/convert.h"
#include "base/format.h"
#include "scene/bodies/bending_calibration.h"
#include "scene/bodies/geometry_checks.h"

namespace pliant::bodies {
namespace {

// A direction whose part in the plane of a triangle is shorter than this, relative to it, is normal to it.
constexpr double least_in_plane = 1e-3;

struct CornerPoints {
    std::array<Vec3d, 3> x;
    Vec3d normal;  // of length 1
};

CornerPoints corners_of(const Cloth& cloth, std::size_t triangle) {
    CornerPoints c;
    for (std::size_t k = 0; k < 3; ++k)
        c.x[k] = to_double(cloth.mesh.positions[cloth.mesh.triangles[triangle][k]]);
    const Vec3d across = cross(c.x[1] - c.x[0], c.x[2] - c.x[0]);
    c.normal = across * (1 / length(across));
    return c;
}

// The part of a direction in the plane, made to length 1; nothing if there is hardly any.
std::optional<Vec3d> in_plane(const Vec3d& direction, const Vec3d& normal) {
    const double whole = length(direction);
    const Vec3d along = direction - normal * dot(normal, direction);
    const double part = length(along);
    if (!(part > least_in_plane * whole)) return {};
    return along * (1 / part);
}

// Where the texture coordinate v grows, or nothing.
std::optional<Vec3d> along_texture(const Cloth& cloth, std::size_t triangle, const CornerPoints& c) {
    const auto& all = cloth.mesh.texture_coordinates;
    if (all.empty()) return {};
    const auto& t = all[triangle];
    const double u1 = t[1].x - t[0].x, v1 = t[1].y - t[0].y, u2 = t[2].x - t[0].x, v2 = t[2].y - t[0].y;
    const double area = u1 * v2 - u2 * v1;
    if (!(abs(area) > 1e-12 * (u1 * u1 + v1 * v1 + u2 * u2 + v2 * v2))) return {};
    return in_plane(((c.x[2] - c.x[0]) * u1 - (c.x[1] - c.x[0]) * u2) * (1 / area), c.normal);
}

float ratio(double over, double under) { return static_cast<float>(over / under); }

double weft_of(const ClothMembrane& m) { return m.weft > 0 ? m.weft : m.warp; }
double shear_of(const ClothMembrane& m) {
    return m.shear > 0 ? m.shear : m.warp / (2 * (1 + double(m.poisson_ratio)));
}

struct ClothHinge : Hinge {
    std::size_t triangle = 0;  // the first of the two
};

class HingeFinder {
public:
    explicit HingeFinder(const Cloth& cloth)
        : cloth_(cloth), neighbours_(triangle_neighbours(cloth.mesh.triangles)) {}

    std::vector<ClothHinge> run() {
        find_inner();
        if (!cloth_.seams.empty()) find_sewn();
        return std::move(hinges_);
    }

private:
    std::uint32_t corner(std::size_t side, std::size_t next) const {
        return cloth_.mesh.triangles[side / 3][(side % 3 + next) % 3];
    }
    Vec3d point(std::uint32_t particle) const { return to_double(cloth_.mesh.positions[particle]); }

    void find_inner() {
        for (std::size_t side = 0; side < 3 * neighbours_.size(); ++side) {
            const std::uint32_t other = neighbours_[side / 3][side % 3];
            if (other == no_neighbour || other == several_neighbours || other < side) continue;
            ClothHinge hinge;
            hinge.particles = {corner(side, 0), corner(side, 1), corner(side, 2), corner(other, 2)};
            for (std::size_t k = 0; k < 4; ++k) hinge.x[k] = point(hinge.particles[k]);
            hinge.triangle = side / 3;
            hinges_.push_back(hinge);
        }
    }

    // Sides on the boundary whose ends are sewn to those of another such side.
    void find_sewn() {
        std::map<Edge, std::uint32_t> boundary;
        std::multimap<std::uint32_t, std::uint32_t> sewn;
        for (std::uint32_t side = 0; side < 3 * neighbours_.size(); ++side) {
            if (neighbours_[side / 3][side % 3] != no_neighbour) continue;
            const std::uint32_t from = corner(side, 0), to = corner(side, 1);
            boundary.emplace(Edge{std::min(from, to), std::max(from, to)}, side);
        }
        for (const auto& [a, b] : cloth_.seams) {
            sewn.emplace(a, b);
            sewn.emplace(b, a);
        }
        for (const auto& [edge, side] : boundary) {
            const auto [first, last] = sewn.equal_range(edge[0]);
            for (auto a = first; a != last; ++a) {
                const auto [begin, end] = sewn.equal_range(edge[1]);
                for (auto b = begin; b != end; ++b) {
                    const auto [low, high] = std::minmax(a->second, b->second);
                    const auto found = boundary.find(Edge{low, high});
                    if (found != boundary.end() && found->second > side)
                        add_sewn(edge, side, {a->second, b->second}, found->second);
                }
            }
        }
    }

    // At rest the second triangle lies in the plane of the first, on the other side of the edge.
    void add_sewn(const Edge& edge, std::uint32_t side, const Edge& other_edge, std::uint32_t other) {
        ClothHinge hinge;
        hinge.particles = {edge[0], edge[1], corner(side, 2), corner(other, 2)};
        hinge.triangle = side / 3;
        for (std::size_t k = 0; k < 3; ++k) hinge.x[k] = point(hinge.particles[k]);
        const auto along_and_off = [](const Vec3d& e, const Vec3d& wing) {
            const double along = dot(e, wing) / dot(e, e);
            return std::pair{along, wing - e * along};
        };
        const Vec3d e = hinge.x[1] - hinge.x[0];
        const Vec3d off = along_and_off(e, hinge.x[2] - hinge.x[0]).second;
        const Vec3d start = point(other_edge[0]);
        const auto [along, height] =
            along_and_off(point(other_edge[1]) - start, point(corner(other, 2)) - start);
        hinge.x[3] = hinge.x[0] + e * along - off * (length(height) / length(off));
        hinges_.push_back(hinge);
    }

    const Cloth& cloth_;
    const std::vector<std::array<std::uint32_t, 3>> neighbours_;
    std::vector<ClothHinge> hinges_;
};

// As the two triangles of a hinge are when they are unfolded.
CalibrationHinge unfolded(const Hinge& hinge, const Vec3d& warp) {
    const Vec3d e = hinge.x[1] - hinge.x[0];
    const double ee = dot(e, e), along = dot(e, warp);
    CalibrationHinge result;
    result.particles = hinge.particles;
    result.length = sqrt(ee);
    result.along_weft = along * along / ee;
    for (std::size_t i = 2; i < 4; ++i) {
        const Vec3d wing = hinge.x[i] - hinge.x[0];
        const double twice = length(cross(e, wing)), height = twice / result.length;
        const double foot = dot(wing, e) / ee;
        result.k[i] = 1 / height;
        result.k[1] -= foot / height;
        result.k[0] -= (1 - foot) / height;
        result.areas += twice / 2;
    }
    return result;
}

std::vector<double> areas_of(const Cloth& cloth) {
    std::vector<double> areas;
    for (const Triangle& t : cloth.mesh.triangles) {
        const auto at = [&](std::size_t k) { return to_double(cloth.mesh.positions[t[k]]); };
        areas.push_back(length(cross(at(1) - at(0), at(2) - at(0))) / 2);
    }
    return areas;
}

}  // namespace

Result<std::vector<Vec3d>> warp_directions(const Cloth& cloth, const std::string& path) {
    const Vec3d asked = to_double(cloth.material.warp_direction);
    const bool is_asked = dot(asked, asked) > 0;
    const std::size_t count = cloth.mesh.triangles.size();
    if (!cloth.warp_directions.empty() && cloth.warp_directions.size() != count) {
        return Error{path + "/warp_directions",
                     fmt::format("must be none, or one for each of {} triangles, got {}", count,
                                 cloth.warp_directions.size())};
    }
    std::vector<Vec3d> result;
    for (std::size_t i = 0; i < count; ++i) {
        const CornerPoints c = corners_of(cloth, i);
        std::optional<Vec3d> found;
        if (is_asked || !cloth.warp_directions.empty()) {
            found = in_plane(is_asked ? asked : to_double(cloth.warp_directions[i]), c.normal);
            if (!found) {
                const std::string place =
                    is_asked ? path + "/material/warp_direction" : item(path + "/warp_directions", i);
                return Error{place,
                             fmt::format("is 0 or normal to triangle {}; must have a part in its plane", i)};
            }
        }
        if (!found) found = along_texture(cloth, i, c);
        if (!found) found = in_plane({0, 1, 0}, c.normal);
        if (!found) found = in_plane({0, 0, 1}, c.normal);
        result.push_back(*found);
    }
    return result;
}

std::optional<Error> check_models(const ClothMaterial& material, const std::string& path) {
    const ClothMaterial standard;
    const ClothMembrane& membrane = material.membrane;
    const ClothBending& bending = material.bending;
    const bool is_woven = membrane.model == MembraneModel::orthotropic;
    if (membrane.model != MembraneModel::links && !(material.stretch == standard.stretch))
        return Error{path + "/stretch", "is of the membrane \"links\"; another was chosen"};
    if (bending.model != BendingModel::links && bending.compliance != standard.bending.compliance)
        return Error{path + "/bending/compliance", "is of the bending \"links\"; another was chosen"};
    if (!is_woven && membrane.weft != 0 && membrane.weft != membrane.warp)
        return Error{path + "/membrane/weft", "is of the model \"orthotropic\"; another was chosen"};
    if (!is_woven && membrane.shear != 0)
        return Error{path + "/membrane/shear", "is of the model \"orthotropic\"; another was chosen"};
    if (!is_woven && material.strain_limit != 0)
        return Error{path + "/strain_limit", "is of the membrane \"orthotropic\"; another was chosen"};
    if (material.weave != Weave::none && !is_woven)
        return Error{path + "/weave", "is of the membrane \"orthotropic\"; another was chosen"};
    // The compliance must be positive definite.
    const double nu = membrane.poisson_ratio, most = membrane.warp / weft_of(membrane);
    if (is_woven && !(nu * nu < most)) {
        return Error{path + "/membrane/poisson_ratio",
                     fmt::format("must be below the root of warp/weft, {:g}, got {:g}", std::sqrt(most), nu)};
    }
    return {};
}

// Of all crossings of yarns, the share at which one goes over to the other side of the cloth.
double interlacing_of(Weave weave) {
    switch (weave) {
        case Weave::twill:
        case Weave::herringbone:
            return 0.5;
        case Weave::satin:
            return 0.4;
        default:
            return 1;
    }
}

// What is given is that of a plain weave of the same yarns. Shear has to slide and turn them where they
// interlace. Half of what resists bending are yarns by themselves, half is friction where they interlace.
// Fewer crossings are less crimp to be pulled straight first.
ClothMaterial woven(const ClothMaterial& given) {
    const auto d = static_cast<float>(interlacing_of(given.weave));
    ClothMaterial m = given;
    m.membrane.shear = static_cast<float>(shear_of(given.membrane)) * d;
    m.membrane.weft = static_cast<float>(weft_of(given.membrane)) * (3 - d) / 2;
    m.membrane.warp *= (3 - d) / 2;
    m.bending.warp *= (1 + d) / 2;
    m.bending.weft *= (1 + d) / 2;
    return m;
}

std::uint32_t add_membranes(const Cloth& cloth, ModelBuilder& builder) {
    const ClothMembrane m =
        cloth.material.weave == Weave::none ? cloth.material.membrane : woven(cloth.material).membrane;
    const Elasticity elasticity{.compliance = ratio(1, m.warp), .damping = m.damping};
    constraints::MaterialConstants constants{m.poisson_ratio};
    if (m.model == MembraneModel::orthotropic) {
        constants = {ratio(m.warp, weft_of(m)), ratio(m.warp, shear_of(m)), m.poisson_ratio,
                     cloth.material.strain_limit};
    }
    const std::uint32_t part =
        builder.add_part(elasticity, "membrane", {.uniform = 0, .per_measure = 1}, constants);
    builder.add_membranes(m.model, cloth.mesh.positions, cloth.mesh.triangles, *warp_directions(cloth, ""),
                          part);
    return part;
}

void add_hinges(const Cloth& cloth, ModelBuilder& builder) {
    const ClothBending b =
        cloth.material.weave == Weave::none ? cloth.material.bending : woven(cloth.material).bending;
    const double of_warp = b.warp, of_weft = b.weft > 0 ? b.weft : b.warp;
    Elasticity elasticity = b.elasticity();
    const double base = max(of_warp, of_weft);
    elasticity.compliance = base > 0 ? ratio(1, base) : 0.0f;
    const std::uint32_t part = builder.add_part(elasticity, "bending", {.uniform = 0, .per_measure = 1});
    if (!(base > 0)) return;
    const std::vector<Vec3d> warp = *warp_directions(cloth, "");
    const bool is_angle_given = !std::isnan(b.rest_angle);
    std::vector<ClothHinge> hinges = HingeFinder(cloth).run();
    std::vector<CalibrationHinge> flat;
    for (const ClothHinge& hinge : hinges) flat.push_back(unfolded(hinge, warp[hinge.triangle]));
    const BendingScales scales = calibrate_bending(flat, cloth.mesh.triangles, areas_of(cloth),
                                                   cloth.mesh.positions.size(), of_warp, of_weft);
    for (std::size_t i = 0; i < hinges.size(); ++i) {
        if (is_angle_given) hinges[i].rest_angle = b.rest_angle;
        hinges[i].softness =
            ratio(base, bending_across(flat[i].along_weft, scales.warp * of_warp, scales.weft * of_weft));
        builder.add_hinge(hinges[i], b.model, part);
    }
}

}  // namespace pliant::bodies
