// PC2 point caches, which Blender's Mesh Cache modifier plays, each with a mesh to put it on.
// Layout: "POINTCACHE2\0", then version, points, start frame, frames between samples, samples; then the
// positions of every sample (Blender, source/blender/modifiers/intern/MOD_meshcache_pc2.c).
#include "output/sequence/encoder.h"

#include <limits>

namespace pliant::output {
namespace {

class Pc2Encoder final : public SpooledFrames {
public:
    Pc2Encoder(SequencePlace place, double frames_per_second)
        : SpooledFrames(std::move(place), frames_per_second, false, true) {}

private:
    Status allow_frame() const override {
        if (times_.size() < static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) return {};
        return Error{place_.file(".pc2").string(), "a point cache cannot count more frames"};
    }

    Status assemble(std::vector<std::filesystem::path>& files) override {
        for (std::size_t index = 0; index < shapes_.size(); ++index) {
            const std::string name = "_" + shapes_[index].name;
            const auto mesh = place_.file(name + ".obj"), cache = place_.file(name + ".pc2");
            if (const Status written = write_mesh(mesh, index); !written) return written;
            if (const Status written = write_cache(cache, index); !written) return written;
            files.push_back(mesh);
            files.push_back(cache);
        }
        return {};
    }

    Status write_mesh(const std::filesystem::path& file, std::size_t index) {
        const auto first = read(0, index, positions);
        if (!first) return first.error();
        const std::vector<Vec3> at_start(first->begin(), first->end());
        SequenceMesh mesh;
        mesh.positions = at_start;
        if (has(index, normals)) {
            const auto normals_at_start = read(0, index, normals);
            if (!normals_at_start) return normals_at_start.error();
            mesh.normals = *normals_at_start;
        }
        OutputFile out(file);
        out.write("# Pliant: the mesh of the point cache beside it; metres, y up\n");
        write_obj(out, std::span(&shapes_[index], 1), std::span(&mesh, 1));
        return out.commit();
    }

    Status write_cache(const std::filesystem::path& file, std::size_t index) {
        OutputFile out(file);
        out.write({"POINTCACHE2\0", 12});
        out.write(bytes_of(std::int32_t{1}));
        out.write(bytes_of(static_cast<std::int32_t>(shapes_[index].vertices)));
        out.write(bytes_of(0.0f));
        out.write(bytes_of(1.0f));
        out.write(bytes_of(static_cast<std::int32_t>(times_.size())));
        for (std::size_t i = 0; i < times_.size(); ++i) {
            const auto sample = read(i, index, positions);
            if (!sample) return sample.error();
            out.write_array(*sample);
        }
        return out.commit();
    }
};

}  // namespace

std::unique_ptr<Encoder> make_pc2_encoder(SequencePlace place, double frames_per_second) {
    return std::make_unique<Pc2Encoder>(std::move(place), frames_per_second);
}

}  // namespace pliant::output
