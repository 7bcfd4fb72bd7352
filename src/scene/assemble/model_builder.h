// Puts bodies into a model, one after the other: particles, constraints, elements.
#pragma once

#include <pliant/description.h>
#include <pliant/mesh.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/model.h"

namespace pliant {

// By particle, in the scene's order: what a model does not hold.
struct ParticleLists {
    std::vector<Vec3d> positions;  // m, in the world
    std::vector<double> masses;    // kg
    std::vector<Vec3> velocities;  // m/s
};

// Two triangles that meet: {end of the edge, other end, wing, wing}, and where these are at rest.
struct Hinge {
    std::array<std::uint32_t, 4> particles;
    std::array<Vec3d, 4> x;
    std::optional<float> rest_angle;  // rad, instead of that at rest
    float softness = 1;               // times the compliance of its part
};

class ModelBuilder {
public:
    ModelBuilder(model::Model& model, ParticleLists& particles) : model_(model), particles_(particles) {}

    // From the first call to the second, what is added is of this body, and indices count its particles.
    void begin_body(const std::string& name);
    void end_body();

    // At positions relative to the body's, with its velocity and radius.
    // radii: m; none, or one for each in place of the body's.
    void add_particles(const Body& body, std::span<const Vec3> positions, std::span<const double> masses,
                       std::span<const float> radii = {});

    // A part of the body's material, named as in its table; gives its number.
    std::uint32_t add_part(const Elasticity& elasticity, const char* name,
                           const model::ComplianceScale& scale = {},
                           const constraints::MaterialConstants& constants = {});

    // Constraints, at rest as the particles are at these positions.
    void add_distances(std::span<const Vec3> positions, std::span<const Edge> pairs, std::uint32_t part);
    void add_volumes(std::span<const Vec3> positions, std::span<const Tetrahedron> tetrahedra,
                     std::uint32_t part);
    void add_elements(Energy energy, std::span<const Vec3> positions, std::span<const Tetrahedron> tetrahedra,
                      std::uint32_t part);
    // warp: of each triangle.
    void add_membranes(MembraneModel model, std::span<const Vec3> positions,
                       std::span<const Triangle> triangles, std::span<const Vec3d> warp, std::uint32_t part);
    // At rest bent by the curvature (1/m), on top of what the positions are.
    void add_angles(std::span<const Vec3> positions, std::span<const std::array<std::uint32_t, 3>> chains,
                    float curvature, std::uint32_t part);
    // Distances to second neighbours, which hold a chain straight and are no part of it.
    void add_braces(std::span<const Vec3> positions, std::span<const Edge> pairs, std::uint32_t part);
    void add_hinge(const Hinge& hinge, BendingModel model, std::uint32_t part);
    // At rest at a length of their own, or together.
    void add_distance(const Edge& pair, float rest_length, std::uint32_t part);
    void add_ties(std::span<const Edge> pairs, std::uint32_t part);

    // What there is to see and to measure.
    // part: says how stiff they are.
    void add_tetrahedra(std::span<const Vec3> positions, std::span<const Tetrahedron> tetrahedra,
                        std::uint32_t part);
    void add_triangles(std::span<const Triangle> triangles);
    // All particles and triangles of the body are a cloth. part: says how it stretches.
    void add_cloth(std::uint32_t part, MembraneModel model);
    void set_weave(Weave weave) { body_.weave = weave; }
    void add_texture_coordinates(std::span<const std::array<Vec2, 3>> of_triangles);
    void add_lines(std::span<const Edge> lines);
    // Distances and angles of these parts are rods.
    void add_rod(const model::Rod& rod);
    void draw_lines_smoothly();                            // they are pieces of one curve
    void give_lines_radius(double radius);                 // m: the wind blows on them
    void draw_lines_flat(double width, double thickness);  // m: as a ribbon

    // Ties a particle to a point of the world or to another particle, which the references find in the bodies
    // added so far.
    void add_attachment(const Attachment& attachment);
    void add_ring(const Ring& ring);
    void add_rider(const Rider& rider);

private:
    template <class Kind>
    void add_constraint(std::span<const Vec3> positions, std::array<std::uint32_t, Kind::arity> members,
                        std::uint32_t part);
    std::uint32_t add_particle(const Vec3d& position, double mass, const Vec3& velocity, bool is_dynamic,
                               float radius);
    std::uint32_t particle_of(const ParticleReference& reference) const;

    model::Model& model_;
    ParticleLists& particles_;
    std::uint32_t first_ = 0;  // particle of the body
    BodyView body_;
};

}  // namespace pliant
