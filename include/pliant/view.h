// The view of a running simulation: spans into its own memory, valid until its next step or change.
#pragma once

#include <pliant/description.h>
#include <pliant/embedding.h>
#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace pliant {

// Which particles and elements of a View belong to a body.
struct BodyView {
    std::string name{};
    std::uint32_t first_particle = 0, particle_count = 0;
    std::uint32_t first_triangle = 0, triangle_count = 0;
    std::uint32_t first_line = 0, line_count = 0;
    std::uint32_t first_tetrahedron = 0, tetrahedron_count = 0;
    // Of each of its triangles, or none.
    std::uint32_t first_texture_coordinate = 0, texture_coordinate_count = 0;
    std::uint32_t island = 0;   // bodies that are tied together have the same number
    bool smooth_lines = false;  // its lines are pieces of one smooth curve: a rope
    // Of a ribbon: its lines are this wide along their normals, and this thick across them. 0: round.
    float line_width = 0, line_thickness = 0;  // m
    Weave weave = Weave::none;                 // of cloth
};

// A finer surface that rides on the tetrahedra of a body and is shown in its place. Triangles count the
// skin's own points, which skin_positions gives.
struct SkinView {
    std::uint32_t body = 0;
    std::span<const Triangle> triangles{};
    std::span<const std::array<Vec2, 3>> texture_coordinates{};  // empty, or one for each triangle
    const Embedding* embedding = nullptr;                        // counts the particles of the body
};

// A particle that is held in the world when the simulation starts: pinned, or attached to a point.
struct AnchorView {
    std::uint32_t particle = 0;
    Vec3d point{};  // m
};

// All that anyone needs to show a simulation or to write it to a file. Particles are in the order of the
// description, body after body; elements hold indices into positions.
struct View {
    std::span<const Vec3> positions{};      // m
    std::span<const Vec3> velocities{};     // m/s
    std::span<const float> radii{};         // m, of each particle, in contact
    std::span<const Triangle> triangles{};  // surface of all bodies
    std::span<const Edge> lines{};          // links of ropes and of particles
    // Of each line that resists twist, a direction across it that turns with it, of length 1; of other lines
    // 0. Empty where there are none.
    std::span<const Vec3> line_normals{};
    std::span<const Tetrahedron> tetrahedra{};
    std::span<const std::array<Vec2, 3>> texture_coordinates{};  // of the triangles of some bodies
    std::span<const BodyView> bodies{};
    std::span<const SkinView> skins{};
    std::span<const AnchorView> anchors{};
    std::span<const Collider> colliders{};  // where they are now
    std::uint64_t topology_version = 0;     // changes whenever triangles, lines or tetrahedra do
    Vec3 gravity{};                         // m/s²
    std::uint64_t frame = 0;
    double time = 0;  // s
};

// Where the points of a skin are now.
std::vector<Vec3> skin_positions(const View& view, const SkinView& skin);

enum class ContactPhase { began, lasted, ended };

// Two bodies, or a body and a collider, that touched in the last frame, or in the one before.
struct ContactReport {
    std::uint32_t body = 0;
    std::uint32_t other = 0;  // a body with a larger number, or a collider
    bool is_collider = false;
    ContactPhase phase = ContactPhase::began;
    Vec3d point{};    // m, the middle of where they touched, weighted by the impulse
    Vec3 normal{};    // towards the body: the direction of the push without friction; 0 if it has none
    Vec3d impulse{};  // N·s, on the body, of the whole frame, friction included
};

struct Diagnostics {
    double kinetic_energy = 0;    // J
    double potential_energy = 0;  // J: gravity about the world's origin, and compliant constraints
    double total_energy = 0;      // J
    Vec3d momentum;               // kg·m/s
    Vec3d angular_momentum;       // kg·m²/s, about the world's origin
    double volume = 0;            // m³, of all tetrahedra
    double rest_volume = 0;       // m³
    // |C| over the rest length or volume (attachments: over the size of the body)
    double worst_constraint_error = 0;
    double mean_constraint_error = 0;
    std::uint64_t inverted_tetrahedra = 0;
    std::uint64_t repaired_particles = 0;  // since the start: had left the range of numbers
    std::uint64_t rescues = 0;  // since the start: bodies × frames in which one was drawn to its rest shape
    std::uint64_t particles = 0;
    std::uint64_t constraints = 0;
};

// How much of a solid's stiffness is carried with the settings as they are.
struct Stiffness {
    std::string body{};
    double asked = 0;    // Pa, Young's modulus
    double carried = 0;  // Pa, about: the mean over the body
    // Per frame, that would carry nine tenths of it; 0 if no number up to 1000 would.
    int substeps = 0;
    double own_weight = 0;  // strain at its foot by its weight: density · gravity · height / asked
    double height = 0;      // m, along gravity
};

// A body that is in another one, in itself or in a collider.
struct Overlap {
    std::uint32_t body = 0;
    std::uint32_t other = 0;  // a body, perhaps the same, or a collider
    bool is_collider = false;
    double depth = 0;             // m, of the deepest particle; of bodies only if both are solids
    std::uint64_t crossings = 0;  // pairs of triangles of both bodies that meet
};

}  // namespace pliant
