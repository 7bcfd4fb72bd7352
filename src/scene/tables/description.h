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
struct Choices<Levels> {
    static constexpr std::array names{"auto", "off"};
};

template <>
struct Choices<ContactQuality> {
    static constexpr std::array names{"off", "surfaces", "safe"};
};

template <>
struct FieldTable<Elasticity> {
    static constexpr const char* name = "Elasticity";
    static constexpr const char* summary = "How a group of constraints gives way.";
    static constexpr auto fields = std::tuple{
        Field{"compliance", &Elasticity::compliance, "", ranges::not_negative,
              "Inverse stiffness; its unit depends on the use; 0 is rigid. XPBD."},
        Field{"damping", &Elasticity::damping, "s", ranges::not_negative,
              "Retardation time: viscosity over stiffness; 0 is none. XPBD."},
        Field{"stiffness", &Elasticity::stiffness, "", ranges::share,
              "Share of an error that the iterations of a substep remove. PBD."},
    };
};

template <>
struct FieldTable<BodyContact> {
    static constexpr const char* name = "BodyContact";
    static constexpr const char* summary =
        "How a body meets other bodies and itself. Of two that touch, friction is the square root of the "
        "product of theirs, restitution the larger of theirs.";
    static constexpr auto fields = std::tuple{
        Field{"bodies", &BodyContact::bodies, "", ranges::any, "Whether it touches other bodies."},
        Field{"self", &BodyContact::self, "", ranges::any,
              "Whether it touches itself. A cloth then takes several times as long. Grains always do."},
        Field{"friction", &BodyContact::friction, "", ranges::not_negative, "Coulomb's coefficient."},
        Field{"restitution", &BodyContact::restitution, "", ranges::share,
              "Share of the normal speed that returns."},
        Field{"thickness", &BodyContact::thickness, "m", Range{0, 1e6},
              "0: twice the radius of the body or of its rope, that of a thread for hair, or a share of the "
              "mean "
              "length of its edges: 0.3 for cloth, 0.2 for ropes, 0.1 for solids."},
        Field{"group", &BodyContact::group, "", ranges::any, "A name that other bodies may ignore."},
        Field{"ignores", &BodyContact::ignores, "", ranges::any, "Groups that it does not touch."},
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
        Field{"contact", &Body::contact, "", ranges::any, "With other bodies and itself."},
    };
};

template <>
struct FieldTable<Attachment> {
    static constexpr const char* name = "Attachment";
    static constexpr const char* summary = "Ties a particle to a point of the world or to another particle.";
    static constexpr auto fields = std::tuple{
        Field{"elasticity", &Attachment::elasticity, "m/N", ranges::any, "Of the tie."},
        Field{"rest_length", &Attachment::rest_length, "m", ranges::not_negative,
              "How far from its target the particle is held."},
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
        Field{"inverted", &Collider::inverted, "", ranges::any,
              "Whether the inside is free and all else is solid: a bowl, a room."},
        Field{"surface_velocity", &Collider::surface_velocity, "m/s", Range{-1e6, 1e6},
              "Of the surface along itself, as a conveyor's: it drags by friction, and nothing moves."},
    };
};

template <>
struct FieldTable<Settings> {
    static constexpr const char* name = "Settings";
    static constexpr const char* summary = "How it is solved. All of it may change while running.";
    static constexpr auto fields = std::tuple{
        Field{"method", &Settings::method, "", ranges::any, "How constraints are projected."},
        Field{"quasistatic", &Settings::quasistatic, "", ranges::any,
              "No inertia: velocities are forgotten in each substep, and bodies go where forces balance."},
        Field{"time_step", &Settings::time_step, "s", Range{1e-6, 1}, "One frame."},
        Field{"substeps", &Settings::substeps, "", ranges::count, "Per frame. Worth more than iterations."},
        Field{"iterations", &Settings::iterations, "", ranges::count, "Per substep."},
        Field{"gravity", &Settings::gravity, "m/s²", Range{-1e6, 1e6},
              "Acceleration of everything that moves."},
        Field{"wind", &Settings::wind, "m/s", Range{-1e4, 1e4}, "Velocity of the air."},
        Field{"air_density", &Settings::air_density, "kg/m³", Range{0, 1e6},
              "0: no air and no wind; 1.2 at the ground."},
        Field{"air_drag", &Settings::air_drag, "", Range{0, 100},
              "Coefficient of a thin surface across the air: of the force ½ρ·c·area·speed²."},
        Field{"air_friction", &Settings::air_friction, "", Range{0, 100}, "The same along the air."},
        Field{"gusts", &Settings::gusts, "", ranges::share,
              "Share of the wind by which it becomes stronger and weaker."},
        Field{"gust_seconds", &Settings::gust_seconds, "s", Range{0.01, 1e6}, "Period of the slowest gusts."},
        Field{"turbulence", &Settings::turbulence, "", Range{0, 100},
              "Speed of eddies along each axis (RMS) over that of the wind, which carries them along."},
        Field{"eddy_size", &Settings::eddy_size, "m", Range{1e-3, 1e6},
              "Of the largest eddies; the smallest have an eighth of it."},
        Field{"wind_seed", &Settings::wind_seed, "", ranges::index, "Of gusts and eddies."},
        Field{"damping", &Settings::damping, "", ranges::share,
              "Share of all but the rigid motion that goes, per frame."},
        Field{"drag", &Settings::drag, "", ranges::share, "Share of all motion that goes, per frame."},
        Field{"keep_momentum", &Settings::keep_momentum, "", ranges::any,
              "Bodies in free flight keep their linear and angular momentum."},
        Field{"correction_speed", &Settings::correction_speed, "sizes/s", ranges::positive,
              "The constraints of a body with tetrahedra make nothing in it faster."},
        Field{"settling", &Settings::settling, "1/s", ranges::not_negative,
              "How fast what lies on something and hardly moves loses its vibration."},
        Field{"levels", &Settings::levels, "", ranges::any,
              "Whether levels carry what is too stiff for a sweep over elements or edges: of solids and "
              "cloth."},
        Field{"contact_quality", &Settings::contact_quality, "", ranges::any,
              "How bodies find that they touch each other and themselves."},
        Field{"report_contacts", &Settings::report_contacts, "", ranges::any,
              "Whether a simulation says what touched in each frame, and with what impulse."},
    };
};

}  // namespace pliant
