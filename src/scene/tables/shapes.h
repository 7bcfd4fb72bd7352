// The field tables of the shapes from which bodies start.
#pragma once

#include <pliant/scene_file.h>

#include "base/fields.h"

namespace pliant {

template <>
struct Choices<TetrahedralizeMethod> {
    static constexpr std::array names{"delaunay", "lattice"};
};

namespace ranges {
inline constexpr Range size{0, 1e6, true};
inline constexpr Range cells{1, 4096};
}  // namespace ranges

template <>
struct FieldTable<scene::BoxShape> {
    static constexpr const char* name = "BoxShape";
    static constexpr const char* summary = "A box of tetrahedra, six per cell, about the origin.";
    static constexpr auto fields = std::tuple{
        Field{"size", &scene::BoxShape::size, "m", ranges::size, "Along x, y and z."},
        Field{"cells", &scene::BoxShape::cells, "", ranges::cells, "Along x, y and z."},
    };
};

template <>
struct FieldTable<scene::BallShape> {
    static constexpr const char* name = "BallShape";
    static constexpr const char* summary = "A ball of tetrahedra about the origin.";
    static constexpr auto fields = std::tuple{
        Field{"radius", &scene::BallShape::radius, "m", ranges::size, "Its radius."},
        Field{"layers", &scene::BallShape::layers, "", Range{1, 200},
              "Tetrahedra from the centre to the surface."},
    };
};

template <>
struct FieldTable<scene::CylinderShape> {
    static constexpr const char* name = "CylinderShape";
    static constexpr const char* summary = "A cylinder of tetrahedra along y.";
    static constexpr auto fields = std::tuple{
        Field{"radius", &scene::CylinderShape::radius, "m", ranges::size, "Its radius."},
        Field{"height", &scene::CylinderShape::height, "m", ranges::size, "Its height."},
        Field{"rings", &scene::CylinderShape::rings, "", Range{1, 200}, "Tetrahedra from the axis outward."},
        Field{"rows", &scene::CylinderShape::rows, "", ranges::cells, "Along the height."},
    };
};

template <>
struct FieldTable<scene::CapsuleShape> {
    static constexpr const char* name = "CapsuleShape";
    static constexpr const char* summary = "A cylinder of tetrahedra along y between two half balls.";
    static constexpr auto fields = std::tuple{
        Field{"radius", &scene::CapsuleShape::radius, "m", ranges::size, "Its radius."},
        Field{"height", &scene::CapsuleShape::height, "m", ranges::size, "Without the half balls."},
        Field{"rings", &scene::CapsuleShape::rings, "", Range{1, 200}, "Tetrahedra from the axis outward."},
        Field{"rows", &scene::CapsuleShape::rows, "", ranges::cells, "Along the height."},
    };
};

template <>
struct FieldTable<scene::TorusShape> {
    static constexpr const char* name = "TorusShape";
    static constexpr const char* summary = "A ring of tetrahedra about y.";
    static constexpr auto fields = std::tuple{
        Field{"major_radius", &scene::TorusShape::major_radius, "m", ranges::size,
              "From the axis to the middle of the tube."},
        Field{"minor_radius", &scene::TorusShape::minor_radius, "m", ranges::size,
              "Of the tube; less than the major one."},
        Field{"rings", &scene::TorusShape::rings, "", Range{1, 200},
              "Tetrahedra from the middle of the tube outward."},
        Field{"segments", &scene::TorusShape::segments, "", Range{3, 4096}, "Once round."},
    };
};

template <>
struct FieldTable<scene::SheetShape> {
    static constexpr const char* name = "SheetShape";
    static constexpr const char* summary =
        "A sheet in the xz plane, two triangles per cell, about the origin.";
    static constexpr auto fields = std::tuple{
        Field{"width", &scene::SheetShape::width, "m", ranges::size, "Along x."},
        Field{"depth", &scene::SheetShape::depth, "m", ranges::size, "Along z."},
        Field{"columns", &scene::SheetShape::columns, "", ranges::cells, "Cells along x."},
        Field{"rows", &scene::SheetShape::rows, "", ranges::cells, "Cells along z."},
    };
};

template <>
struct FieldTable<scene::TubeShape> {
    static constexpr const char* name = "TubeShape";
    static constexpr const char* summary = "A cylinder of triangles along y, open at both ends.";
    static constexpr auto fields = std::tuple{
        Field{"radius", &scene::TubeShape::radius, "m", ranges::size, "Its radius."},
        Field{"height", &scene::TubeShape::height, "m", ranges::size, "Its height."},
        Field{"segments", &scene::TubeShape::segments, "", Range{3, 4096}, "Once round."},
        Field{"rows", &scene::TubeShape::rows, "", ranges::cells, "Along the height."},
    };
};

template <>
struct FieldTable<scene::SphereShape> {
    static constexpr const char* name = "SphereShape";
    static constexpr const char* summary = "A closed surface about the origin, of even triangles.";
    static constexpr auto fields = std::tuple{
        Field{"radius", &scene::SphereShape::radius, "m", ranges::size, "Its radius."},
        Field{"frequency", &scene::SphereShape::frequency, "", Range{1, 500},
              "Cuts of each side of an icosahedron's faces."},
    };
};

template <>
struct FieldTable<scene::LineShape> {
    static constexpr const char* name = "LineShape";
    static constexpr const char* summary = "Points on a straight line.";
    static constexpr auto fields = std::tuple{
        Field{"from", &scene::LineShape::from, "m", ranges::any, "The first point."},
        Field{"to", &scene::LineShape::to, "m", ranges::any, "The last point."},
        Field{"links", &scene::LineShape::links, "", Range{1, 1e6}, "One less than the points."},
    };
};

template <>
struct FieldTable<scene::HelixShape> {
    static constexpr const char* name = "HelixShape";
    static constexpr const char* summary = "Points on a screw line about y.";
    static constexpr auto fields = std::tuple{
        Field{"radius", &scene::HelixShape::radius, "m", ranges::size, "Its radius."},
        Field{"height", &scene::HelixShape::height, "m", ranges::size, "From end to end."},
        Field{"turns", &scene::HelixShape::turns, "", Range{-1000, 1000}, "How often round."},
        Field{"links", &scene::HelixShape::links, "", Range{1, 1e6}, "One less than the points."},
    };
};

template <>
struct FieldTable<scene::GrainsShape> {
    static constexpr const char* name = "GrainsShape";
    static constexpr const char* summary = "Points that fill a box about the origin, almost in rows.";
    static constexpr auto fields = std::tuple{
        Field{"size", &scene::GrainsShape::size, "m", ranges::size, "Sides of the box."},
        Field{"spacing", &scene::GrainsShape::spacing, "m", ranges::size,
              "From row to row. At least twice the radius of the body, or they overlap at the start."},
        Field{"jitter", &scene::GrainsShape::jitter, "", Range{0, 1},
              "How far points are from their places, at random: in spacings."},
        Field{"seed", &scene::GrainsShape::seed, "", Range{0, 1e9}, "Of the random numbers."},
    };
};

template <>
struct FieldTable<scene::FileShape> {
    static constexpr const char* name = "FileShape";
    static constexpr const char* summary =
        "A mesh file, relative to the scene's directory: a surface (.obj, .ply, .stl) or, for soft bodies, "
        "tetrahedra (.msh, .node, .ele, .vtu).";
    static constexpr bool bare = true;
    static constexpr auto fields = std::tuple{
        Field{"path", &scene::FileShape::path, "", ranges::any, "The file.", Presence::required},
    };
};

template <>
struct FieldTable<scene::PointsShape> {
    static constexpr const char* name = "PointsShape";
    static constexpr const char* summary = "Points one by one.";
    static constexpr bool bare = true;
    static constexpr auto fields = std::tuple{
        Field{"points", &scene::PointsShape::points, "m", ranges::any, "The points.", Presence::required},
    };
};

template <>
struct FieldTable<Panel> {
    static constexpr const char* name = "Panel";
    static constexpr const char* summary = "A flat piece of cloth.";
    static constexpr auto fields = std::tuple{
        Field{"name", &Panel::name, "", ranges::any,
              "By which seams refer to it; piece0, piece1 … if not given."},
        Field{"outline", &Panel::outline, "m", Range{-1e6, 1e6},
              "Corners (x to the right, y up) of a polygon that does not cross itself, either way round.",
              Presence::required},
        Field{"position", &Panel::position, "m", ranges::any, "Where the outline's own origin is."},
        Field{"rotation", &Panel::rotation, "", ranges::any,
              "Degrees about x, then y, then z; or a quaternion (x, y, z, w) of any length but 0."},
        Field{"warp", &Panel::warp, "", Range{-1e6, 1e6},
              "Along which the warp runs, in the plane of the outline."},
    };
};

template <>
struct FieldTable<SeamSide> {
    static constexpr const char* name = "SeamSide";
    static constexpr const char* summary = "A stretch of a piece's outline, from corner to corner.";
    static constexpr auto fields = std::tuple{
        Field{"panel", &SeamSide::panel, "", ranges::any, "The name of the piece.", Presence::required},
        Field{"from", &SeamSide::from, "", ranges::index, "Number of the corner where it starts.",
              Presence::required},
        Field{"to", &SeamSide::to, "", ranges::index, "Where it ends; if it is the same corner, once round.",
              Presence::required},
        Field{"backward", &SeamSide::backward, "", ranges::any, "Against the order of the corners."},
    };
};

template <>
struct FieldTable<Seam> {
    static constexpr const char* name = "Seam";
    static constexpr const char* summary = "Sews two stretches together, starts to starts, ends to ends.";
    static constexpr auto fields = std::tuple{
        Field{"a", &Seam::a, "", ranges::any, "One stretch.", Presence::required},
        Field{"b", &Seam::b, "", ranges::any, "The other; the longer one is gathered.", Presence::required},
    };
};

template <>
struct FieldTable<Panels> {
    static constexpr const char* name = "Panels";
    static constexpr const char* summary = "Flat pieces, filled with even triangles and sewn along seams.";
    static constexpr auto fields = std::tuple{
        Field{"edge_length", &Panels::edge_length, "m", ranges::size, "Wished, of the triangles."},
        Field{"pieces", &Panels::pieces, "", ranges::any, "At least one.", Presence::required},
        Field{"seams", &Panels::seams, "", ranges::any, "Pairs of stretches that are sewn together."},
    };
};

template <>
struct FieldTable<TetrahedralMesh> {
    static constexpr const char* name = "TetrahedralMesh";
    static constexpr const char* summary = "Points and tetrahedra one by one.";
    static constexpr auto fields = std::tuple{
        Field{"positions", &TetrahedralMesh::positions, "m", ranges::any, "The points.", Presence::required},
        Field{"tetrahedra", &TetrahedralMesh::tetrahedra, "", ranges::index,
              "Four indices each, of positive volume.", Presence::required},
    };
};

template <>
struct FieldTable<TriangleMesh> {
    static constexpr const char* name = "TriangleMesh";
    static constexpr const char* summary = "Points and triangles one by one.";
    static constexpr auto fields = std::tuple{
        Field{"positions", &TriangleMesh::positions, "m", ranges::any, "The points.", Presence::required},
        Field{"triangles", &TriangleMesh::triangles, "", ranges::index, "Three indices each.",
              Presence::required},
    };
};

template <>
struct FieldTable<TetrahedralizeOptions> {
    static constexpr const char* name = "TetrahedralizeOptions";
    static constexpr const char* summary = "How a surface is filled with tetrahedra.";
    static constexpr auto fields = std::tuple{
        Field{"method", &TetrahedralizeOptions::method, "", ranges::any,
              "lattice takes any surface; delaunay keeps a good one's vertices."},
        Field{"edge_length", &TetrahedralizeOptions::edge_length, "m", Range{0, 1e6},
              "Wished; 0: from the resolution."},
        Field{"resolution", &TetrahedralizeOptions::resolution, "", Range{1, 200},
              "Edges along the longest side of the bounding box."},
    };
};

}  // namespace pliant
