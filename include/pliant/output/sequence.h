// Writes a simulation, frame by frame, as files that other programs open.
#pragma once

#include <pliant/error.h>
#include <pliant/mesh.h>
#include <pliant/view.h>

#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pliant::output {

enum class SequenceFormat {
    obj,   // STEM_0000.obj …: every program
    ply,   // STEM_0000.ply …: binary, with velocities
    usda,  // STEM.usda: one file with time samples
    vtu,   // STEM_0000.vtu … and STEM.pvd: ParaView, with tetrahedra and arrays
    pc2,   // STEM_BODY.pc2 and STEM_BODY.obj for each body: Blender's Mesh Cache modifier
    glb,   // STEM.glb: glTF 2.0, a morph target for each frame
};

// "obj", "ply", "usda", "vtu", "pc2", "glb"
Result<SequenceFormat> sequence_format(std::string_view name);

// Each frame of a .glb file after the first is a morph target. Viewers take no more in good time.
inline constexpr int most_morph_targets = 600;

// Numbers for each position of a mesh (or, on cells, for each of its cells); .vtu alone carries them.
// A cell is a tetrahedron; without any, a triangle; without any, first the lines, then the positions that no
// line joins.
struct SequenceArray {
    std::string name{};
    std::span<const float> values{};
    std::size_t components = 1;
    bool on_cells = false;
};

// One thing to write under a name: a body's particles, or a visible mesh that rides on them. Spans need
// to last only for the call. Elements are taken from the first frame.
struct SequenceMesh {
    std::string name{};
    std::span<const Vec3> positions{};                           // m
    std::span<const Vec3> velocities{};                          // m/s; empty, or one for each position
    std::span<const Vec3> normals{};                             // empty, or one for each position
    std::span<const Triangle> triangles{};                       // of positions
    std::span<const Edge> lines{};                               // written where there are no triangles
    std::span<const Tetrahedron> tetrahedra{};                   // .vtu alone: in the place of triangles
    std::span<const std::array<Vec2, 3>> texture_coordinates{};  // empty, or one for each triangle
    float radius = 0;  // m, of lines and points; 0: thin, as fits the size of the mesh
    std::vector<SequenceArray> arrays{};
};

struct SequenceOptions {
    double frames_per_second = 60;  // a time code of .usda is a frame
};

class SequenceWriter {
public:
    // Makes the directory if there is none. STEM names the files.
    static Result<SequenceWriter> create(const std::filesystem::path& directory, std::string_view stem,
                                         SequenceFormat format, const SequenceOptions& options = {});

    SequenceWriter(SequenceWriter&&) noexcept;
    SequenceWriter& operator=(SequenceWriter&&) noexcept;
    ~SequenceWriter();

    // Every body a mesh. Of a body with a skin, the skin; of a body with triangles, their corners in the
    // order of the particles; of any other body, lines or points. In .vtu there are no skins but all
    // particles. After an Error the frames before are still good.
    Status frame(const View& view);
    // The same meshes, of the same sizes, every time; times rise; all numbers are finite.
    Status frame(double time, std::span<const SequenceMesh> meshes);
    std::size_t frames() const;

    // Completes the files, also after few frames or an Error, and returns their names.
    // No frames: no files. Files of a longer sequence that was here before are removed.
    Result<std::vector<std::filesystem::path>> finish();

private:
    struct Implementation;
    explicit SequenceWriter(std::unique_ptr<Implementation> implementation);
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace pliant::output
