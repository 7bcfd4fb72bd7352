// A description as flat lists, for the engines that are not Pliant.
#pragma once

#include <pliant/description.h>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace pliant::benchmarks {

struct DistanceConstraint {
    Edge particles;
    float rest_length = 0;  // m
};

struct VolumeConstraint {
    Tetrahedron particles;
    float rest_volume = 0;  // m³, signed
};

struct Problem {
    std::vector<Vec3> positions;
    std::vector<Vec3> velocities;
    std::vector<float> inverse_masses;  // 0: pinned
    std::vector<DistanceConstraint> distances;
    std::vector<VolumeConstraint> volumes;
    float distance_compliance = 0;  // m/N
    Settings settings;
};

// Nothing if the description has more than the plain loop can do: only particles with links and rigid
// soft bodies, moved by gravity, one iteration of XPBD a substep, without damping, contact or attachments.
std::optional<Problem> make_problem(const Description& description);

std::size_t particle_count(const Description& description);

// Mean |C| over the rest length or volume.
double residual(std::span<const DistanceConstraint> distances, std::span<const VolumeConstraint> volumes,
                std::span<const Vec3> positions);

}  // namespace pliant::benchmarks
