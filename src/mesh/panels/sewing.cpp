// Panels into cloth.
//
// Points on an outline are known by their marks, the distances walked from its first corner. Seams set theirs
// first, as many on one side as on the other; what is left of the outlines is cut evenly between corners.
// Then each panel is filled by itself, and the marks of the seams' two sides are looked up again.
#include <pliant/panels.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>

#include "base/convert.h"
#include "base/floating_point.h"
#include "base/format.h"
#include "base/rotation.h"
#include "base/suggest.h"
#include "mesh/geometry/polygon.h"
#include "mesh/panels/outline.h"

namespace pliant {
namespace {

using mesh::Outline;
using Problem = std::optional<Error>;

// How far a vertex lies from the plane of its panel, in edges: within ± 1/1000. What is perfectly flat cannot
// buckle when it is gathered, and would crumple within its plane.
double unevenness(std::size_t vertex) {
    constexpr double golden_ratio = 0.61803398874989484820;
    const double turns = static_cast<double>(vertex) * golden_ratio;
    return 0.002 * (turns - std::floor(turns) - 0.5);
}

// How many edges there are along a length.
int edges_along(double length, double edge_length) {
    return static_cast<int>(max(1.0, std::round(length / edge_length)));
}

double wrapped(double mark, const Outline& outline) {
    if (mark < 0) return mark + outline.perimeter();
    return mark < outline.perimeter() ? mark : mark - outline.perimeter();
}

// A stretch of an outline as a seam walks along it.
struct Stretch {
    struct Corner {
        double distance;  // from the start of the stretch
        double mark;
        bool sharp;
    };
    std::size_t panel = 0;
    bool backward = false;
    std::vector<Corner> corners{};  // both ends too

    double length() const { return corners.back().distance; }
};

struct Mark {
    std::size_t panel = 0;
    double distance = 0;  // m, along the outline
};

struct PanelMarks {
    Outline outline;
    std::vector<bool> sewn{};                    // for each side, from a corner to the next
    std::vector<double> marks{};                 // in any order, some twice
    std::map<double, std::uint32_t> vertices{};  // of the marks
};

class Sewing {
public:
    explicit Sewing(const Panels& panels) : panels_(panels), edge_length_(panels.edge_length) {}

    Result<SewnPanels> run() {
        if (!(edge_length_ > 0 && edge_length_ <= 1e6)) {
            return Error{"edge_length",
                         fmt::format("must be above 0 and at most 1e6, got {:g}", edge_length_)};
        }
        if (panels_.pieces.empty()) return Error{"pieces", "must not be empty"};
        for (std::size_t i = 0; i < panels_.pieces.size(); ++i) {
            if (auto error = check_piece(i)) return *error;
        }
        for (std::size_t i = 0; i < panels_.seams.size(); ++i) {
            if (auto error = mark_seam(i)) return *error;
        }
        for (std::size_t i = 0; i < panels_.pieces.size(); ++i) {
            mark_the_rest(pieces_[i]);
            if (auto error = fill(i)) return *error;
        }
        tie_seams();
        return std::move(result_);
    }

private:
    static std::string place_of(std::size_t piece, const char* field) {
        return fmt::format("pieces/{}/{}", piece, field);
    }

    // ---- Pieces ----

    Problem check_piece(std::size_t index) {
        const Panel& panel = panels_.pieces[index];
        const std::string place = place_of(index, "outline");
        if (!(panel.warp.x * panel.warp.x + panel.warp.y * panel.warp.y > 0))
            return Error{place_of(index, "warp"), "must not have length 0"};
        if (panel.outline.size() < 3) {
            return Error{place, fmt::format("needs at least 3 corners, got {}", panel.outline.size())};
        }
        if (panel.outline.size() > mesh::most_corners_of_concave_polygon) {
            return Error{place, fmt::format("must have at most {} corners, got {}",
                                            mesh::most_corners_of_concave_polygon, panel.outline.size())};
        }
        for (std::size_t i = 0; i < panel.outline.size(); ++i) {
            const Vec2 p = panel.outline[i];
            if (!(abs(p.x) <= 1e6f && abs(p.y) <= 1e6f)) {
                return Error{fmt::format("{}/{}", place, i),
                             fmt::format("must be within -1e6 … 1e6, got [{}, {}]", p.x, p.y)};
            }
            const std::size_t next = (i + 1) % panel.outline.size();
            if (p == panel.outline[next]) {
                return Error{
                    fmt::format("{}/{}", place, std::max(i, next)),
                    fmt::format("is the same point as corner {}; corners must differ, and the last is "
                                "joined to the first by itself",
                                std::min(i, next))};
            }
        }
        if (auto error = check_placement(index)) return error;
        const std::string name = panel.name.empty() ? fmt::format("piece{}", index) : panel.name;
        if (const auto [present, is_new] = numbers_.emplace(name, index); !is_new) {
            return Error{place_of(index, "name"),
                         fmt::format("\"{}\" is the name of piece {} already", name, present->second)};
        }
        pieces_.push_back({Outline(panel.outline), std::vector<bool>(panel.outline.size(), false), {}, {}});
        return check_outline(pieces_.back().outline, place);
    }

    Problem check_placement(std::size_t index) const {
        const Vec3& p = panels_.pieces[index].position;
        if (!(abs(p.x) <= 1e6f && abs(p.y) <= 1e6f && abs(p.z) <= 1e6f)) {
            return Error{place_of(index, "position"),
                         fmt::format("must be within -1e6 … 1e6, got [{}, {}, {}]", p.x, p.y, p.z)};
        }
        const double squared = squared_length(panels_.pieces[index].rotation);
        if (squared <= 1e-30) return Error{place_of(index, "rotation"), "must not have length 0"};
        if (!(squared <= 1e30)) {
            return Error{place_of(index, "rotation"),
                         fmt::format("must have a length of at most 1e15, got {:g}", sqrt(squared))};
        }
        return {};
    }

    Problem check_outline(const Outline& outline, const std::string& place) const {
        if (const auto sides = mesh::crossing_sides(outline.all_corners())) {
            const auto [i, j] = *sides;
            return Error{
                place,
                fmt::format("crosses itself: the side from corner {} to {} meets the one from {} to {}", i,
                            (i + 1) % outline.corners(), j, (j + 1) % outline.corners())};
        }
        const double points = outline.perimeter() / edge_length_;
        if (points > double(mesh::most_corners_of_concave_polygon)) return too_many_points(points, place);
        return {};
    }

    Error too_many_points(double points, const std::string& place) const {
        return {place,
                fmt::format("would have {:.0f} points with an edge_length of {:g}, at most {} are allowed",
                            points, edge_length_, mesh::most_corners_of_concave_polygon)};
    }

    // ---- Seams ----

    Result<Stretch> find_stretch(const SeamSide& side, const std::string& place) {
        Stretch stretch;
        const auto found = numbers_.find(side.panel);
        if (found == numbers_.end()) {
            std::vector<std::string_view> known;
            for (const auto& [name, number] : numbers_) known.push_back(name);
            return Error{place + "/panel", fmt::format("there is no piece \"{}\"; {}", side.panel,
                                                       suggestion(side.panel, known))};
        }
        stretch.panel = found->second;
        stretch.backward = side.backward;
        PanelMarks& piece = pieces_[stretch.panel];
        const Outline& outline = piece.outline;
        const std::size_t count = outline.corners();
        for (const auto& [key, corner] : {std::pair{"from", side.from}, std::pair{"to", side.to}}) {
            if (corner < count) continue;
            return Error{fmt::format("{}/{}", place, key),
                         fmt::format("must be a corner below {}, got {}", count, corner)};
        }

        std::size_t corner = side.from;
        stretch.corners.push_back({0, outline.distance_at(corner), true});
        do {
            const std::size_t edge = side.backward ? (corner + count - 1) % count : corner;
            if (piece.sewn[edge]) {
                return Error{place,
                             fmt::format("the side between corners {} and {} of \"{}\" is sewn already", edge,
                                         (edge + 1) % count, side.panel)};
            }
            piece.sewn[edge] = true;
            corner = side.backward ? edge : (corner + 1) % count;
            stretch.corners.push_back(
                {stretch.length() + outline.distance_at(edge + 1) - outline.distance_at(edge),
                 outline.distance_at(corner), outline.is_sharp(corner)});
        } while (corner != side.to);
        stretch.corners.back().sharp = true;
        return stretch;
    }

    // Where the outline of a stretch is marked at a distance from its start.
    double mark_at(const Stretch& stretch, double distance) const {
        for (const Stretch::Corner& corner : stretch.corners) {
            if (corner.distance == distance) return corner.mark;
        }
        const double start = stretch.corners.front().mark;
        return wrapped(stretch.backward ? start - distance : start + distance,
                       pieces_[stretch.panel].outline);
    }

    // Distances along both sides that belong together: their ends, and all sharp corners of either. Sharp
    // corners of the two that are nearly opposite become one.
    std::vector<std::array<double, 2>> matched_corners(const Stretch& a, const Stretch& b) const {
        const auto sharp = [](const Stretch& stretch) {
            std::vector<double> distances;
            for (const Stretch::Corner& corner : stretch.corners) {
                if (corner.sharp) distances.push_back(corner.distance);
            }
            return distances;
        };
        const std::vector<double> of_a = sharp(a), of_b = sharp(b);
        const double scale = b.length() / a.length(), near = edge_length_ / 2 * max(1.0, scale);
        std::vector<std::array<double, 2>> pairs{{0, 0}};
        std::vector<double> only_a, only_b;
        std::size_t i = 1, j = 1;
        while (i + 1 < of_a.size() && j + 1 < of_b.size()) {
            const double ahead = of_a[i] * scale - of_b[j];
            if (abs(ahead) <= near) {
                pairs.push_back({of_a[i++], of_b[j++]});
            } else if (ahead > 0) {
                only_b.push_back(of_b[j++]);
            } else {
                only_a.push_back(of_a[i++]);
            }
        }
        while (i + 1 < of_a.size()) only_a.push_back(of_a[i++]);
        while (j + 1 < of_b.size()) only_b.push_back(of_b[j++]);
        pairs.push_back({a.length(), b.length()});

        // A corner of one side alone lies opposite to a point in proportion between its neighbours.
        const std::vector<std::array<double, 2>> known = pairs;
        const auto add = [&](double distance, std::size_t own, std::size_t other) {
            std::size_t k = 1;
            while (known[k][own] < distance) ++k;
            const double share = (distance - known[k - 1][own]) / (known[k][own] - known[k - 1][own]);
            std::array<double, 2> pair{};
            pair[own] = distance;
            pair[other] = known[k - 1][other] + share * (known[k][other] - known[k - 1][other]);
            pairs.push_back(pair);
        };
        for (const double distance : only_a) add(distance, 0, 1);
        for (const double distance : only_b) add(distance, 1, 0);
        std::sort(pairs.begin(), pairs.end());
        return pairs;
    }

    Problem mark_seam(std::size_t index) {
        const std::string place = fmt::format("seams/{}", index);
        const auto a = find_stretch(panels_.seams[index].a, place + "/a");
        if (!a) return a.error();
        const auto b = find_stretch(panels_.seams[index].b, place + "/b");
        if (!b) return b.error();
        const auto tie = [&](double on_a, double on_b) {
            ties_.push_back({Mark{a->panel, mark_at(*a, on_a)}, Mark{b->panel, mark_at(*b, on_b)}});
            for (const Mark& mark : ties_.back()) pieces_[mark.panel].marks.push_back(mark.distance);
        };
        const auto corners = matched_corners(*a, *b);
        tie(0, 0);
        for (std::size_t i = 1; i < corners.size(); ++i) {
            const auto [from_a, from_b] = corners[i - 1];
            const auto [to_a, to_b] = corners[i];
            const int edges = edges_along(max(to_a - from_a, to_b - from_b), edge_length_);
            for (int k = 1; k < edges; ++k) {
                const double share = static_cast<double>(k) / edges;
                tie(from_a + (to_a - from_a) * share, from_b + (to_b - from_b) * share);
            }
            tie(to_a, to_b);
        }
        return {};
    }

    // ---- Triangles ----

    // What no seam has marked is cut evenly from stop to stop: sharp corners, and where seams begin or end.
    void mark_the_rest(PanelMarks& piece) const {
        const Outline& outline = piece.outline;
        const std::size_t count = outline.corners();
        const auto stops_at = [&](std::size_t corner) {
            return outline.is_sharp(corner) || piece.sewn[corner] || piece.sewn[(corner + count - 1) % count];
        };
        std::size_t first = 0;
        while (first < count && !stops_at(first)) ++first;
        const bool round = first == count;  // neither sharp nor sewn anywhere
        if (round) first = 0;
        for (std::size_t step = 0; step < count;) {
            const std::size_t start = (first + step) % count;
            double length = 0;
            std::size_t corner = start;
            do {
                length += outline.distance_at(corner + 1) - outline.distance_at(corner);
                corner = (corner + 1) % count;
                ++step;
            } while (step < count && !stops_at(corner));
            if (piece.sewn[start]) continue;
            const int edges = std::max(edges_along(length, edge_length_), round ? 3 : 1);
            for (int k = 0; k < edges; ++k) {
                piece.marks.push_back(wrapped(outline.distance_at(start) + length * k / edges, outline));
            }
        }
    }

    // The polygon through all marks, counterclockwise. Its points are floats, like all of the mesh.
    std::vector<Vec3d> polygon_of(PanelMarks& piece) const {
        std::vector<double>& marks = piece.marks;
        std::sort(marks.begin(), marks.end());
        marks.erase(std::unique(marks.begin(), marks.end()), marks.end());
        if (!piece.outline.is_counterclockwise()) std::reverse(marks.begin(), marks.end());
        std::vector<Vec3d> polygon;
        for (const double mark : marks) {
            piece.vertices[mark] = static_cast<std::uint32_t>(result_.mesh.positions.size() + polygon.size());
            polygon.push_back(round_to_float(piece.outline.point_at(mark)));
        }
        return polygon;
    }

    Problem fill(std::size_t index) {
        const std::vector<Vec3d> polygon = polygon_of(pieces_[index]);
        const std::string place = place_of(index, "outline");
        if (polygon.size() < 3 || mesh::crossing_sides(polygon)) {
            return Error{
                place, fmt::format("is too small or too narrow for an edge_length of {:g}; make that shorter",
                                   edge_length_)};
        }
        const auto filled = mesh::fill_polygon(polygon, edge_length_);
        if (!filled) return too_many_points(double(polygon.size()), place);
        const Panel& panel = panels_.pieces[index];
        TriangleMesh& mesh = result_.mesh;
        const auto first = static_cast<std::uint32_t>(mesh.positions.size());
        for (std::size_t i = 0; i < filled->positions.size(); ++i) {
            const Vec3d p = filled->positions[i] + Vec3d{0, 0, unevenness(i) * edge_length_};
            mesh.positions.push_back(to_float(rotate(panel.rotation, p) + to_double(panel.position)));
        }
        const auto texture = [&](std::uint32_t i) {
            const Vec3 p = to_float(filled->positions[i]);
            return Vec2{p.x, p.y};
        };
        const Vec3 warp = to_float(rotate(panel.rotation, Vec3d{panel.warp.x, panel.warp.y, 0}));
        for (const auto& [a, b, c] : filled->triangles) {
            mesh.triangles.push_back({first + a, first + b, first + c});
            result_.warp_directions.push_back(warp);
            mesh.texture_coordinates.push_back({texture(a), texture(b), texture(c)});
        }
        return {};
    }

    void tie_seams() {
        const auto vertex = [&](const Mark& mark) { return pieces_[mark.panel].vertices.at(mark.distance); };
        for (const auto& [a, b] : ties_) {
            const auto [low, high] = std::minmax({vertex(a), vertex(b)});
            if (low == high) continue;  // where a panel is sewn to itself, as at the tip of a dart
            result_.seams.push_back({low, high});
        }
        std::sort(result_.seams.begin(), result_.seams.end());
        result_.seams.erase(std::unique(result_.seams.begin(), result_.seams.end()), result_.seams.end());
    }

    const Panels& panels_;
    const double edge_length_;
    std::vector<PanelMarks> pieces_;
    std::map<std::string, std::size_t> numbers_;  // of the pieces, by name
    std::vector<std::array<Mark, 2>> ties_;
    SewnPanels result_;
};

}  // namespace

Result<SewnPanels> sew(const Panels& panels) {
    const StandardFloatingPoint floating_point;
    return Sewing(panels).run();
}

}  // namespace pliant
