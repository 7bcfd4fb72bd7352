// What bodies are made of, collected body after body: particles, constraints, elements.
#pragma once

#include <pliant/description.h>
#include <pliant/mesh.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/model.h"

namespace pliant {

struct Assembly;
struct Part;

// By particle, in the scene's order.
struct ParticleLists {
    std::vector<Vec3d> positions;  // m, in the world
    std::vector<double> masses;    // kg
    std::vector<Vec3> velocities;  // m/s
};

class ModelBuilder {
public:
    ModelBuilder(Assembly& assembly, ModelInput& input, ParticleLists& particles)
        : assembly_(assembly), input_(input), particles_(particles) {}

    // From here on, what is added is of this body, and indices count its particles.
    void begin_body(const std::string& name);

    // At positions relative to the body's, with its velocity and radius.
    void add_particles(const Body& body, std::span<const Vec3> positions, std::span<const double> masses);

    // Of a part of the body, which is named as in its material; gives its number.
    std::uint32_t add_elasticity(const Elasticity& elasticity, const char* part,
                                 const ElasticityUse& use = {});

    template <class Kind>
    void add_constraint(std::array<std::uint32_t, Kind::arity> members,
                        const std::array<float, Kind::parameters>& parameters, std::uint32_t elasticity) {
        for (std::uint32_t& member : members) member += first_;
        std::get<ConstraintList<Kind>>(input_.constraints).add(members, parameters, elasticity);
    }
    // Distances between pairs of particles, at rest as they are.
    void add_distances(std::span<const Vec3> positions, std::span<const Edge> pairs,
                       std::uint32_t elasticity);

    // What there is to see and to measure.
    void add_tetrahedra(std::span<const Tetrahedron> tetrahedra);
    void add_triangles(std::span<const Triangle> triangles);
    void add_lines(std::span<const Edge> lines);

    // Of no body.
    std::uint32_t add_particle(const Vec3d& position, double mass, const Vec3& velocity, bool moves,
                               float radius);
    std::uint32_t add_attachment_elasticity(const Elasticity& elasticity);

private:
    std::uint32_t add_elasticity(const Elasticity& elasticity, const ElasticityUse& use, Part part);

    Assembly& assembly_;
    ModelInput& input_;
    ParticleLists& particles_;
    std::uint32_t first_ = 0;  // particle of the body
    std::string name_;         // of the body
};

}  // namespace pliant
