// Meshes in text, read without a file; a directory beside the tests that vanishes with its object.
#pragma once

#include <doctest/doctest.h>
#include <pliant/mesh_io.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "support/nasty_floats.h"
#include "support/random_source.h"

namespace pliant::test {

inline MeshFile<TriangleMesh> surface_of(std::string_view content, std::string_view extension) {
    auto result = parse_surface(content, extension, "test");
    if (!result) FAIL(result.error().text());
    return *result;
}

inline std::string surface_error(std::string_view content, std::string_view extension) {
    const auto result = parse_surface(content, extension, "test");
    return result ? "no error" : result.error().text();
}

inline MeshFile<TetrahedralMesh> tetrahedra_of(std::string_view content, std::string_view extension,
                                               std::string_view elements = {}) {
    auto result = parse_tetrahedra(content, extension, "test", elements);
    if (!result) FAIL(result.error().text());
    return *result;
}

inline std::string tetrahedra_error(std::string_view content, std::string_view extension,
                                    std::string_view elements = {}) {
    const auto result = parse_tetrahedra(content, extension, "test", elements);
    return result ? "no error" : result.error().text();
}

class TemporaryDirectory {
public:
    explicit TemporaryDirectory(std::string_view name)
        : path_(std::filesystem::current_path() / ("test_" + std::string(name))) {
        std::filesystem::remove_all(path_);
        std::filesystem::create_directories(path_);
    }
    ~TemporaryDirectory() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

    std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
    std::size_t files() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
    }

private:
    std::filesystem::path path_;
};

inline void write_text(const std::filesystem::path& file, std::string_view text) {
    std::ofstream(file, std::ios::binary) << text;
}

inline std::string read_text(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

inline bool same_bits(const Vec3& a, const Vec3& b) {
    return bits_of(a.x) == bits_of(b.x) && bits_of(a.y) == bits_of(b.y) && bits_of(a.z) == bits_of(b.z);
}
inline bool same_bits(const Vec2& a, const Vec2& b) {
    return bits_of(a.x) == bits_of(b.x) && bits_of(a.y) == bits_of(b.y);
}
template <class T, std::size_t N>
bool same_bits(const std::array<T, N>& a, const std::array<T, N>& b) {
    for (std::size_t i = 0; i < N; ++i) {
        if (!same_bits(a[i], b[i])) return false;
    }
    return true;
}
template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!same_bits(a[i], b[i])) return false;
    }
    return true;
}

// Every order of magnitude, and −0.
inline float any_finite_float(RandomSource& random) {
    for (;;) {
        const float a = any_float(random);
        if (std::isfinite(a)) return random.chance(0.05) ? -0.0f : a;
    }
}

// Triangles anywhere, with vertices that none uses, and normals and texture coordinates if wished.
inline TriangleMesh random_surface(RandomSource& random, std::size_t vertices, std::size_t triangles,
                                   bool attributes) {
    const auto vector = [&] {
        const float x = any_finite_float(random), y = any_finite_float(random), z = any_finite_float(random);
        return Vec3{x, y, z};
    };
    TriangleMesh mesh;
    for (std::size_t i = 0; i < vertices; ++i) mesh.positions.push_back(vector());
    for (std::size_t i = 0; i < triangles; ++i) {
        const std::uint32_t a = random.index(vertices), b = random.index(vertices),
                            c = random.index(vertices);
        mesh.triangles.push_back({a, b, c});
        if (!attributes) continue;
        auto& normals = mesh.normals.emplace_back();
        auto& textures = mesh.texture_coordinates.emplace_back();
        for (std::size_t k = 0; k < 3; ++k) {
            normals[k] = vector();
            const float u = any_finite_float(random), v = any_finite_float(random);
            textures[k] = {u, v};
        }
    }
    return mesh;
}

}  // namespace pliant::test
