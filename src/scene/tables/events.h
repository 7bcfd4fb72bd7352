// The field tables of what happens in a scene, how it is shown, and what is expected of it.
#pragma once

#include "scene/tables/file.h"

namespace pliant {

// ---- Events ----

template <>
struct FieldTable<scene::Squash> {
    static constexpr const char* name = "Squash";
    static constexpr const char* summary = "Presses a body flat, at rest.";
    static constexpr auto fields = std::tuple{
        Field{"body", &scene::Squash::body, "", ranges::any, "Its name.", Presence::required},
        Field{"height", &scene::Squash::height, "m", ranges::any, "y of every particle."},
        Field{"seconds", &scene::Squash::seconds, "s", ranges::seconds, "How long it is held so."},
    };
};

template <>
struct FieldTable<scene::Translate> {
    static constexpr const char* name = "Translate";
    static constexpr const char* summary = "Puts a body elsewhere.";
    static constexpr auto fields = std::tuple{
        Field{"body", &scene::Translate::body, "", ranges::any, "Its name.", Presence::required},
        Field{"offset", &scene::Translate::offset, "m", ranges::any, "From where it is.", Presence::required},
    };
};

template <>
struct FieldTable<scene::Grab> {
    static constexpr const char* name = "Grab";
    static constexpr const char* summary = "A hand takes hold of the particle nearest to a point.";
    static constexpr auto fields = std::tuple{
        Field{"hand", &scene::Grab::hand, "", ranges::any, "A name of your own.", Presence::required},
        Field{"point", &scene::Grab::point, "m", ranges::any, "In the world, at that time.",
              Presence::required},
    };
};

template <>
struct FieldTable<scene::Drag> {
    static constexpr const char* name = "Drag";
    static constexpr const char* summary = "A hand moves what it holds, evenly.";
    static constexpr auto fields = std::tuple{
        Field{"hand", &scene::Drag::hand, "", ranges::any, "One that grabbed before.", Presence::required},
        Field{"to", &scene::Drag::to, "m", ranges::any, "Where to.", Presence::required},
        Field{"seconds", &scene::Drag::seconds, "s", ranges::seconds, "How long it takes."},
    };
};

template <>
struct FieldTable<scene::Release> {
    static constexpr const char* name = "Release";
    static constexpr const char* summary = "A hand lets go; what it held flies on.";
    static constexpr auto fields = std::tuple{
        Field{"hand", &scene::Release::hand, "", ranges::any, "One that grabbed before.", Presence::required},
    };
};

template <>
struct FieldTable<scene::Pin> {
    static constexpr const char* name = "Pin";
    static constexpr const char* summary = "Stops particles where they are.";
    static constexpr auto fields = std::tuple{Include{&scene::Pin::particles}};
};

template <>
struct FieldTable<scene::Unpin> {
    static constexpr const char* name = "Unpin";
    static constexpr const char* summary = "Lets pinned particles go.";
    static constexpr auto fields = std::tuple{Include{&scene::Unpin::particles}};
};

template <>
struct FieldTable<scene::ChangeSolver> {
    static constexpr const char* name = "ChangeSolver";
    static constexpr const char* summary =
        "Changes settings, such as gravity. Other settings are those of the scene's solver.";
    static constexpr auto fields = std::tuple{
        Field{"seconds", &scene::ChangeSolver::seconds, "s", ranges::seconds,
              "How long it takes: numbers above 0 change by equal factors, others evenly."},
        Include{&scene::ChangeSolver::settings},
    };
};

template <>
struct FieldTable<scene::ChangeElasticity> {
    static constexpr const char* name = "ChangeElasticity";
    static constexpr const char* summary =
        "Makes a part of a body softer or stiffer. Other values are those of the body at the start.";
    static constexpr auto fields = std::tuple{
        Field{"body", &scene::ChangeElasticity::body, "", ranges::any, "Its name.", Presence::required},
        Field{"part", &scene::ChangeElasticity::part, "", ranges::any,
              "edges or volumes of soft, stretch or bending of cloth, stretch of rope, link of particles.",
              Presence::required},
        Field{"seconds", &scene::ChangeElasticity::seconds, "s", ranges::seconds,
              "How long it takes: numbers above 0 change by equal factors, others evenly."},
        Include{&scene::ChangeElasticity::elasticity},
    };
};

template <>
struct FieldTable<scene::ChangeMaterial> {
    static constexpr const char* name = "ChangeMaterial";
    static constexpr const char* summary =
        "Makes a soft body softer or stiffer. Other values are those of the preset, else of the body at the "
        "start.";
    static constexpr auto fields = std::tuple{
        Field{"body", &scene::ChangeMaterial::body, "", ranges::any, "Its name. It is not of springs.",
              Presence::required},
        Field{"preset", &scene::ChangeMaterial::preset, "", ranges::any,
              "A material by name, without its density."},
        Field{"seconds", &scene::ChangeMaterial::seconds, "s", ranges::seconds,
              "How long it takes: numbers above 0 change by equal factors, others evenly."},
        Field{"young_modulus", &scene::ChangeMaterial::young_modulus, "Pa", ranges::young_modulus,
              "Stress over strain when stretched."},
        Field{"poisson_ratio", &scene::ChangeMaterial::poisson_ratio, "", ranges::poisson_ratio,
              "Share of the stretching by which it thins."},
        Field{"damping", &scene::ChangeMaterial::damping, "s", ranges::not_negative,
              "Retardation time: viscosity over stiffness; 0 is none."},
    };
};

template <>
struct FieldTable<scene::Event> {
    static constexpr const char* name = "Event";
    static constexpr const char* summary = "Something that happens at a time.";
    static constexpr auto fields = std::tuple{
        Field{"time", &scene::Event::time, "s", ranges::seconds, "At the frame that begins nearest to it.",
              Presence::required},
        OneOf{"action", &scene::Event::action,
              std::array{"squash", "translate", "grab", "drag", "release", "pin", "unpin", "solver",
                         "elasticity", "material"}},
    };
};

// ---- The picture ----

template <>
struct FieldTable<scene::Camera> {
    static constexpr const char* name = "Camera";
    static constexpr const char* summary = "The point of view; if not given, one that shows everything.";
    static constexpr auto fields = std::tuple{
        Field{"position", &scene::Camera::position, "m", ranges::any, "The eye."},
        Field{"target", &scene::Camera::target, "m", ranges::any, "The point that it looks at."},
        Field{"field_of_view", &scene::Camera::field_of_view, "°", Range{1, 170},
              "From bottom to top; more in pictures narrower than 4 : 3."},
    };
};

template <>
struct FieldTable<scene::Light> {
    static constexpr const char* name = "Light";
    static constexpr const char* summary = "The sun.";
    static constexpr auto fields = std::tuple{
        Field{"direction", &scene::Light::direction, "", ranges::any, "Towards it; any length but 0."},
    };
};

// ---- Expectations ----

template <>
struct FieldTable<scene::VolumeRatio> {
    static constexpr const char* name = "VolumeRatio";
    static constexpr const char* summary = "The volume of all tetrahedra over that at rest.";
    static constexpr auto fields = std::tuple{
        Field{"low", &scene::VolumeRatio::low, "", ranges::any, "At least."},
        Field{"high", &scene::VolumeRatio::high, "", ranges::any, "At most."},
    };
};

template <>
struct FieldTable<scene::Inverted> {
    static constexpr const char* name = "Inverted";
    static constexpr const char* summary = "How many tetrahedra are inside out, at most.";
    static constexpr bool bare = true;
    static constexpr auto fields = std::tuple{
        Field{"at_most", &scene::Inverted::at_most, "", ranges::index, "At most.", Presence::required},
    };
};

template <>
struct FieldTable<scene::Crossings> {
    static constexpr const char* name = "Crossings";
    static constexpr const char* summary =
        "How many pairs of triangles go through each other, of one body or of two, at most. Bodies that may "
        "not "
        "touch, and bodies that may not touch themselves, are not looked at.";
    static constexpr bool bare = true;
    static constexpr auto fields = std::tuple{
        Field{"at_most", &scene::Crossings::at_most, "", ranges::index, "At most.", Presence::required},
    };
};

template <>
struct FieldTable<scene::ConstraintError> {
    static constexpr const char* name = "ConstraintError";
    static constexpr const char* summary = "The worst error, over the rest length or volume, at most.";
    static constexpr bool bare = true;
    static constexpr auto fields = std::tuple{
        Field{"at_most", &scene::ConstraintError::at_most, "", ranges::not_negative, "At most.",
              Presence::required},
    };
};

template <>
struct FieldTable<scene::EnergyRise> {
    static constexpr const char* name = "EnergyRise";
    static constexpr const char* summary = "The total energy above that at the start, at most.";
    static constexpr bool bare = true;
    static constexpr auto fields = std::tuple{
        Field{"at_most", &scene::EnergyRise::at_most, "J", ranges::any, "At most.", Presence::required},
    };
};

template <>
struct FieldTable<scene::Speed> {
    static constexpr const char* name = "Speed";
    static constexpr const char* summary = "The speed of the fastest particle, at most.";
    static constexpr bool bare = true;
    static constexpr auto fields = std::tuple{
        Field{"at_most", &scene::Speed::at_most, "m/s", ranges::not_negative, "At most.", Presence::required},
    };
};

template <>
struct FieldTable<scene::Height> {
    static constexpr const char* name = "Height";
    static constexpr const char* summary = "The mean height of a body's particles.";
    static constexpr auto fields = std::tuple{
        Field{"body", &scene::Height::body, "", ranges::any, "Its name.", Presence::required},
        Field{"low", &scene::Height::low, "m", ranges::any, "At least."},
        Field{"high", &scene::Height::high, "m", ranges::any, "At most."},
    };
};

template <>
struct FieldTable<scene::Center> {
    static constexpr const char* name = "Center";
    static constexpr const char* summary = "The mean position of a body's particles.";
    static constexpr auto fields = std::tuple{
        Field{"body", &scene::Center::body, "", ranges::any, "Its name.", Presence::required},
        Field{"near", &scene::Center::near, "m", ranges::any, "Where it should be.", Presence::required},
        Field{"within", &scene::Center::within, "m", ranges::not_negative, "How far off it may be.",
              Presence::required},
    };
};

template <>
struct FieldTable<scene::Spin> {
    static constexpr const char* name = "Spin";
    static constexpr const char* summary = "How fast a body turns, its particles taken as equally heavy.";
    static constexpr auto fields = std::tuple{
        Field{"body", &scene::Spin::body, "", ranges::any, "Its name.", Presence::required},
        Field{"low", &scene::Spin::low, "rad/s", ranges::not_negative, "At least."},
        Field{"high", &scene::Spin::high, "rad/s", ranges::not_negative, "At most."},
    };
};

template <>
struct FieldTable<scene::Stretch> {
    static constexpr const char* name = "Stretch";
    static constexpr const char* summary =
        "How much longer than at the start an edge of a body's triangles is.";
    static constexpr auto fields = std::tuple{
        Field{"body", &scene::Stretch::body, "", ranges::any, "Its name.", Presence::required},
        Field{"at_most", &scene::Stretch::at_most, "", ranges::not_negative,
              "Of the worst edge, over its length at the start.", Presence::required},
    };
};

template <>
struct FieldTable<scene::StateHash> {
    static constexpr const char* name = "StateHash";
    static constexpr const char* summary = "The state's hash, as pliant run --json prints it.";
    static constexpr bool bare = true;
    static constexpr auto fields = std::tuple{
        Field{"hash", &scene::StateHash::hash, "", ranges::any, "16 hexadecimal digits.", Presence::required},
    };
};

template <>
struct FieldTable<scene::Expectation> {
    static constexpr const char* name = "Expectation";
    static constexpr const char* summary = "Something that pliant check --run makes sure of.";
    static constexpr auto fields = std::tuple{
        OneOf{"what", &scene::Expectation::what,
              std::array{"volume_ratio", "inverted", "crossings", "constraint_error", "energy_rise", "speed",
                         "height", "center", "spin", "stretch", "state_hash"}},
        Field{"when", &scene::Expectation::when, "", ranges::any, "After the last frame, or after each."},
    };
};

// ---- All of it ----

// In the order in which it is read: what others refer to comes first.
template <>
struct FieldTable<scene::File> {
    static constexpr const char* name = "Scene";
    static constexpr const char* summary = "A whole scene file.";
    static constexpr auto fields = std::tuple{
        Field{"about", &scene::File::about, "", ranges::any, "A line about the scene."},
        Field{"frames", &scene::File::frames, "", Range{1, 1e6}, "How long it runs, if not told otherwise."},
        Field{"solver", &scene::File::solver, "", ranges::any, "How it is solved."},
        Field{"materials", &scene::File::materials, "", ranges::any, "Materials that bodies share."},
        Field{"bodies", &scene::File::bodies, "", ranges::any, "All that moves.", Presence::required},
        Field{"skeletons", &scene::File::skeletons, "", ranges::any,
              "Joints that carry colliders and attachments."},
        Field{"attachments", &scene::File::attachments, "", ranges::any,
              "Particles tied to points or to each other."},
        Field{"rings", &scene::File::rings, "", ranges::any, "Particles that slide along ropes."},
        Field{"colliders", &scene::File::colliders, "", ranges::any, "Solids that bodies cannot enter."},
        Field{"events", &scene::File::events, "", ranges::any, "Changes at given times."},
        Field{"camera", &scene::File::camera, "", ranges::any, "From where it is seen."},
        Field{"light", &scene::File::light, "", ranges::any, "Where the light comes from."},
        Field{
            "compare", &scene::File::compare, "", ranges::any,
            "Up to two lists such as solver/iterations=1,5,20: pliant render shows these runs side by side."},
        Field{"expect", &scene::File::expect, "", ranges::any, "Conditions that a run must meet."},
    };
};

}  // namespace pliant
