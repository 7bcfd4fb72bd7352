// The field tables of everything a description is made of.
#pragma once

#include <pliant/description.h>

#include "base/field_checks.h"
#include "collision/all.h"

namespace pliant {

template <>
struct Choices<Method> {
    static constexpr std::array names{"xpbd", "pbd"};
};

template <>
struct FieldTable<Elasticity> {
    static constexpr const char* name = "Elasticity";
    static constexpr const char* summary = "How a group of constraints gives way.";
    static constexpr auto fields = std::tuple{
        Field{"compliance", &Elasticity::compliance, "", ranges::not_negative,
              "Inverse stiffness, in the unit that stands at each use; 0 is rigid. XPBD."},
        Field{"damping", &Elasticity::damping, "s", ranges::not_negative,
              "Retardation time: viscosity over stiffness; 0 is none. XPBD."},
        Field{"stiffness", &Elasticity::stiffness, "", ranges::share,
              "Share of an error that the iterations of a substep remove. PBD."},
    };
};

template <>
struct FieldTable<SoftBody> {
    static constexpr const char* name = "SoftBody";
    static constexpr const char* summary = "Tetrahedra with a distance per edge and a volume each.";
    static constexpr auto fields = std::tuple{
        Field{"density", &SoftBody::density, "kg/m³", ranges::positive, "Mass per volume."},
        Field{"edges", &SoftBody::edges, "1/Pa", ranges::any,
              "Of the edges; about the inverse of Young's modulus, at any resolution."},
        Field{"volumes", &SoftBody::volumes, "1/Pa", ranges::any,
              "Of the volumes; the inverse of the bulk modulus, at any resolution."},
    };
};

template <>
struct FieldTable<Cloth> {
    static constexpr const char* name = "Cloth";
    static constexpr const char* summary = "Triangles with a distance per edge and across every inner edge.";
    static constexpr auto fields = std::tuple{
        Field{"area_density", &Cloth::area_density, "kg/m²", ranges::positive, "Mass per area."},
        Field{"stretch", &Cloth::stretch, "m/N", ranges::any, "Of each edge."},
        Field{"bending", &Cloth::bending, "m/N", ranges::any, "Of each pair of opposite vertices."},
        Field{"seam", &Cloth::seam, "m/N", ranges::any, "Of each pair of points that a seam holds together."},
        Field{"sewing_seconds", &Cloth::sewing_seconds, "s", Range{0, 1e6},
              "From the start, until seams are closed."},
    };
};

template <>
struct FieldTable<Rope> {
    static constexpr const char* name = "Rope";
    static constexpr const char* summary = "A chain of distances through its points.";
    static constexpr auto fields = std::tuple{
        Field{"linear_density", &Rope::linear_density, "kg/m", ranges::positive, "Mass per length."},
        Field{"stretch", &Rope::stretch, "1/N", ranges::any, "Strain per newton, at any number of links."},
    };
};

template <>
struct FieldTable<Particles> {
    static constexpr const char* name = "Particles";
    static constexpr const char* summary = "Particles, free or joined by links.";
    static constexpr auto fields = std::tuple{
        Field{"mass", &Particles::mass, "kg", ranges::positive, "Of each particle, unless masses are given."},
        Field{"link", &Particles::link, "m/N", ranges::any, "Of each link."},
    };
};

template <>
struct FieldTable<Body> {
    static constexpr const char* name = "Body";
    static constexpr const char* summary = "A shape, placed in the world.";
    static constexpr auto fields = std::tuple{
        Field{"position", &Body::position, "m", ranges::any, "Where the shape's own origin is."},
        Field{"velocity", &Body::velocity, "m/s", Range{-1e6, 1e6}, "Of every particle at the start."},
        Field{"radius", &Body::radius, "m", Range{0, 1e6}, "Of every particle, in contact."},
    };
};

template <>
struct FieldTable<Attachment> {
    static constexpr const char* name = "Attachment";
    static constexpr const char* summary = "Ties a particle to a point of the world or to another particle.";
    static constexpr auto fields = std::tuple{
        Field{"elasticity", &Attachment::elasticity, "m/N", ranges::any, "Of the tie."},
    };
};

template <>
struct FieldTable<Collider> {
    static constexpr const char* name = "Collider";
    static constexpr const char* summary = "A shape that particles do not enter, and its surface.";
    static constexpr auto fields = std::tuple{
        OneOf{"shape", &Collider::shape, collision::AllColliders::names},
        Field{"friction", &Collider::friction, "", ranges::not_negative, "Coulomb's coefficient."},
        Field{"restitution", &Collider::restitution, "", ranges::share,
              "Share of the normal speed that returns."},
    };
};

template <>
struct FieldTable<Settings> {
    static constexpr const char* name = "Settings";
    static constexpr const char* summary = "How it is solved. All of it may change while running.";
    static constexpr auto fields = std::tuple{
        Field{"method", &Settings::method, "", ranges::any, "How constraints are projected."},
        Field{"time_step", &Settings::time_step, "s", Range{1e-6, 1}, "One frame."},
        Field{"substeps", &Settings::substeps, "", ranges::count, "Per frame. Worth more than iterations."},
        Field{"iterations", &Settings::iterations, "", ranges::count, "Per substep."},
        Field{"gravity", &Settings::gravity, "m/s²", Range{-1e6, 1e6},
              "Acceleration of everything that moves."},
        Field{"wind", &Settings::wind, "m/s", Range{-1e4, 1e4}, "Velocity of the air."},
        Field{"air_density", &Settings::air_density, "kg/m³", Range{0, 1e6},
              "0: no air and no wind; 1.2 at the ground. The air pushes on surfaces, at right angles."},
        Field{"damping", &Settings::damping, "", ranges::share,
              "Share of all but the rigid motion that goes, per frame."},
    };
};

}  // namespace pliant
