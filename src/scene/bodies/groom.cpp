#include "scene/bodies/groom.h"

#include <pliant/mesh_io.h>
#include <pliant/shapes.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/convert.h"
#include "base/format.h"
#include "base/random.h"
#include "base/trigonometry.h"

namespace pliant::bodies {
namespace {

struct Root {
    Vec3d position, direction;  // direction: of length 1
};

std::vector<Root> roots_of(const std::vector<std::vector<Vec3>>& strands) {
    std::vector<Root> roots;
    for (const auto& strand : strands) {
        const Vec3d root = to_double(strand[0]), along = to_double(strand[1]) - root;
        roots.push_back({root, along * (1 / length(along))});
    }
    return roots;
}

// As many on a triangle as its area asks for, at random places; the way out of the surface.
Result<std::vector<Root>> roots_on(const TriangleMesh& mesh, int strands, Random& random,
                                   std::vector<Triangle>* triangles = nullptr) {
    std::vector<double> areas;  // of all triangles so far
    double sum = 0;
    const auto corner = [&](const Triangle& t, std::size_t k) { return to_double(mesh.positions[t[k]]); };
    const auto normal = [&](const Triangle& t) {
        return cross(corner(t, 1) - corner(t, 0), corner(t, 2) - corner(t, 0));
    };
    for (const Triangle& t : mesh.triangles) areas.push_back(sum += length(normal(t)));
    if (!(sum > 0)) return Error{"", "the surface has no area for roots"};
    std::vector<Root> roots;
    for (int i = 0; i < strands; ++i) {
        const double at = sum * random();
        const std::size_t found =
            static_cast<std::size_t>(std::upper_bound(areas.begin(), areas.end(), at) - areas.begin());
        const Triangle& t = mesh.triangles[std::min(found, areas.size() - 1)];
        const double r = std::sqrt(random()), s = random();
        const Vec3d n = normal(t);
        if (!(dot(n, n) > 0)) {
            --i;
            continue;
        }
        roots.push_back({corner(t, 0) * (1 - r) + corner(t, 1) * (r * (1 - s)) + corner(t, 2) * (r * s),
                         n * (1 / length(n))});
        if (triangles) triangles->push_back(t);
    }
    return roots;
}

Result<std::vector<Root>> roots_on_file(const scene::FileShape& file, int strands, MeshSource& source,
                                        Random& random) {
    const auto mesh = read_repaired(file, source);
    if (!mesh) return mesh.error();
    return roots_on(*mesh, strands, random);
}

Result<std::vector<Root>> roots_on_disc(const scene::DiscScalp& disc, const scene::HairBody& form) {
    const auto strands = make_strands_on_disc(disc.radius, form.length, form.strands, 1);
    if (!strands) return strands.error();
    return roots_of(*strands);
}

// A body comes before a file, and both before the word "disc".
Result<std::vector<Root>> roots_on_named(const std::string& name, const scene::HairBody& form,
                                         MeshSource& source, Random& random) {
    const auto mesh = source.surface_of(name);
    if (mesh) return roots_on(*mesh, form.strands, random, &source.root_triangles);
    if (mesh_kind(name) == MeshKind::surface) return roots_on_file({name}, form.strands, source, random);
    if (name == "disc") return roots_on_disc({}, form);
    return mesh.error();
}

Result<std::vector<Root>> make_roots(const scene::HairBody& form, MeshSource& source, Random& random) {
    if (const auto* file = std::get_if<scene::FileShape>(&form.shape))
        return roots_on_file(*file, form.strands, source, random);
    if (const auto* body = std::get_if<scene::BodyScalp>(&form.shape))
        return roots_on_named(body->body, form, source, random);
    if (const auto* disc = std::get_if<scene::DiscScalp>(&form.shape)) return roots_on_disc(*disc, form);
    const auto& sphere = std::get<scene::SphereScalp>(form.shape);
    const auto strands = make_strands_on_sphere(sphere.radius, form.length, form.strands, 1, sphere.coverage);
    if (!strands) return strands.error();
    return roots_of(*strands);
}

// Draws directions together: of about twenty neighbours each, towards the tip of the one in their middle.
void clump(std::vector<Root>& roots, const scene::HairBody& form) {
    if (!(form.clump > 0)) return;
    const std::vector<Root> before = roots;
    const double size = form.length;
    for (Root& root : roots) {
        const Root* guide = nullptr;
        double least = 1e300;
        for (std::size_t g = 0; g < before.size(); g += 20) {
            const Vec3d apart = before[g].position - root.position;
            if (dot(apart, apart) < least) least = dot(apart, apart), guide = &before[g];
        }
        const Vec3d own = root.position + root.direction * size,
                    its = guide->position + guide->direction * size;
        const Vec3d way = own + (its - own) * double(form.clump) - root.position;
        if (dot(way, way) > 0) root.direction = way * (1 / length(way));
    }
}

// Along a screw line whose arc is as long as the hair; it starts at the root, at any angle.
void add_curled(const Root& root, const scene::HairBody& form, double start, std::vector<Vec3>& points) {
    const double radius = form.curl->radius, pitch = form.curl->pitch;
    const double around = 6.283185307179586 * radius, turn = std::sqrt(around * around + pitch * pitch);
    const Vec3d d = root.direction;
    const Vec3d axis = std::abs(d.y) < 0.7 ? Vec3d{0, 1, 0} : Vec3d{1, 0, 0};
    Vec3d u = cross(axis, d);
    u = u * (1 / length(u));
    const Vec3d v = cross(d, u);
    const SineCosine first = sine_cosine_of_turns(start);
    for (int i = 0; i < form.points; ++i) {
        const double turns = double(form.length) * i / (form.points - 1) / turn;
        const SineCosine at = sine_cosine_of_turns(start + turns);
        points.push_back(to_float(root.position + d * (pitch * turns) +
                                  u * (radius * (at.cosine - first.cosine)) +
                                  v * (radius * (at.sine - first.sine))));
    }
}

void add_straight(const Root& root, const scene::HairBody& form, std::vector<Vec3>& points) {
    for (int i = 0; i < form.points; ++i) {
        points.push_back(
            to_float(root.position + root.direction * (double(form.length) * i / (form.points - 1))));
    }
}

// Fewer than five points a turn are no screw line.
std::optional<Error> check_curl(const scene::HairBody& form) {
    if (!form.curl) return {};
    const double around = 6.283185307179586 * double(form.curl->radius), pitch = form.curl->pitch;
    const double turns = double(form.length) / std::sqrt(around * around + pitch * pitch);
    const double needed = std::ceil(5 * turns) + 1;
    if (form.points >= needed) return {};
    return Error{"", fmt::format("a curl of {:.3g} turns needs at least {:g} points, got {}", turns, needed,
                                 form.points)};
}

}  // namespace

Result<std::vector<Vec3>> groom(const scene::HairBody& form, MeshSource& source) {
    if (const Status fits = take_cells(source, double(form.strands) * (form.points - 1)); !fits)
        return fits.error();
    if (auto error = check_curl(form)) return *error;
    Random random(form.seed);
    auto roots = make_roots(form, source, random);
    if (!roots) return roots.error();
    clump(*roots, form);
    std::vector<Vec3> points;
    points.reserve(static_cast<std::size_t>(form.strands) * static_cast<std::size_t>(form.points));
    for (const Root& root : *roots) {
        if (form.curl) {
            add_curled(root, form, random(), points);
        } else {
            add_straight(root, form, points);
        }
    }
    return points;
}

}  // namespace pliant::bodies
