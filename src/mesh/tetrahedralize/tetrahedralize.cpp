// Checks what is asked for, fills the surface one of two ways, and says what came out otherwise than one
// might expect.
#include <pliant/embedding.h>
#include <pliant/tetrahedralize.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "base/convert.h"
#include "base/floating_point.h"
#include "base/format.h"
#include "base/geometry/tetrahedron.h"
#include "mesh/geometry/mesh_checks.h"
#include "mesh/tetrahedralize/components.h"
#include "mesh/tetrahedralize/delaunay_filler.h"
#include "mesh/tetrahedralize/fill_result.h"
#include "mesh/tetrahedralize/isosurface_stuffing.h"
#include "mesh/tetrahedralize/lattice.h"
#include "mesh/tetrahedralize/progress.h"
#include "mesh/tetrahedralize/solid.h"
#include "mesh/tetrahedralize/thin_parts.h"

namespace pliant {
namespace {

using mesh::Filler;
using mesh::FillResult;
using mesh::Lattice;
using mesh::Progress;
using mesh::Solid;

// About a gigabyte of work space, and up to twelve times as many tetrahedra.
constexpr double most_sites = 2e7;
// An edge must be this many times the distance between neighbouring floats.
constexpr double floats_in_an_edge = 256;

// What is found grows from search to search: what was added may have been left out again, because it was not
// joined to the rest.
constexpr std::array<mesh::ThinSearch, 3> thin_searches{
    {{0.9, 0.5, 0.6, 0.5}, {0.9, 1, 0.2, 0.5}, {0.9, 1, 0, 0}}};

Status check_surface(const TriangleMesh& surface) {
    if (surface.triangles.empty()) return Error{"/triangles", "there are none: nothing to fill"};
    if (Status ok = mesh::check_positions<float>(surface.positions, "/positions"); !ok) return ok;
    return mesh::check_elements<3>(surface.triangles, surface.positions.size(), "/triangles");
}

Status check_options(const TetrahedralizeOptions& options) {
    if (!std::isfinite(options.edge_length) || options.edge_length < 0) {
        return Error{"/edge_length",
                     fmt::format("must be > 0, or 0 to follow the resolution, got {}", options.edge_length)};
    }
    if (options.edge_length == 0 && options.resolution < 1) {
        return Error{"/resolution", fmt::format("must be ≥ 1, got {}", options.resolution)};
    }
    return {};
}

double longest_side(const Solid& solid) {
    const Vec3d size = solid.high() - solid.low();
    return std::max({size.x, size.y, size.z});
}

// The edge length to use, or why it cannot be.
Result<double> choose_edge_length(const Solid& solid, const TetrahedralizeOptions& options) {
    const bool wished = options.edge_length > 0;
    const double longest = longest_side(solid);
    if (longest == 0) return Error{"/triangles", "all in one point: they enclose nothing"};
    const double edge = wished ? options.edge_length : longest / options.resolution;
    const double sites = Lattice::count(solid.low(), solid.high(), edge);
    if (sites > most_sites) {
        const double least = edge * std::cbrt(sites / most_sites) * 1.02;
        if (wished) {
            return Error{
                "/edge_length",
                fmt::format("{} m would take {:.3g} million cells, the most is {:.0f} million: from {:.3g} m "
                            "on it works",
                            options.edge_length, sites / 1e6, most_sites / 1e6, least)};
        }
        return Error{
            "/resolution",
            fmt::format("{} would take {:.3g} million cells, the most is {:.0f} million: up to {} it works",
                        options.resolution, sites / 1e6, most_sites / 1e6, std::floor(longest / least))};
    }
    const auto farthest = [](double a, double b) { return std::max(abs(a), abs(b)); };
    const Vec3d low = solid.low(), high = solid.high();
    const double reach =
        std::max({farthest(low.x, high.x), farthest(low.y, high.y), farthest(low.z, high.z)});
    const double least = reach * 0x1p-23 * floats_in_an_edge;
    if (edge < least) {
        return Error{
            wished ? "/edge_length" : "/resolution",
            fmt::format("edges of {:.3g} m are too fine for coordinates of {:.3g} m as floats: from {:.3g} m "
                        "on it works, or nearer to the origin",
                        edge, reach, least)};
    }
    return edge;
}

Error nothing_inside(const Solid& solid, double edge) {
    const double volume = abs(solid.signed_volume());
    if (!solid.closed()) {
        return {"/triangles",
                fmt::format("the surface encloses nothing: {} of its edges are open; it must be closed, "
                            "but for holes that are small",
                            solid.open_edges() + solid.turned_edges())};
    }
    if (volume <= 1e-6 * edge * solid.area()) {
        return {"/triangles", "the surface encloses nothing: it is folded flat onto itself"};
    }
    return {"/edge_length",
            fmt::format("{:.3g} m is too coarse: the surface encloses nothing that thick; try {:.2g} m", edge,
                        2 * volume / solid.area())};
}

// Parts of the surface that have something inside on one side, but that no tetrahedron reaches.
std::uint32_t count_lost_components(const TriangleMesh& surface, const Solid& solid, const FillResult& filled,
                                    double edge) {
    std::vector<bool> met(solid.components());
    for (const Triangle& face : surface_triangles(filled.tetrahedra)) {
        const mesh::Nearest nearest = solid.tree().nearest(filled.positions[face[0]]);
        met[solid.component_of_triangle()[nearest.triangle]] = true;
    }
    // Of the others the largest triangle decides.
    struct Largest {
        double area = 0;
        Vec3d before{}, behind{};
    };
    std::vector<Largest> largest(solid.components());
    for (std::size_t i = 0; i < surface.triangles.size(); ++i) {
        const Triangle& t = surface.triangles[i];
        const Vec3d a = to_double(surface.positions[t[0]]), b = to_double(surface.positions[t[1]]),
                    c = to_double(surface.positions[t[2]]);
        const Vec3d normal = cross(b - a, c - a);
        const double area = length(normal);
        Largest& known = largest[solid.component_of_triangle()[i]];
        if (area <= known.area) continue;
        const Vec3d centroid = (a + b + c) * (1.0 / 3), offset = normal * (1e-4 * edge / area);
        known = {area, centroid + offset, centroid - offset};
    }
    std::uint32_t lost = 0;
    for (std::size_t i = 0; i < met.size(); ++i) {
        if (met[i] || largest[i].area == 0) continue;
        if (solid.inside(largest[i].before) != solid.inside(largest[i].behind)) ++lost;
    }
    return lost;
}

// How far the surface is from the tetrahedra, if that is more than an edge; else 0.
double distance_from_surface(const TriangleMesh& surface, const TetrahedralMesh& mesh,
                             const mesh::Coverage& coverage, double edge) {
    std::vector<Vec3> far;  // or inside
    std::vector<bool> seen(surface.positions.size());
    for (const Triangle& t : surface.triangles) {
        for (const std::uint32_t v : t) {
            if (seen[v]) continue;
            seen[v] = true;
            if (!coverage.reaches(to_double(surface.positions[v]), edge)) far.push_back(surface.positions[v]);
        }
    }
    const Result<Embedding> embedding = far.empty() ? Embedding{} : embed(far, mesh);
    return embedding && embedding->largest_distance > edge ? embedding->largest_distance : 0;
}

void warn(const TriangleMesh& surface, const Solid& solid, const FillResult& filled,
          const TetrahedralMesh& mesh, const mesh::Coverage& coverage, double edge,
          std::vector<std::string>& warnings) {
    double volume = 0;
    for (const auto& [a, b, c, d] : filled.tetrahedra) {
        const auto& p = filled.positions;
        volume += tetrahedron_volume(p[a], p[b], p[c], p[d]);
    }
    const double enclosed = abs(solid.signed_volume());
    if (solid.closed() && filled.simple && abs(volume - enclosed) > 0.05 * enclosed) {
        const bool less = volume < enclosed;
        warnings.push_back(
            fmt::format("the tetrahedra have {:.0f} % {} volume than the surface encloses: what is thinner "
                        "than the edge length ({:.3g} m) is {}; use a smaller one",
                        100 * abs(volume / enclosed - 1), less ? "less" : "more", edge,
                        less ? "lost or blunted" : "thickened"));
    }
    if (const double away = distance_from_surface(surface, mesh, coverage, edge); away > 0) {
        warnings.push_back(
            fmt::format("the surface is up to {:.3g} m away from the tetrahedra, {:.1f} edge lengths", away,
                        away / edge));
    }
    if (solid.components() > 1) {
        const std::uint32_t lost = count_lost_components(surface, solid, filled, edge);
        if (lost > 0) {
            warnings.push_back(
                fmt::format("{} of {} separate parts of the surface are thinner than the edge length "
                            "({:.3g} m) and were lost",
                            lost, solid.components(), edge));
        }
    }
}

void append(const TriangleMesh& more, TriangleMesh& mesh) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.positions.insert(mesh.positions.end(), more.positions.begin(), more.positions.end());
    for (const auto& [a, b, c] : more.triangles) mesh.triangles.push_back({a + first, b + first, c + first});
}

TetrahedralMesh to_mesh(const FillResult& filled) {
    TetrahedralMesh mesh;
    mesh.positions.reserve(filled.positions.size());
    for (const Vec3d& p : filled.positions) mesh.positions.push_back(to_float(p));
    mesh.tetrahedra = filled.tetrahedra;
    return mesh;
}

}  // namespace

Result<Tetrahedralized> tetrahedralize(const TriangleMesh& surface, const TetrahedralizeOptions& options) {
    const StandardFloatingPoint floating_point;
    if (const Status ok = check_surface(surface); !ok) return ok.error();
    if (const Status ok = check_options(options); !ok) return ok.error();

    Progress progress(options.progress);
    progress.stage("reading the surface", 0, 0.05);
    const Solid solid(surface);
    const Result<double> edge = choose_edge_length(solid, options);
    if (!edge) return edge.error();

    const Lattice lattice(solid.low(), solid.high(), *edge);
    progress.part(0.05, 0.4);
    const std::unique_ptr<Filler> filler =
        options.method == TetrahedralizeMethod::lattice
            ? mesh::make_lattice_filler(lattice, solid, progress)
            : mesh::make_delaunay_filler(surface, lattice, solid, progress);

    // Thin parts show when they are missing.
    TriangleMesh thin;
    double done = 0.4;
    for (std::size_t pass = 0;; ++pass) {
        progress.part(done, done + (0.95 - done) * 0.7);
        done += (0.95 - done) * 0.7;
        FillResult filled = filler->fill(thin, progress);
        if (progress.stopped()) return Error{"", "stopped"};
        if (filled.tetrahedra.empty()) return nothing_inside(solid, *edge);
        std::vector<std::string> warnings = solid.warnings();
        const std::uint32_t components = tidy(filled, solid, warnings);

        const mesh::Coverage coverage(filled, lattice);
        if (pass < thin_searches.size()) {
            TriangleMesh more = find_thin_parts(surface, solid, lattice, coverage, thin_searches[pass]);
            if (components > solid.components()) {
                append(find_necks(surface, solid, lattice, filled, coverage), more);
            }
            append(more, thin);
            if (!more.triangles.empty()) continue;
        }
        progress.part(0.95, 1);
        progress.stage("checks", 0, 1);
        if (progress.stopped()) return Error{"", "stopped"};
        TetrahedralMesh mesh = to_mesh(filled);
        warn(surface, solid, filled, mesh, coverage, *edge, warnings);
        return Tetrahedralized{std::move(mesh), std::move(warnings)};
    }
}

}  // namespace pliant
