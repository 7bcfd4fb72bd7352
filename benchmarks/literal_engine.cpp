// Sets up the textbook loop and measures it; the loop itself is in literal.cpp.
#include "engine.h"
#include "literal.h"
#include "problem.h"

namespace pliant::benchmarks {
namespace {

std::vector<Float3> copy(const std::vector<Vec3>& from) {
    std::vector<Float3> to;
    to.reserve(from.size());
    for (const Vec3& a : from) to.push_back({a.x, a.y, a.z});
    return to;
}

class LiteralEngine final : public Engine {
public:
    explicit LiteralEngine(Problem problem)
        : problem_(std::move(problem)),
          positions_(copy(problem_.positions)),
          previous_(positions_),
          velocities_(copy(problem_.velocities)) {
        distances_.reserve(problem_.distances.size());
        for (const auto& [particles, rest] : problem_.distances) {
            distances_.push_back({particles[0], particles[1], rest});
        }
        volumes_.reserve(problem_.volumes.size());
        for (const auto& [particles, rest] : problem_.volumes) {
            volumes_.push_back({particles[0], particles[1], particles[2], particles[3], rest});
        }
        const Settings& settings = problem_.settings;
        world_ = {.position = positions_.data(),
                  .previous = previous_.data(),
                  .velocity = velocities_.data(),
                  .inverse_mass = problem_.inverse_masses.data(),
                  .particle_count = positions_.size(),
                  .distances = distances_.data(),
                  .distance_count = distances_.size(),
                  .volumes = volumes_.data(),
                  .volume_count = volumes_.size(),
                  .distance_compliance = problem_.distance_compliance,
                  .volume_compliance = 0,
                  .gravity = {settings.gravity.x, settings.gravity.y, settings.gravity.z},
                  .time_step = settings.time_step,
                  .substeps = settings.substeps};
    }

    void frame() override { literal_frame(world_); }

    double residual() const override {
        std::vector<Vec3> positions;
        positions.reserve(positions_.size());
        for (const Float3& a : positions_) positions.push_back({a.x, a.y, a.z});
        return benchmarks::residual(problem_.distances, problem_.volumes, positions);
    }

    std::size_t constraints() const override { return distances_.size() + volumes_.size(); }

private:
    Problem problem_;
    std::vector<Float3> positions_, previous_, velocities_;
    std::vector<LiteralDistance> distances_;
    std::vector<LiteralVolume> volumes_;
    LiteralWorld world_{};
};

}  // namespace

std::unique_ptr<Engine> make_literal(const Description& description) {
    auto problem = make_problem(description);
    if (!problem) return nullptr;
    return std::make_unique<LiteralEngine>(std::move(*problem));
}

}  // namespace pliant::benchmarks
