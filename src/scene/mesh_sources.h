// The points and elements from which the bodies of a scene file are made.
#pragma once

#include <pliant/error.h>
#include <pliant/scene_file.h>

#include <filesystem>
#include <string>
#include <vector>

namespace pliant {

// What a scene may ask for, so that a mistyped number does not eat all memory.
inline constexpr double most_cells = 1e6;

struct MeshSource {
    std::filesystem::path directory{};
    double cells = 0;                     // of all that was made so far
    std::vector<std::string> warnings{};  // about files
    TriangleMesh skin{};                  // of the last soft body: the surface that was filled
    std::vector<Edge> seams{};            // of the last cloth
};

// An Error's place is "" or the path to the field within the shape.
Result<TetrahedralMesh> make_mesh(const scene::Soft& body, MeshSource& source);
Result<TriangleMesh> make_mesh(const scene::ClothBody& body, MeshSource& source);
Result<std::vector<Vec3>> make_points(const scene::RopeBody& body, MeshSource& source);
Result<std::vector<Vec3>> make_points(const scene::ParticleBody& body, MeshSource& source);

}  // namespace pliant
