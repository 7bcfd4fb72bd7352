// What a host program sets for floating point changes no bit of a mesh. WebAssembly has nothing to set.
#if !defined(__EMSCRIPTEN__)

#include <doctest/doctest.h>
#include <pliant/collider_mesh.h>
#include <pliant/embedding.h>
#include <pliant/mesh_io.h>
#include <pliant/mesh_report.h>
#include <pliant/neighbours.h>
#include <pliant/panels.h>
#include <pliant/shapes.h>
#include <pliant/tetrahedralize.h>

#include <array>
#include <cfenv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "support/mesh_files.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace pliant;
using namespace pliant::test;

namespace {

class HashOf : public Hash {
public:
    using Hash::add;
    void add(std::uint64_t number) {
        add(static_cast<std::uint32_t>(number));
        add(static_cast<std::uint32_t>(number >> 32));
    }
    void add(const std::string& text) {
        for (const char c : text) add(static_cast<std::uint32_t>(c));
    }
    void add(const Vec2& p) {
        add(p.x);
        add(p.y);
    }
    void add(const Vec3& p) {
        add(p.x);
        add(p.y);
        add(p.z);
    }
    template <class T, std::size_t N>
    void add(const std::array<T, N>& values) {
        for (const T& value : values) add(value);
    }
    template <class T>
    void add(const std::vector<T>& values) {
        for (const T& value : values) add(value);
    }
    void add(const TriangleMesh& mesh) {
        add(mesh.positions);
        add(mesh.triangles);
        add(mesh.normals);
        add(mesh.texture_coordinates);
    }
    void add(const TetrahedralMesh& mesh) {
        add(mesh.positions);
        add(mesh.tetrahedra);
    }
    template <class T>
    void add(const Result<T>& result) {
        if (result) {
            add(*result);
        } else {
            add(result.error().text());
        }
    }
    template <class Mesh>
    void add(const MeshFile<Mesh>& file) {
        add(file.mesh);
        add(file.warnings);
    }
    void add(const Tetrahedralized& filled) {
        add(filled.mesh);
        add(filled.warnings);
    }
    void add(const SewnPanels& sewn) {
        add(sewn.mesh);
        add(sewn.seams);
    }
    void add(const Embedding& embedding) {
        add(embedding.elements);
        add(embedding.weights);
        add(embedding.largest_distance);
        add(embedding.largest_weight);
    }
    void add(const TetrahedralQuality& q) {
        for (const double value :
             {q.volume, q.smallest_dihedral, q.largest_dihedral, q.smallest_interior_dihedral,
              q.worst_radius_edge, q.mean_edge, q.shortest_edge, q.longest_edge}) {
            add(value);
        }
    }
};

void add_shapes(HashOf& hash) {
    hash.add(make_sheet(1.1f, 0.7f, 7, 5));
    hash.add(make_tube(0.3f, 0.7f, 9, 5));
    hash.add(make_box_surface({0.3f, 0.7f, 1.1f}, {3, 5, 7}));
    hash.add(make_sphere_surface(0.3f, 11, 7));
    hash.add(make_icosphere(0.3f, 5));
    hash.add(make_cylinder_surface(0.3f, 0.7f, 11, 3));
    hash.add(make_capsule_surface(0.3f, 0.7f, 11, 3));
    hash.add(make_torus_surface(0.7f, 0.3f, 11, 7));
    hash.add(make_box({0.3f, 0.7f, 1.1f}, {3, 5, 7}));
    hash.add(make_ball(0.3f, 3));
    hash.add(make_cylinder(0.3f, 0.7f, 3, 5));
    hash.add(make_capsule(0.3f, 0.7f, 3, 5));
    hash.add(make_torus(0.7f, 0.3f, 3, 7));
    hash.add(make_line({0.1f, 0.2f, 0.3f}, {1.1f, -0.7f, 0.9f}, 7));
    hash.add(make_helix(0.3f, 0.7f, 2.3f, 17));
    hash.add(make_strands_on_disc(0.3f, 0.7f, 13, 3));
    hash.add(make_strands_on_sphere(0.3f, 0.7f, 13, 3, 0.7f));
    // Denormal results.
    hash.add(make_icosphere(1e-40f, 3));
    hash.add(make_box({1e-40f, 3e-41f, 1e-42f}, {3, 3, 3}));
}

// Made before the host sets anything.
struct Input {
    TriangleMesh surface = *make_icosphere(0.37f, 6), torn{};

    Input() {
        for (std::size_t i = 0; i < surface.positions.size(); ++i) {
            surface.positions[i] = surface.positions[i] * (1 + 0.05f * static_cast<float>(i % 7));
        }
        torn = surface;
        for (Triangle t : surface.triangles) {
            torn.positions.push_back(torn.positions[t[0]] + Vec3{1e-6f, 0, 0});
            t[0] = static_cast<std::uint32_t>(torn.positions.size() - 1);
            torn.triangles.push_back(t);
        }
    }
};

void add_work(HashOf& hash, const Input& input, const TemporaryDirectory& directory) {
    const TriangleMesh& surface = input.surface;
    TetrahedralizeOptions options;
    options.resolution = 6;
    for (const auto method : {TetrahedralizeMethod::lattice, TetrahedralizeMethod::delaunay}) {
        options.method = method;
        const auto filled = tetrahedralize(surface, options);
        hash.add(filled);
        hash.add(quality(filled->mesh));
        const auto embedding = embed(surface.positions, filled->mesh);
        hash.add(embedding);
        std::vector<Vec3> points(surface.positions.size()), normals(points.size());
        CHECK(embedding->apply(filled->mesh.positions, points));
        CHECK(vertex_normals(points, surface.triangles, normals));
        hash.add(points);
        hash.add(normals);
        for (const char* name : {"a.msh", "a.node", "a.vtu"}) {
            CHECK(write_tetrahedra(directory / name, filled->mesh));
            hash.add(read_tetrahedra(directory / name));
        }
    }
    for (const char* name : {"a.obj", "a.ply", "a.stl"}) {
        CHECK(write_surface(directory / name, surface));
        hash.add(read_surface(directory / name));
    }
    hash.add(
        parse_surface("v 0.1 0.7 1e-40\nv 1.1 0.3 0.1234567890123\nv 0 3.3 1e-45\nf 1 2 3\n", ".obj", "x"));
    const std::vector<Vec3> grains = *make_grains({0.31f, 0.22f, 0.27f}, 0.07f, 0.3f);
    hash.add(grains);
    hash.add(*neighbours(grains, 0.09f));
    hash.add(thickness_of(**make_collider_mesh(*make_sheet(0.7f, 0.3f, 3, 3))));
    std::vector<Vec3d> points;
    for (const Vec3& p : surface.positions) points.push_back({p.x, p.y, p.z});
    hash.add(delaunay(points));

    hash.add(to_json(report(surface)));
    hash.add(to_text(report(surface)));
    const Repaired repaired = repair(input.torn, {.weld_distance = 3e-6f});
    hash.add(repaired.mesh);
    hash.add(repaired.changes);

    Panels panels;
    panels.edge_length = 0.07f;
    panels.pieces = {
        {"front", {{0, 0}, {0.7f, 0.1f}, {0.6f, 0.9f}, {0.1f, 0.8f}}, {0, 0, 0.1f}, {}},
        {"back", {{0, 0}, {0.7f, 0.1f}, {0.6f, 0.9f}, {0.1f, 0.8f}}, {0, 0, -0.1f}, {0.9f, 0.1f, 0.3f, 0}}};
    panels.seams = {{{"front", 0, 1}, {"back", 0, 1}}};
    hash.add(sew(panels));
}

std::uint64_t hash_of_all(const Input& input, const TemporaryDirectory& directory) {
    HashOf hash;
    add_shapes(hash);
    add_work(hash, input, directory);
    return hash.value();
}

}  // namespace

TEST_CASE("meshes are the same bits in every rounding mode of the host") {
    const Input input;
    const TemporaryDirectory directory("rounding");
    const std::uint64_t expected = hash_of_all(input, directory);
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        CAPTURE(mode);
        std::fesetround(mode);
        const std::uint64_t found = hash_of_all(input, directory);
        const int after = std::fegetround();
        std::fesetround(FE_TONEAREST);
        CHECK(found == expected);
        CHECK(after == mode);
    }
}

#if defined(__x86_64__)

TEST_CASE("meshes are the same bits with denormals flushed to zero by the host") {
    const Input input;
    const TemporaryDirectory directory("denormals");
    const std::uint64_t expected = hash_of_all(input, directory);
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040);
    const std::uint64_t found = hash_of_all(input, directory);
    const unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    CHECK(found == expected);
    CHECK((after & 0x8040) == 0x8040);
}

#endif

#endif
