// What exists: particles in the scene's order, bodies, elements, constraints. It does not change while a
// simulation runs, and no solver is in it.
#pragma once

#include <pliant/description.h>
#include <pliant/mesh.h>
#include <pliant/vector.h>
#include <pliant/view.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "constraints/constraint_list.h"

namespace pliant::model {

// How the compliance of a material part becomes that of a constraint with rest measure m (length, volume):
// from the part's compliance c, α = c · (uniform + per_measure · m).
struct ComplianceScale {
    float uniform = 1;
    float per_measure = 0;
    float closing_time = 0;  // s: until then, gaps close
};

// What may be changed of a material while a simulation runs.
struct MaterialValues {
    Elasticity elasticity{};
    constraints::MaterialConstants constants{};  // of the kinds that have some
};

// Constraints that share a material: a part of a body ("edges", "stretch", …), or an attachment.
struct MaterialPart {
    std::string body{}, name{};  // empty for attachments
    ComplianceScale scale{};
    MaterialValues at_start{};
    bool is_beside_chain = false;  // distances to second neighbours: no links of a strand
};

// Bodies that are tied to each other. They share a floating origin.
struct Island {
    double extent = 1;     // m, of its longest side at the start
    double size = 1;       // m, a power of two, at least the extent
    bool is_soft = false;  // has tetrahedra

    double grid() const { return size / 8; }  // m: origins are multiples of it
};

inline constexpr std::uint32_t no_anchor = 0xffffffff;

// The triangles of a cloth. It can be stretched as far as the material part lets it: of its edges, or of
// membranes, one for each triangle.
struct ClothSurface {
    std::uint32_t first_particle = 0, particles = 0;
    std::uint32_t first_triangle = 0, triangles = 0;
    std::uint32_t part = 0;
    MembraneModel model = MembraneModel::links;
};

// Chains that resist bending and twist, each of one material part: its distances are the segments, its angles
// the joints.
struct Rod {
    std::uint32_t stretch = 0, bending = 0, twisting = 0;  // parts
    float twist = 0;                                       // turns per m at the start
    bool is_straight_hair = false;  // thin, light and straight at rest: bending and stretch may be split
    bool is_flat = false;           // a ribbon: the first normal of its frames is along its width
    Vec3 side{};                    // of a ribbon: direction of its width at the first segment; 0: horizontal
    float curvature = 0;            // 1/m, about `side`, on top of that of the rest positions
};

// A particle that slides along the rope that a body is.
struct Ring {
    std::uint32_t particle = 0, body = 0;
};

// A particle at x₀ + a·(x₁ − x₀) + b·(x₂ − x₀) + c·n, n: normal of a triangle.
struct Rider {
    std::uint32_t particle = 0;
    Triangle triangle{};
    float a = 0, b = 0, c = 0;  // c: m
};

// How a body meets other bodies and itself.
struct BodyContact {
    float radius = 0;   // m, half its thickness; 0: it meets none
    float spacing = 0;  // m, the mean length of its edges
    float friction = 0, restitution = 0;
    bool bodies = true, self = false;
    std::uint64_t group = 0;    // a bit, or none
    std::uint64_t ignores = 0;  // bits of groups
};

// Whether two bodies may touch, or one itself.
inline bool may_touch(const BodyContact& a, const BodyContact& b, bool is_same) {
    if (is_same) return a.self;
    return a.bodies && b.bodies && !(a.ignores & b.group) && !(b.ignores & a.group);
}

// Whether nothing joins the particles of a body: with a radius, they are grains.
inline bool is_loose(const BodyView& body) {
    return body.tetrahedron_count + body.triangle_count + body.line_count == 0;
}

struct Model {
    // Particles: those that the user sees, body after body, then anchors (targets of attachments).
    std::size_t visible = 0;
    std::vector<Vec3> rest_positions;      // m, at the start, relative to the island's origin
    std::vector<float> inverse_masses;     // of pinned ones too, for when they are let go
    std::vector<std::uint8_t> is_dynamic;  // 0: pinned at the start, or an anchor
    std::vector<float> radii;              // m
    std::vector<std::uint32_t> island_of;  // each island has at least one particle
    std::vector<Island> islands;
    std::vector<BodyView> bodies;
    std::vector<BodyContact> contacts;  // of each body

    // Elements, of all bodies.
    std::vector<Tetrahedron> tetrahedra;
    std::vector<float> rest_volumes;               // m³, of each tetrahedron
    std::vector<std::uint32_t> tetrahedron_parts;  // whose elasticity is one over its Young's modulus, and
                                                   // whose first constant its Poisson's ratio
    std::vector<Triangle> triangles;
    std::vector<std::array<Vec2, 3>> texture_coordinates;  // of the triangles of some bodies
    std::vector<ClothSurface> cloths;
    std::vector<Edge> lines;
    std::vector<float> line_radii;  // m, of each body's lines in the air; 0 or empty: it has none
    std::vector<Rod> rods;
    std::vector<Ring> rings;
    std::vector<Rider> riders;

    constraints::ConstraintSet constraints;
    std::vector<MaterialPart> parts;
    std::vector<std::uint32_t> attachment_parts;  // of each attachment
    std::vector<std::uint32_t> anchors;           // particle of each attachment's point, or no_anchor

    std::size_t particles() const { return rest_positions.size(); }
    std::size_t constraint_count() const;
};

// Finds what islands need to know of their constraints and elements. Called once, when all lists are filled.
void complete(Model& model);

// Asserts that lists agree in length and indices are in range.
void validate(const Model& model);

// Over all that makes up a model: two that agree in it can exchange states.
std::uint64_t fingerprint(const Model& model);

}  // namespace pliant::model
