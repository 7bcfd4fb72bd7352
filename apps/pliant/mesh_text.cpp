#include "pliant/mesh_text.h"

#include <cstdio>

#include "base/format.h"
#include "base/json.h"
#include "pliant/terminal.h"

namespace pliant::app {

std::string to_text(const TetrahedralQuality& q) {
    return fmt::format(
        "{} vertices, {} tetrahedra, {} triangles at the surface, {} tetrahedra inverted\n"
        "volume {:.4g} m³, edges {:.4g} … {:.4g} m, {:.4g} m in the mean\n"
        "dihedral angles {:.1f}° … {:.1f}°, inside the body {:.1f}° at least\n"
        "circumradius over shortest edge {:.2f} at most (regular: 0.61)\n",
        q.vertices, q.tetrahedra, q.surface_triangles, q.inverted, q.volume, q.shortest_edge, q.longest_edge,
        q.mean_edge, q.smallest_dihedral, q.largest_dihedral, q.smallest_interior_dihedral,
        q.worst_radius_edge);
}

std::string to_json(const TetrahedralQuality& q) {
    return fmt::format(
        "{{\n"
        "  \"vertices\": {},\n  \"tetrahedra\": {},\n  \"surface_triangles\": {},\n  \"inverted\": {},\n"
        "  \"volume\": {},\n  \"smallest_dihedral\": {},\n  \"largest_dihedral\": {},\n"
        "  \"smallest_interior_dihedral\": {},\n  \"worst_radius_edge\": {},\n"
        "  \"mean_edge\": {},\n  \"shortest_edge\": {},\n  \"longest_edge\": {}\n}}\n",
        q.vertices, q.tetrahedra, q.surface_triangles, q.inverted, q.volume, q.smallest_dihedral,
        q.largest_dihedral, q.smallest_interior_dihedral, q.worst_radius_edge, q.mean_edge, q.shortest_edge,
        q.longest_edge);
}

std::string json_list(const std::vector<std::string>& texts) {
    std::string out = "[";
    for (const std::string& text : texts) out += (out.size() > 1 ? ", " : "") + json::quoted(text);
    return out + "]";
}

void warn(const std::vector<std::string>& warnings) {
    for (const std::string& text : warnings) {
        fmt::print(stderr, "{} {}\n", styled("pliant: warning:", Style::warning), text);
    }
}

}  // namespace pliant::app
