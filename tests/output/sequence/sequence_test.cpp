// Whether the files say what they should is checked by other programs' readers: tests/foreign.
#include <pliant/output/sequence.h>
#include <pliant/pliant.h>

#include "base/format.h"
#include "support/files.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

using namespace pliant;
using output::SequenceMesh, output::SequenceFormat, output::SequenceWriter;
namespace fs = std::filesystem;

namespace {

constexpr SequenceFormat all_formats[] = {SequenceFormat::obj, SequenceFormat::ply, SequenceFormat::usda,
                                          SequenceFormat::vtu, SequenceFormat::pc2, SequenceFormat::glb};

// A triangle over a particle that is not part of it, then a rope of three, then a lone particle.
struct Example {
    std::vector<Vec3> positions{{0, 0, 0}, {9, 9, 9}, {1, 0, 0}, {0, 1, 0},
                                {2, 0, 0}, {2, 1, 0}, {2, 2, 0}, {3, 0, 0}};
    std::vector<Vec3> velocities = std::vector<Vec3>(8, Vec3{0, 1, 0});
    std::vector<float> radii = std::vector<float>(8);
    std::vector<Triangle> triangles{{0, 2, 3}};
    std::vector<Edge> lines{{4, 5}, {5, 6}};
    std::vector<Tetrahedron> tetrahedra{{0, 1, 2, 3}};
    std::vector<BodyView> bodies = std::vector<BodyView>(3);
    std::uint64_t topology_version = 0;

    Example() {
        bodies[0] = {.name = "soft", .particle_count = 4, .triangle_count = 1, .tetrahedron_count = 1};
        bodies[1] = {.name = "rope", .first_particle = 4, .particle_count = 3, .line_count = 2};
        bodies[2] = {.name = "dust", .first_particle = 7, .particle_count = 1};
    }

    View view(std::uint64_t frame) const {
        return {.positions = positions,
                .velocities = velocities,
                .radii = radii,
                .triangles = triangles,
                .lines = lines,
                .tetrahedra = tetrahedra,
                .bodies = bodies,
                .topology_version = topology_version,
                .frame = frame,
                .time = static_cast<double>(frame) / 60};
    }
};

SequenceWriter open(const test::Directory& directory, SequenceFormat format) {
    auto writer = SequenceWriter::create(directory.path, "run", format);
    REQUIRE(writer);
    return std::move(*writer);
}

std::vector<std::string> names(const std::vector<fs::path>& files) {
    std::vector<std::string> result;
    for (const fs::path& file : files) result.push_back(file.filename().string());
    std::sort(result.begin(), result.end());
    return result;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

template <class T>
T number_at(const std::string& bytes, std::size_t at) {
    T number;
    std::memcpy(&number, bytes.data() + at, sizeof number);
    return number;
}

}  // namespace

TEST_CASE("a run that ends early has all its frames, and only whole files") {
    for (const SequenceFormat format : all_formats) {
        CAPTURE(static_cast<int>(format));
        const test::Directory directory("sequence");
        const Example example;
        auto writer = open(directory, format);
        for (std::uint64_t i = 0; i < 3; ++i) REQUIRE(writer.frame(example.view(i)));
        CHECK(writer.frames() == 3);
        const auto files = writer.finish();
        REQUIRE(files);
        CHECK(names(*files) == directory.files());
        const std::string first = test::content(files->front());
        switch (format) {
            case SequenceFormat::obj:
            case SequenceFormat::ply:
                CHECK(files->size() == 3);
                break;
            case SequenceFormat::vtu:
                CHECK(files->size() == 4);
                CHECK(has(test::content(directory.path / "run.pvd"),
                          "timestep=\"0.03333333333333333\" part=\"0\" file=\"run_0002.vtu\""));
                break;
            case SequenceFormat::usda:
                CHECK(has(first, "startTimeCode = 0\n    endTimeCode = 2\n    timeCodesPerSecond = 60\n"));
                CHECK(has(first, "def Mesh \"soft\""));
                CHECK(has(first, "def BasisCurves \"rope\""));
                CHECK(has(first, "curveVertexCounts = [3]"));
                CHECK(has(first, "def Points \"dust\""));
                CHECK(first.ends_with("}\n"));
                break;
            case SequenceFormat::pc2: {
                const std::string cache = test::content(directory.path / "run_rope.pc2");
                CHECK(number_at<std::int32_t>(cache, 16) == 3);
                CHECK(number_at<std::int32_t>(cache, 28) == 3);
                CHECK(cache.size() == 32 + 3 * 3 * 12);
                break;
            }
            case SequenceFormat::glb:
                CHECK(number_at<std::uint32_t>(first, 8) == first.size());
                break;
        }
    }
}

TEST_CASE("hair is written as curves, one for each strand") {
    Hair hair;
    hair.points = 4;
    for (int i = 0; i < 12; ++i) hair.positions.push_back({float(i / 4), float(i % 4), 0});
    Description scene;
    scene.bodies.resize(1);
    scene.bodies[0].name = "hair";
    scene.bodies[0].shape = std::move(hair);
    const auto simulation = Simulation::create(scene);
    REQUIRE(simulation);
    const auto written = [&](SequenceFormat format) {
        const test::Directory directory("hair");
        auto writer = open(directory, format);
        REQUIRE(writer.frame(simulation->view()));
        const auto files = writer.finish();
        REQUIRE(files);
        return test::content(files->front());
    };
    const std::string usda = written(SequenceFormat::usda), obj = written(SequenceFormat::obj);
    CHECK(has(usda, "def BasisCurves \"hair\""));
    CHECK(has(usda, "curveVertexCounts = [4, 4, 4]"));
    for (const char* line : {"l 1 2\n", "l 3 4\n", "l 5 6\n", "l 11 12\n"}) CHECK(has(obj, line));
    CHECK(!has(obj, "l 4 5\n"));
}

TEST_CASE("surfaces have the corners of triangles alone, .vtu has all particles") {
    const test::Directory directory("sequence");
    const Example example;
    auto surface = open(directory, SequenceFormat::obj);
    REQUIRE(surface.frame(example.view(0)));
    CHECK(test::content(directory.path / "run_0000.obj") ==
          "# Pliant: 0 s; metres, y up\n"
          "o soft\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
          "o rope\nv 2 0 0\nv 2 1 0\nv 2 2 0\nl 4 5\nl 5 6\n"
          "o dust\nv 3 0 0\np 7\n");
    auto volume = open(directory, SequenceFormat::vtu);
    REQUIRE(volume.frame(example.view(0)));
    CHECK(has(test::content(directory.path / "run_0000.vtu"), "NumberOfPoints=\"8\" NumberOfCells=\"4\""));
}

TEST_CASE("a skin with its texture is written in place of the body's surface, but not in .vtu") {
    const test::Directory directory("sequence");
    Description scene;
    SoftBody box;
    box.mesh = *make_box({1, 1, 1}, {1, 1, 1});
    TriangleMesh skin;
    skin.positions = {{0, 0, 0}, {0.25f, 0, 0}, {0, 0.25f, 0}};
    skin.triangles = {{0, 1, 2}};
    skin.texture_coordinates = {{Vec2{0, 0}, Vec2{1, 0}, Vec2{0, 1}}};
    scene.bodies.push_back({.name = "box", .shape = box, .position = {0, 2, 0}, .skin = skin});
    auto simulation = Simulation::create(scene);
    REQUIRE(simulation);
    REQUIRE(open(directory, SequenceFormat::obj).frame(simulation->view()));
    CHECK(test::content(directory.path / "run_0000.obj") ==
          "# Pliant: 0 s; metres, y up\n"
          "o box\nv 0 2 0\nv 0.25 2 0\nv 0 2.25 0\nvt 0 0\nvt 1 0\nvt 0 1\nvn 0 0 1\nvn 0 0 1\nvn 0 0 1\n"
          "f 1/1/1 2/2/2 3/3/3\n");
    REQUIRE(open(directory, SequenceFormat::vtu).frame(simulation->view()));
    CHECK(has(test::content(directory.path / "run_0000.vtu"), "NumberOfPoints=\"8\""));
}

TEST_CASE("cloth is written with its texture, one coordinate a vertex and more on a seam") {
    const test::Directory directory("sequence");
    const auto lines = [&](const TriangleMesh& mesh, std::string_view key) {
        Description scene;
        Cloth cloth;
        cloth.mesh = mesh;
        scene.bodies.push_back({.shape = cloth});
        auto simulation = Simulation::create(scene);
        REQUIRE(simulation);
        REQUIRE(open(directory, SequenceFormat::obj).frame(simulation->view()));
        const std::string text = test::content(directory.path / "run_0000.obj");
        std::size_t count = 0;
        for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + 1)) ++count;
        return count;
    };
    CHECK(lines(*make_sheet(1, 1, 3, 2), "\nv ") == 12);
    CHECK(lines(*make_sheet(1, 1, 3, 2), "\nvt ") == 12);
    CHECK(lines(*make_tube(1, 1, 5, 2), "\nv ") == 15);
    CHECK(lines(*make_tube(1, 1, 5, 2), "\nvt ") == 18);  // once round, u is 0 and 1
    CHECK(lines(*make_icosphere(1, 1), "\nvt ") == 0);
}

TEST_CASE("names become fit for files and stay different") {
    const test::Directory directory("sequence");
    const std::vector<Vec3> point{{1, 2, 3}};
    std::vector<SequenceMesh> meshes;
    for (const char* name : {"a b", "A/B", "a_b_2", "", "..", "été", "2", "\n\"quoted\""}) {
        SequenceMesh mesh;
        mesh.name = name;
        mesh.positions = point;
        meshes.push_back(mesh);
    }
    auto writer = open(directory, SequenceFormat::pc2);
    REQUIRE(writer.frame(0, meshes));
    const auto files = writer.finish();
    REQUIRE(files);
    std::vector<std::string> found;
    for (const fs::path& file : *files) {
        if (file.extension() == ".pc2") found.push_back(file.stem().string());
    }
    CHECK(found == std::vector<std::string>{"run_a_b", "run_A_B_2", "run_a_b_2_2", "run_body", "run_body_2",
                                            "run__t_", "run__2", "run__quoted_"});
}

TEST_CASE("a frame that does not fit is an error, and those before are good") {
    for (const SequenceFormat format : all_formats) {
        CAPTURE(static_cast<int>(format));
        const test::Directory directory("sequence");
        Example example;
        auto writer = open(directory, format);
        REQUIRE(writer.frame(example.view(0)));
        const auto text = [&](const Status& status) {
            REQUIRE(!status);
            CHECK(status.error().path == (directory.path / "run").string());
            return status.error().message;
        };
        CHECK(text(writer.frame(example.view(0))) == "frame 1: time 0 s must be after 0 s");

        std::vector<SequenceMesh> meshes(2);
        CHECK(text(writer.frame(1, meshes)) == "frame 1: has 2 meshes, the first had 3");

        example.positions[2].y = std::numeric_limits<float>::quiet_NaN();
        CHECK(has(text(writer.frame(example.view(1))), "is not finite: (1, nan, 0)"));
        example.positions.pop_back();
        example.velocities.pop_back();
        CHECK(text(writer.frame(example.view(1))) == "frame 1: has 7 particles, the first had 8");

        Example torn;
        torn.topology_version = 1;
        CHECK(text(writer.frame(torn.view(1))) ==
              "frame 1: has other triangles, lines or tetrahedra than the first");

        CHECK(writer.frames() == 1);
        const auto files = writer.finish();
        REQUIRE(files);
        CHECK(names(*files) == directory.files());
    }
}

TEST_CASE("meshes that contradict themselves are errors that say where") {
    const test::Directory directory("sequence");
    const std::vector<Vec3> points(3);
    const std::vector<Triangle> triangles{{0, 1, 2}, {0, 1, 3}};
    const float values[] = {1, 2};
    const auto message = [&](auto&& change) {
        SequenceMesh mesh;
        mesh.name = "x";
        mesh.positions = points;
        change(mesh);
        const Status status = open(directory, SequenceFormat::vtu).frame(0, std::span(&mesh, 1));
        REQUIRE(!status);
        return status.error().message;
    };
    CHECK(message([&](SequenceMesh& p) { p.positions = {}; }) == "frame 0: \"x\": has no positions");
    CHECK(message([&](SequenceMesh& p) { p.triangles = triangles; }) ==
          "frame 0: \"x\": triangle 1: position 3 does not exist: there are 3");
    CHECK(message([&](SequenceMesh& p) { p.normals = std::span(points).first(2); }) ==
          "frame 0: \"x\": has 2 normals for 3 positions");
    CHECK(message([&](SequenceMesh& p) {
              p.arrays = {{"heat", values, 1, false}};
          }) == "frame 0: \"x\": array \"heat\" has 2 values, needs 3 × 1");
    CHECK(directory.files().empty());
}

TEST_CASE("a sequence without frames, or given up, leaves no file of its own") {
    for (const SequenceFormat format : all_formats) {
        CAPTURE(static_cast<int>(format));
        const test::Directory directory("sequence");
        const auto files = open(directory, format).finish();
        REQUIRE(files);
        CHECK(files->empty());
        CHECK(directory.files().empty());
    }
    for (const SequenceFormat format : {SequenceFormat::usda, SequenceFormat::pc2, SequenceFormat::glb}) {
        const test::Directory directory("sequence");
        const Example example;
        REQUIRE(open(directory, format).frame(example.view(0)));
        CHECK(directory.files().empty());
    }
}

TEST_CASE("a shorter sequence replaces a longer one whole") {
    const test::Directory directory("sequence");
    const Example example;
    for (const std::uint64_t count : {5, 2}) {
        auto writer = open(directory, SequenceFormat::obj);
        for (std::uint64_t i = 0; i < count; ++i) REQUIRE(writer.frame(example.view(i)));
        REQUIRE(writer.finish());
    }
    CHECK(directory.files() == std::vector<std::string>{"run_0000.obj", "run_0001.obj"});
}

TEST_CASE("glTF says when there are too many frames and keeps those that fit") {
    const test::Directory directory("sequence");
    const std::vector<Vec3> point{{1, 2, 3}};
    SequenceMesh mesh;
    mesh.positions = point;
    auto writer = open(directory, SequenceFormat::glb);
    for (int i = 0; i <= 600; ++i) REQUIRE(writer.frame(i, std::span(&mesh, 1)));
    const Status status = writer.frame(601, std::span(&mesh, 1));
    REQUIRE(!status);
    CHECK(status.error().message ==
          "glTF holds each frame after the first as a morph target, here at most 600: use usda or pc2, which "
          "have no such "
          "limit, or fewer frames");
    const auto files = writer.finish();
    REQUIRE(files);
    CHECK(names(*files) == std::vector<std::string>{"run.glb"});
}

TEST_CASE("formats are known by name, and bad places are errors") {
    CHECK(*output::sequence_format("usda") == SequenceFormat::usda);
    CHECK(output::sequence_format("fbx").error().text() ==
          "format: must be one of obj, ply, usda, vtu, pc2, glb, got \"fbx\"");
    const test::Directory directory("sequence");
    CHECK(!SequenceWriter::create(directory.path, "", SequenceFormat::obj));
    CHECK(!SequenceWriter::create(directory.path, "a/b", SequenceFormat::obj));
    CHECK(!SequenceWriter::create(directory.path, "a", SequenceFormat::obj, {.frames_per_second = 0}));
    std::ofstream(directory.path / "file") << "x";
    CHECK(SequenceWriter::create(directory.path / "file", "a", SequenceFormat::obj).error().path ==
          (directory.path / "file").string());
}

#ifndef __EMSCRIPTEN__
TEST_CASE("a full disk is an error that names the file and leaves nothing half-written") {
    const std::vector<Vec3> points(3000, Vec3{0.1f, 0.2f, 0.3f});
    SequenceMesh mesh;
    mesh.name = "cloud";
    mesh.positions = points;
    for (const SequenceFormat format : all_formats) {
        // 10,000 bytes do not hold a raw frame; 40,000 do, but not what it becomes.
        for (const rlim_t bytes : {10000, 40000}) {
            CAPTURE(static_cast<int>(format));
            CAPTURE(bytes);
            const test::Directory directory("sequence");
            auto writer = open(directory, format);
            std::string place;
            {
                const test::SmallDisk disk(bytes);
                const Status frame = writer.frame(0, std::span(&mesh, 1));
                const auto files = writer.finish();
                if (!frame) {
                    place = frame.error().path;
                } else if (!files) {
                    place = files.error().path;
                }
            }
            CHECK(fs::path(place).parent_path() == directory.path);
            CHECK(directory.files().empty());
        }
    }
}

TEST_CASE("longer run: glTF says when a file would be too large" * doctest::skip()) {
    const test::Directory directory("sequence");
    constexpr std::size_t count = 180'000'000;  // zeros that are never really there
    struct Zeros {
        void* memory = std::calloc(count, sizeof(Vec3));
        ~Zeros() { std::free(memory); }
    } zeros;
    REQUIRE(zeros.memory != nullptr);
    const std::vector<Triangle> triangles{{0, 1, 2}};
    SequenceMesh mesh;
    mesh.positions = {static_cast<const Vec3*>(zeros.memory), count};
    mesh.triangles = triangles;
    const Status status = open(directory, SequenceFormat::glb).frame(0, std::span(&mesh, 1));
    REQUIRE(!status);
    CHECK(has(status.error().message, "over the limit of 2147483647"));
    CHECK(directory.files().empty());
}
#endif
