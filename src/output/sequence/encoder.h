// What a file format implements: the frames of a sequence, already checked, become files.
#pragma once

#include <pliant/output/sequence.h>
#include "base/files/output_file.h"

#include <cstdint>
#include <utility>

namespace pliant::output {

// Of a mesh, the same in every frame.
struct Shape {
    std::string name;  // letters, digits and _; no two alike
    std::size_t vertices = 0;
    bool has_velocities = false, has_normals = false;
    std::vector<Triangle> triangles;
    std::vector<std::array<Vec2, 3>> texture_coordinates;
    std::vector<Edge> lines;           // none where there are triangles
    std::vector<std::uint32_t> loose;  // where there are no triangles: what no line joins
    std::vector<Tetrahedron> tetrahedra;
    float radius = 0;  // m, > 0
};

// Where a vertex has several texture coordinates, on a seam, it becomes several vertices.
struct SplitVertices {
    std::vector<std::uint32_t> source;      // the vertex of the shape behind each; the first are the same
    std::vector<Vec2> texture_coordinates;  // empty, or one for each
    std::vector<Triangle> triangles;
};
SplitVertices split_vertices(const Shape& shape);

struct SequencePlace {
    std::filesystem::path directory;
    std::string stem;

    std::filesystem::path file(std::string_view ending) const {
        return directory / (stem + std::string(ending));
    }
};

class Encoder {
public:
    Encoder(SequencePlace place, double frames_per_second)
        : place_(std::move(place)), frames_per_second_(frames_per_second) {}
    virtual ~Encoder() = default;

    virtual bool wants_inner_particles() const { return false; }
    void begin(std::vector<Shape> shapes) { shapes_ = std::move(shapes); }
    virtual Status frame(double time, std::span<const SequenceMesh> meshes) = 0;
    virtual Status finish(std::vector<std::filesystem::path>& files) = 0;

protected:
    SequencePlace place_;
    double frames_per_second_;
    std::vector<Shape> shapes_;
};

// One file a frame.
class FrameFiles : public Encoder {
public:
    using Encoder::Encoder;
    Status frame(double time, std::span<const SequenceMesh> meshes) final;
    Status finish(std::vector<std::filesystem::path>& files) override;

protected:
    virtual std::string_view extension() const = 0;  // ".obj"
    virtual void write(OutputFile& out, double time, std::span<const SequenceMesh> meshes) const = 0;

    std::string file_name(std::size_t frame) const;
    std::vector<double> times_;
};

// Formats that hold all frames of a mesh, and only then the next mesh, or want to know the number of frames
// before the first. Frames wait, as raw numbers, in one file that never has a name, so that memory does not
// grow and nothing is left whatever happens; finish() reads it mesh by mesh.
class SpooledFrames : public Encoder {
public:
    SpooledFrames(SequencePlace place, double frames_per_second, bool with_velocities, bool with_normals);
    ~SpooledFrames() override;
    Status frame(double time, std::span<const SequenceMesh> meshes) final;
    Status finish(std::vector<std::filesystem::path>& files) final;

protected:
    enum Attribute { positions, velocities, normals };

    // May there be one more frame?
    virtual Status allow_frame() const { return {}; }
    virtual Status assemble(std::vector<std::filesystem::path>& files) = 0;

    bool has(std::size_t index, Attribute attribute) const;
    // Valid until the next call.
    Result<std::span<const Vec3>> read(std::size_t frame, std::size_t index, Attribute attribute);

    std::vector<double> times_;

private:
    Status open();
    Status failed(int code) const;
    std::uint64_t frame_size() const;

    bool with_velocities_, with_normals_;
    std::FILE* spool_ = nullptr;
    std::vector<Vec3> read_;
};

// The bounding box of at least one point.
std::array<Vec3, 2> bounds(std::span<const Vec3> points);

void write_obj(OutputFile& out, std::span<const Shape> shapes, std::span<const SequenceMesh> meshes);

std::unique_ptr<Encoder> make_obj_encoder(SequencePlace place, double frames_per_second);
std::unique_ptr<Encoder> make_ply_encoder(SequencePlace place, double frames_per_second);
std::unique_ptr<Encoder> make_usda_encoder(SequencePlace place, double frames_per_second);
std::unique_ptr<Encoder> make_vtu_encoder(SequencePlace place, double frames_per_second);
std::unique_ptr<Encoder> make_pc2_encoder(SequencePlace place, double frames_per_second);
std::unique_ptr<Encoder> make_glb_encoder(SequencePlace place, double frames_per_second);

}  // namespace pliant::output
