// The floor under any engine that goes from constraint to constraint: it only loads and stores the particles
// of each, in blocks and slots as Pliant would make them, eight constraints at a time, and moves nothing.
// (Pliant itself joins constraints that share particles and so loads fewer.)
#include <immintrin.h>

#include <numeric>

#include "benchmarks/engine.h"
#include "scene/assemble/assemble.h"

namespace pliant::benchmarks {
namespace {

using namespace solvers::position_based;

class Floor final : public Engine {
public:
    Floor(Assembly&& assembly, int sweeps) : assembly_(std::move(assembly)), sweeps_(sweeps) {
        const model::Model& model = assembly_.model;
        const Plan& plan = assembly_.plan;
        const constraints::ClusterSet singles = constraints::make_singles(model.constraints);
        // The whole body is one subdomain.
        const Subdomains whole{plan.particle_at, plan.slot_of,
                               std::vector<std::uint32_t>(plan.slot_of.size(), 0), 1};
        std::vector<std::uint32_t> own_parts(model.parts.size());
        std::iota(own_parts.begin(), own_parts.end(), 0);
        Packer packer(plan.slots());
        AllClusters::for_each([&]<class Cluster>() {
            const auto& list = std::get<constraints::ClusterList<Cluster>>(singles);
            std::get<ClusterBlocks<Cluster>>(clusters_) =
                ClusterPacker<Cluster>(list, whole, plan.is_dynamic, own_parts, packer).run();
        });
    }

    void frame() override {
        for (int s = 0; s < sweeps_; ++s) {
            AllClusters::for_each([&]<class Cluster>() {
                const auto& blocks = std::get<ClusterBlocks<Cluster>>(clusters_);
                touch<Cluster::arity>(blocks.block_offsets.data(), blocks.blocks());
            });
        }
    }
    double residual() const override { return 0; }
    std::size_t constraints() const override { return assembly_.model.constraint_count(); }

private:
    template <int Arity>
    void touch(const std::uint32_t* offsets, std::size_t blocks) {
        char* base = reinterpret_cast<char*>(assembly_.state.position_based.position.data());
        for (std::size_t block = 0; block < blocks; ++block, offsets += Arity * block_size) {
            for (std::size_t half = 0; half < block_size; half += 8) {
                for (int k = 0; k < Arity; ++k) {
                    const std::uint32_t* row = offsets + static_cast<std::size_t>(k) * block_size + half;
                    __m128 p[8];
#pragma GCC unroll 8
                    for (int i = 0; i < 8; ++i) p[i] = _mm_load_ps(reinterpret_cast<float*>(base + row[i]));
                    // The compiler must not see that nothing changed.
                    asm volatile("" : "+x"(p[0]), "+x"(p[1]), "+x"(p[2]), "+x"(p[3]));
                    asm volatile("" : "+x"(p[4]), "+x"(p[5]), "+x"(p[6]), "+x"(p[7]));
#pragma GCC unroll 8
                    for (int i = 0; i < 8; ++i) _mm_store_ps(reinterpret_cast<float*>(base + row[i]), p[i]);
                }
            }
        }
    }

    Assembly assembly_;
    AllClusters::Each<ClusterBlocks> clusters_;
    int sweeps_;
};

}  // namespace

std::unique_ptr<Engine> make_floor(const Description& description) {
    Result<Assembly> assembly = assemble(description);
    if (!assembly) return nullptr;
    return std::make_unique<Floor>(std::move(*assembly),
                                   description.settings.substeps * description.settings.iterations);
}

}  // namespace pliant::benchmarks
