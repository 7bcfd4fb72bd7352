// Bowyer 1981, Watson 1981: a new point removes the cells whose circumsphere holds it and is joined to the
// faces of the cavity. Cells, marks and links are laid out as in Marot, Pellerin, Remacle: One machine, one
// minute, three billion tetrahedra, IJNME 117, 2019. A cell also keeps the insphere test as a linear form, so
// that a test reads one cache line and one point.
#include "mesh/delaunay/delaunay_triangulation.h"

#include "mesh/geometry/predicates.h"
#include "mesh/topology/radix_sort.h"

#include <pliant/assertions.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace pliant::mesh {
namespace {

// Face f lies across from vertex f; with a point inside in front, (p, a, b, c), it is positive.
constexpr std::uint8_t inward_face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

}  // namespace

DelaunayTriangulation::DelaunayTriangulation(const std::array<Vec3d, 4>& first, const Bounds3d& box)
    : box_(box) {
    for (const Vec3d& p : first) box_.add(p);
    set_filters();

    const bool positive = orient3d(first[0], first[1], first[2], first[3]) > 0;
    sites_.push_back({});
    for (const Vec3d& p : first) sites_.push_back({p});
    cells_.resize(5);
    cells_[0].vertices = {1, 2, positive ? 3u : 4u, positive ? 4u : 3u};
    // The ghost on face f is cell 1 + f.
    for (std::uint32_t f = 0; f < 4; ++f) {
        Cell& ghost = cells_[1 + f];
        for (std::size_t i = 0; i < 3; ++i) ghost.vertices[i] = cells_[0].vertices[inward_face[f][i]];
        ghost.vertices[3] = infinite;
        cells_[0].neighbours[f] = 4 * (1 + f) + 3;
        ghost.neighbours[3] = f;
        // Two ghosts meet at the edge that lacks the vertices f and g.
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint32_t g = inward_face[f][i];
            const auto& others = inward_face[g];
            const auto back = std::find(others, others + 3, f) - others;
            ghost.neighbours[i] = 4 * (1 + g) + static_cast<std::uint32_t>(back);
        }
    }
    for (Cell& cell : cells_) {
        std::array<Corner, 3> corner{};
        for (std::size_t i = 0; i < 3; ++i) {
            corner[i] = seen_from(at(cell.vertices[0]), cell.vertices[i + 1]);
        }
        set_sphere(cell, corner[0], corner[1], corner[2]);
    }
}

void DelaunayTriangulation::validate() const {
    for (std::uint32_t number = 0; number < cell_slots(); ++number) {
        if (is_free(number)) continue;
        for (std::uint32_t face = 0; face < 4; ++face) {
            PLIANT_ASSERT(cells_[number].vertices[face] < vertex_count());
            [[maybe_unused]] const std::uint32_t link = cells_[number].neighbours[face];
            PLIANT_ASSERT(link / 4 < cell_slots() && !is_free(link / 4));
            PLIANT_ASSERT(cells_[link / 4].neighbours[link % 4] == 4 * number + face);
        }
    }
}

void DelaunayTriangulation::reserve(std::size_t points) {
    sites_.reserve(points + 1);
    cells_.reserve(7 * points);  // 6.77 a point for random ones
}

// Bounds on the errors of the determinants in conflicts() and lies_beyond() for any points in the box, of
// extents X, Y, Z and with L = X² + Y² + Z². Roundings on the way to each term, see predicates.cpp: a
// difference 1, |d|² 5, a cross product 4, sphere 12 or (its last) 8, f 16; an orientation 8. The sums of the
// magnitudes of all terms are at most 24 XYZL and 6 XYZ. The extents and bounds are rounded too, hence 17
// and 9.
void DelaunayTriangulation::set_filters() {
    constexpr double u = 0x1p-53;
    const Vec3d size = box_.high - box_.low;
    const double lift = dot(size, size), volume = size.x * size.y * size.z;
    orient_bound_ = 9 * u * 6 * volume;
    sphere_bound_ = 17 * u * 24 * volume * lift;
    // Gives the form of a ghost, which has 8 roundings and terms of at most 6 XYZ, the size of the others'.
    ghost_scale_ = std::ldexp(1, std::ilogb(lift));
}

DelaunayTriangulation::Corner DelaunayTriangulation::seen_from(const Vec3d& p, std::uint32_t vertex) const {
    const Vec3d offset = at(vertex) - p;
    return {offset, dot(offset, offset), vertex};
}

// b, c and d are seen from the cell's first vertex.
void DelaunayTriangulation::set_sphere(Cell& cell, const Corner& b, const Corner& c, const Corner& d) const {
    const Vec3d bc = cross(b.offset, c.offset);
    if (is_ghost(cell)) {
        cell.sphere = {bc.x * ghost_scale_, bc.y * ghost_scale_, bc.z * ghost_scale_, 0};
        return;
    }
    const Vec3d cd = cross(c.offset, d.offset), db = cross(d.offset, b.offset);
    const Vec3d normal = cd * b.lift + db * c.lift + bc * d.lift;
    cell.sphere = {normal.x, normal.y, normal.z, -dot(d.offset, bc)};
}

bool DelaunayTriangulation::conflicts(const Cell& cell, const Vec3d& p) const {
    const Vec3d d = p - at(cell.vertices[0]);
    const auto& s = cell.sphere;
    const double f = (s[0] * d.x + s[1] * d.y) + (s[2] * d.z + s[3] * dot(d, d));
    if (std::abs(f) > sphere_bound_) [[likely]] {
        return f > 0;
    }
    return conflicts_exactly(cell, p);
}

bool DelaunayTriangulation::conflicts_exactly(const Cell& cell, const Vec3d& p) const {
    const auto& v = cell.vertices;
    if (is_ghost(cell)) {
        const int side = orient3d(at(v[0]), at(v[1]), at(v[2]), p);
        if (side != 0) return side > 0;
        // In the plane of the face, a point lies in its circumcircle if in the sphere behind it; also when
        // perturbed, for the height of the fourth vertex has no effect in that plane.
        return conflicts_exactly(cells_[cell.neighbours[3] / 4], p);
    }
    const std::uint32_t first = v[0] & ~(in_cavity | outside_cavity);
    const int side = insphere(at(first), at(v[1]), at(v[2]), at(v[3]), p);
    return side != 0 ? side > 0 : conflicts_perturbed(cell, p);
}

// The insphere determinant f is linear in the heights |x|² of its five points: raised by ε, vertex v adds ε
// times the determinant of orientation with p in its place, and p itself takes away ε times that of the
// cell, which is positive. The largest ε with a factor other than 0 decides.
bool DelaunayTriangulation::conflicts_perturbed(const Cell& cell, const Vec3d& p) const {
    std::array<Vec3d, 4> corner{};
    for (std::size_t i = 0; i < 4; ++i) corner[i] = at(cell.vertices[i] & ~(in_cavity | outside_cavity));
    std::array<std::size_t, 4> order{0, 1, 2, 3};
    std::sort(order.begin(), order.end(),
              [&](std::size_t i, std::size_t j) { return lexicographically_less(corner[j], corner[i]); });
    for (const std::size_t i : order) {
        if (lexicographically_less(corner[i], p)) return false;
        std::array<Vec3d, 4> replaced = corner;
        replaced[i] = p;
        const int side = orient3d(replaced[0], replaced[1], replaced[2], replaced[3]);
        if (side != 0) return side > 0;
    }
    return false;
}

bool DelaunayTriangulation::lies_beyond(const Cell& cell, std::uint32_t face, const Vec3d& p,
                                        double bound) const {
    const Vec3d& a = at(cell.vertices[inward_face[face][0]]);
    const Vec3d& b = at(cell.vertices[inward_face[face][1]]);
    const Vec3d& c = at(cell.vertices[inward_face[face][2]]);
    const double volume = dot(a - p, cross(b - p, c - p));
    if (std::abs(volume) > bound) [[likely]] {
        return volume < 0;
    }
    return orient3d(p, a, b, c) < 0;
}

// Crosses any face that has the point strictly on its other side. In a Delaunay triangulation that cannot
// run in circles (Edelsbrunner 1990); where spheres coincide, because the perturbed one is one as well.
std::uint32_t DelaunayTriangulation::locate(const Vec3d& p, std::uint32_t hint) const {
    const double bound = box_.contains(p) ? orient_bound_ : std::numeric_limits<double>::infinity();
    std::uint32_t number = is_ghost(cells_[hint]) ? cells_[hint].neighbours[3] / 4 : hint;
    std::uint32_t entry = 4, random = number;
    for (;;) {
        const Cell& cell = cells_[number];
        if (is_ghost(cell)) return number;
        random = random * 1664525 + 1013904223;
        std::uint32_t face = random >> 30, tried = 0;
        for (; tried < 4; ++tried, face = (face + 1) % 4) {
            if (face != entry && lies_beyond(cell, face, p, bound)) break;
        }
        if (tried == 4) return number;
        number = cell.neighbours[face] / 4;
        entry = cell.neighbours[face] % 4;
    }
}

std::uint32_t DelaunayTriangulation::insert(const Vec3d& p) { return insert(p, last_); }

std::uint32_t DelaunayTriangulation::insert(const Vec3d& p, std::uint32_t hint) {
    if (!box_.contains(p)) {
        box_.add(p);
        set_filters();
    }
    const std::uint32_t start = locate(p, hint);
    for (const std::uint32_t vertex : cells_[start].vertices) {
        if (vertex != infinite && at(vertex) == p) return vertex;
    }
    const std::uint32_t vertex = vertex_count();
    PLIANT_ASSERT(vertex < outside_cavity);
    find_cavity(start, p);
    sites_.push_back({p});
    fill_cavity(vertex);
    return vertex;
}

// Cells in conflict with the point hang together by faces. Whether a cell is in conflict is a toss-up that no
// CPU predicts, so it is written to both lists and counted in one.
void DelaunayTriangulation::find_cavity(std::uint32_t start, const Vec3d& p) {
    std::size_t cells = 1, faces = 0;
    cavity_[0] = start;
    cells_[start].vertices[0] |= in_cavity;
    for (std::size_t i = 0; i < cells; ++i) {
        if (cavity_.size() < cells + 5) cavity_.resize(2 * cavity_.size());
        if (faces_.size() < faces + 5) faces_.resize(2 * faces_.size());
        const Cell& cell = cells_[cavity_[i]];
        for (std::uint32_t f = 0; f < 4; ++f) {
            const std::uint32_t link = cell.neighbours[f];
            Cell& other = cells_[link / 4];
            if (other.vertices[0] & in_cavity) continue;
            const bool conflict = !(other.vertices[0] & outside_cavity) && conflicts(other, p);
            other.vertices[0] |= conflict ? in_cavity : outside_cavity;
            cavity_[cells] = link / 4;
            cells += conflict;
            const auto& corner = inward_face[f];
            faces_[faces].outside = link;
            for (std::size_t k = 0; k < 3; ++k) {
                faces_[faces].vertices[k] = cell.vertices[corner[k]] & ~in_cavity;
            }
            faces += !conflict;
        }
    }
    cavity_size_ = cells;
    face_count_ = faces;
}

// Numbers the vertices of the cavity and lists where they lie as seen from the point.
void DelaunayTriangulation::number_vertices(std::uint32_t newest) {
    // The surface of the cavity is a sphere with F faces, hence F / 2 + 2 vertices; one more is written to.
    if (corners_.size() < face_count_ / 2 + 3) corners_.resize(face_count_);
    const std::uint64_t round = std::uint64_t{newest} << 32;
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < face_count_; ++i) {
        for (std::uint32_t& vertex : faces_[i].vertices) {
            std::uint64_t& place = sites_[vertex].place;
            const bool known = place >> 32 == newest;
            corners_[count].vertex = vertex;
            place = known ? place : round | count;
            count += !known;
            vertex = static_cast<std::uint32_t>(place);
        }
    }
    const Vec3d& p = at(newest);
    for (std::uint32_t i = 0; i < count; ++i) corners_[i] = seen_from(p, corners_[i].vertex);
}

void DelaunayTriangulation::fill_cavity(std::uint32_t vertex) {
    number_vertices(vertex);
    for (std::size_t i = 0; i < face_count_; ++i) {
        CavityFace& face = faces_[i];
        const std::uint32_t number = i < cavity_size_ ? cavity_[i] : take_slot();
        face.cell = number;
        Cell& cell = cells_[number];
        auto& [a, b, c] = face.vertices;
        if (corners_[a].vertex == infinite) std::tie(a, b, c) = std::tuple{b, c, a};
        if (corners_[b].vertex == infinite) std::tie(a, b, c) = std::tuple{c, a, b};
        cell.vertices = {vertex, corners_[a].vertex, corners_[b].vertex, corners_[c].vertex};
        cell.neighbours[0] = face.outside;
        set_sphere(cell, corners_[a], corners_[b], corners_[c]);
        Cell& outside = cells_[face.outside / 4];
        outside.neighbours[face.outside % 4] = 4 * number;
        outside.vertices[0] &= ~outside_cavity;
    }
    last_ = faces_[0].cell;
    for (std::size_t i = face_count_; i < cavity_size_; ++i) free_.push_back(cavity_[i]);

    if (face_count_ / 2 + 2 <= table_size) {
        link_by_table();
    } else {
        link_by_sorting();
    }
}

std::uint32_t DelaunayTriangulation::take_slot() {
    if (!free_.empty()) {
        const std::uint32_t slot = free_.back();
        free_.pop_back();
        return slot;
    }
    PLIANT_ASSERT(cells_.size() < 0x40000000);
    cells_.emplace_back();
    return cell_slots() - 1;
}

// New cells (p, a, b, c) meet at faces (p, a, b): one of them has the edge ab, the other one ba.
void DelaunayTriangulation::link_by_table() {
    for (std::size_t i = 0; i < face_count_; ++i) {
        const auto [a, b, c] = faces_[i].vertices;
        const std::uint32_t number = faces_[i].cell;
        edge_table_[b * table_size + c] = 4 * number + 1;
        edge_table_[c * table_size + a] = 4 * number + 2;
        edge_table_[a * table_size + b] = 4 * number + 3;
    }
    for (std::size_t i = 0; i < face_count_; ++i) {
        const auto [a, b, c] = faces_[i].vertices;
        auto& neighbours = cells_[faces_[i].cell].neighbours;
        neighbours[1] = edge_table_[c * table_size + b];
        neighbours[2] = edge_table_[a * table_size + c];
        neighbours[3] = edge_table_[b * table_size + a];
    }
}

void DelaunayTriangulation::link_by_sorting() {
    std::vector<std::array<std::uint32_t, 3>> edges;  // {smaller, larger vertex, 4 · cell + face}
    edges.reserve(3 * face_count_);
    for (std::size_t i = 0; i < face_count_; ++i) {
        for (std::uint32_t f = 0; f < 3; ++f) {
            const std::uint32_t a = faces_[i].vertices[(f + 1) % 3], b = faces_[i].vertices[(f + 2) % 3];
            edges.push_back({std::min(a, b), std::max(a, b), 4 * faces_[i].cell + f + 1});
        }
    }
    radix_sort<2>(edges);
    for (std::size_t i = 0; i < edges.size(); i += 2) {
        const std::uint32_t one = edges[i][2], other = edges[i + 1][2];
        cells_[one / 4].neighbours[one % 4] = other;
        cells_[other / 4].neighbours[other % 4] = one;
    }
}

}  // namespace pliant::mesh
