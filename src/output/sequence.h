// Takes a simulation elsewhere: what it shows, frame by frame, as files that other programs open.
#pragma once

#include "output/skin.h"

#include <pliant/description.h>
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

// Numbers for each position of a part (or, in cells, for each of its cells); .vtu alone carries them.
// A cell is a tetrahedron; without any, a triangle; without any, first the lines, then the positions that no
// line joins.
struct PartArray {
    std::string name;
    std::span<const float> values;
    std::size_t components = 1;
    bool on_cells = false;
};

// One thing to show under a name: a body's particles, or a visible mesh that rides on them. Spans need
// to last only for the call. What joins the positions is taken from the first frame.
struct Part {
    std::string name{};
    std::span<const Vec3> positions{};                           // m
    std::span<const Vec3> velocities{};                          // m/s; empty, or one for each position
    std::span<const Vec3> normals{};                             // empty, or one for each position
    std::span<const Triangle> triangles{};                       // of positions
    std::span<const Edge> lines{};                               // shown where there are no triangles
    std::span<const Tetrahedron> tetrahedra{};                   // .vtu alone: in the place of triangles
    std::span<const std::array<Vec2, 3>> texture_coordinates{};  // empty, or one for each triangle
    float radius = 0;  // m, of lines and points; 0: thin, as fits the size of the part
    std::vector<PartArray> arrays{};
};

// Each frame of a .glb file after the first is a morph target. Viewers take no more in good time.
inline constexpr int most_morph_targets = 600;

// What a View does not tell of a body.
struct BodyShape {
    std::vector<Edge> lines{};                               // counted within the body
    std::vector<Tetrahedron> tetrahedra{};                   // counted within the body
    float radius = 0;                                        // m
    std::vector<std::array<Vec2, 3>> texture_coordinates{};  // empty, or one for each of its triangles
    Skin skin{};  // if any, written in place of the body's own surface, but in .vtu
};
std::vector<BodyShape> body_shapes(const Description& description,
                                   std::span<const TriangleMesh> surfaces = {});

struct SequenceInfo {
    double frames_per_second = 60;    // what a time code of .usda counts
    std::vector<BodyShape> bodies{};  // empty, or one for each body of every View
};

class Encoder;
class BodyParts;

class SequenceWriter {
public:
    SequenceWriter(std::filesystem::path place, SequenceInfo info, std::unique_ptr<Encoder> encoder);
    ~SequenceWriter();

    // Every body a part. Of a body with a skin that is written, in the order of its vertices; of a body with
    // triangles only their corners, in the order of the particles (.vtu: all particles); of any other body
    // lines or points. After an Error the frames before are still good.
    Status frame(const View& view);
    // The same parts, of the same sizes, every time; times rise; all numbers are finite.
    Status frame(double time, std::span<const Part> parts);
    std::size_t frames() const { return frames_; }

    // Completes what was written so far, also after few frames or an Error, and names all files.
    // No frames: no files. Files of a longer sequence that was here before are removed.
    Result<std::vector<std::filesystem::path>> finish();

private:
    Status check(double time, std::span<const Part> parts) const;
    Status check_sizes(std::span<const Part> parts) const;

    std::filesystem::path place_;  // what errors name
    SequenceInfo info_;
    std::unique_ptr<Encoder> encoder_;
    std::unique_ptr<BodyParts> body_parts_;
    std::vector<std::array<std::size_t, 3>> sizes_;  // positions, velocities, normals of each part
    std::size_t frames_ = 0;
    double last_time_ = 0;
};

// Makes the directory if there is none. STEM names the files.
Result<std::unique_ptr<SequenceWriter>> open_sequence(const std::filesystem::path& directory,
                                                      std::string_view stem, SequenceFormat format,
                                                      const SequenceInfo& info = {});

}  // namespace pliant::output
