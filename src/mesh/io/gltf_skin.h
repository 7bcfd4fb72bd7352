// The skin of a glTF 2.0 file: joints that an animation moves, and vertices that joints carry.
#pragma once

#include <pliant/error.h>
#include <pliant/vector.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/rotation.h"

namespace pliant::mesh {

// x ↦ scale·R·x + offset
struct Similarity {
    double scale = 1;
    UnitQuaternion rotation{};
    Vec3d offset{};

    Vec3d operator()(const Vec3d& x) const { return rotate(rotation, x) * scale + offset; }
};
// First b, then a.
Similarity product(const Similarity& a, const Similarity& b);

struct GltfSkin {
    static constexpr std::size_t no_parent = static_cast<std::size_t>(-1);
    static constexpr double samples_per_second = 60;

    struct Joint {
        std::string name{};
        std::size_t parent = no_parent;    // comes before
        std::vector<Similarity> locals{};  // in its parent, at 0, 1/60 s, 2/60 s, …; at least one
    };
    struct Vertex {
        Vec3d position{};  // m, at the start of the animation
        std::array<std::uint32_t, 4> joints{};
        std::array<double, 4> weights{};  // their sum is 1
    };
    std::vector<Joint> joints{};     // those of the skin, and all nodes above them
    std::vector<Vertex> vertices{};  // of all meshes that wear the skin
};

// The first skin; the animation of that name, or the first if it is empty. A file without animation has a
// skin that stays. Errors begin with the file's name and the place in it.
Result<GltfSkin> read_gltf_skin(const std::filesystem::path& file, std::string_view animation);

}  // namespace pliant::mesh
