// The report in words and as JSON.
#include <pliant/mesh_report.h>

#include <iterator>
#include <string_view>
#include <utility>

#include "base/floating_point.h"
#include "base/format.h"

namespace pliant {
namespace {

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

// One sentence a line.
class Lines {
public:
    template <class... Values>
    void add(fmt::format_string<Values...> format, Values&&... values) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
        text_ += '\n';
    }
    // Only if there are any.
    void add_count(std::uint64_t count, std::string_view one, std::string_view many) {
        if (count > 0) add("{}", counted(count, one, many));
    }
    std::string take() { return std::move(text_); }

private:
    std::string text_{};
};

void describe_shape(Lines& lines, const SurfaceReport& r) {
    if (r.edges == 0) return;
    if (r.closed) {
        lines.add("closed: no boundary");
    } else {
        lines.add("open: {} ({})", counted(r.boundary_loops, "boundary loop", "boundary loops"),
                  counted(r.boundary_edges, "edge", "edges"));
    }
    if (r.manifold) lines.add("manifold: no edge has more than two triangles, no vertex more than one fan");
    lines.add_count(r.non_manifold_edges, "edge has three triangles or more: not manifold",
                    "edges have three triangles or more: not manifold");
    lines.add_count(r.non_manifold_vertices, "vertex joins parts that share no edge there: not manifold",
                    "vertices join parts that share no edge there: not manifold");
    if (!r.oriented) {
        lines.add_count(r.misoriented_edges, "edge has triangles that face opposite ways: not oriented",
                        "edges have triangles that face opposite ways: not oriented");
    } else if (r.inside_out) {
        lines.add("inside out: the triangles face inward");
    } else {
        lines.add("oriented: {}", r.closed ? "the triangles face outward" : "neighbours face the same way");
    }
}

void describe_faults(Lines& lines, const SurfaceReport& r) {
    lines.add_count(r.not_finite_vertices, "vertex is infinite or not a number",
                    "vertices are infinite or not numbers");
    lines.add_count(r.invalid_triangles, "triangle has a corner that does not exist or is not finite",
                    "triangles have a corner that does not exist or is not finite");
    if (!r.attributes_fit) lines.add("normals or texture coordinates are not one for each triangle");
    lines.add_count(r.unused_vertices, "vertex belongs to no triangle", "vertices belong to no triangle");
    lines.add_count(r.duplicate_vertices, "vertex is at the place of an earlier one",
                    "vertices are at the place of an earlier one");
    lines.add_count(r.duplicate_triangles, "triangle is there already", "triangles are there already");
    lines.add_count(r.degenerate_triangles, "triangle has no area", "triangles have no area");
    if (r.intersecting_pairs == 0) {
        lines.add("no self-intersections");
    } else if (r.intersecting_pairs < most_intersecting_pairs) {
        lines.add_count(r.intersecting_pairs, "pair of triangles intersects", "pairs of triangles intersect");
    } else {
        lines.add("{} pairs of triangles intersect, or more", r.intersecting_pairs);
    }
}

}  // namespace

std::string to_text(const SurfaceReport& r) {
    const StandardFloatingPoint floating_point;
    Lines lines;
    lines.add("{}, {}, {}, {}", counted(r.vertices, "vertex", "vertices"),
              counted(r.triangles, "triangle", "triangles"), counted(r.edges, "edge", "edges"),
              counted(r.components, "component", "components"));
    lines.add("size {:.4g} × {:.4g} × {:.4g} m, area {:.4g} m²{}", static_cast<double>(r.high.x) - r.low.x,
              static_cast<double>(r.high.y) - r.low.y, static_cast<double>(r.high.z) - r.low.z, r.area,
              r.closed && r.oriented ? fmt::format(", volume {:.4g} m³", r.volume) : "");
    describe_shape(lines, r);
    describe_faults(lines, r);
    return lines.take();
}

std::string to_json(const SurfaceReport& r) {
    const StandardFloatingPoint floating_point;
    std::string text = "{\n";
    const auto add = [&](std::string_view name, const auto& value) {
        fmt::format_to(std::back_inserter(text), "  \"{}\": {},\n", name, value);
    };
    add("vertices", r.vertices);
    add("triangles", r.triangles);
    add("edges", r.edges);
    add("components", r.components);
    add("not_finite_vertices", r.not_finite_vertices);
    add("invalid_triangles", r.invalid_triangles);
    add("unused_vertices", r.unused_vertices);
    add("duplicate_vertices", r.duplicate_vertices);
    add("duplicate_triangles", r.duplicate_triangles);
    add("degenerate_triangles", r.degenerate_triangles);
    add("boundary_edges", r.boundary_edges);
    add("boundary_loops", r.boundary_loops);
    add("non_manifold_edges", r.non_manifold_edges);
    add("non_manifold_vertices", r.non_manifold_vertices);
    add("misoriented_edges", r.misoriented_edges);
    add("intersecting_pairs", r.intersecting_pairs);
    add("closed", r.closed);
    add("manifold", r.manifold);
    add("oriented", r.oriented);
    add("inside_out", r.inside_out);
    add("attributes_fit", r.attributes_fit);
    add("volume", r.volume);
    add("area", r.area);
    add("low", fmt::format("[{}, {}, {}]", r.low.x, r.low.y, r.low.z));
    fmt::format_to(std::back_inserter(text), "  \"high\": [{}, {}, {}]\n}}\n", r.high.x, r.high.y, r.high.z);
    return text;
}

}  // namespace pliant
