// Does a run do what its scene expects?
#include <pliant/scene.h>

#include <cmath>

#include "base/convert.h"
#include "base/floating_point.h"
#include "base/format.h"
#include "scene/file/names.h"
#include "solvers/rigid_motion.h"

namespace pliant {
namespace {

using namespace scene;

const BodyView& body_called(const View& view, const std::string& name) {
    for (const BodyView& body : view.bodies) {
        if (body.name == name) return body;
    }
    PLIANT_ASSERT(!"the scene's names were checked");
    return view.bodies.front();
}

Vec3d center_of(const View& view, const std::string& name) {
    const BodyView& body = body_called(view, name);
    Vec3d sum;
    for (const Vec3& p : view.positions.subspan(body.first_particle, body.particle_count)) {
        sum = sum + to_double(p);
    }
    return sum * (1.0 / body.particle_count);
}

double spin_of(const View& view, const std::string& name) {
    const BodyView& body = body_called(view, name);
    const Vec3d center = center_of(view, name);
    solvers::Moments sums;
    for (std::size_t i = body.first_particle; i < body.first_particle + body.particle_count; ++i)
        sums.add(to_double(view.positions[i]) - center, to_double(view.velocities[i]), 1);
    return length(solvers::rigid_motion(sums).spin);
}

// Of the worst edge of a body's triangles, over its length at the start.
double stretch_of(const View& view, const std::vector<Vec3>& start, const std::string& name) {
    const BodyView& body = body_called(view, name);
    double worst = 0;
    for (const Triangle& t : view.triangles.subspan(body.first_triangle, body.triangle_count)) {
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t a = t[k], b = t[(k + 1) % 3];
            const double rest = length(to_double(start[a]) - to_double(start[b]));
            worst =
                max(worst, length(to_double(view.positions[a]) - to_double(view.positions[b])) / rest - 1);
        }
    }
    return worst;
}

// Each gives "" or what is wrong, as in "is 3, must be at most 2".
struct Check {
    const Player& player;
    const Diagnostics& now;
    double start_energy;
    const std::vector<Vec3>& start_positions;

    static std::string at_most(double value, double limit, const char* unit = "") {
        if (value <= limit) return "";
        return fmt::format("is {:.4g}{}, must be at most {:.4g}", value, unit, limit);
    }
    static std::string within(double value, double low, double high, const char* unit = "") {
        if (value >= low && value <= high) return "";
        return fmt::format("is {:.4g}{}, must be within {:.4g} … {:.4g}", value, unit, low, high);
    }

    std::string operator()(const VolumeRatio& e) const {
        return within(now.rest_volume > 0 ? now.volume / now.rest_volume : 1, e.low, e.high);
    }
    std::string operator()(const Inverted& e) const {
        return at_most(static_cast<double>(now.inverted_tetrahedra), e.at_most);
    }
    std::string operator()(const Crossings& e) const {
        std::uint64_t count = 0;
        for (const Overlap& overlap : player.simulation().overlaps()) count += overlap.crossings;
        return at_most(static_cast<double>(count), e.at_most);
    }
    std::string operator()(const ConstraintError& e) const {
        return at_most(now.worst_constraint_error, e.at_most);
    }
    std::string operator()(const EnergyRise& e) const {
        return at_most(now.total_energy - start_energy, e.at_most, " J");
    }
    std::string operator()(const Speed& e) const {
        double fastest = 0;
        for (const Vec3& v : player.view().velocities) fastest = max(fastest, length(to_double(v)));
        return at_most(fastest, e.at_most, " m/s");
    }
    std::string operator()(const Height& e) const {
        return within(center_of(player.view(), e.body).y, e.low, e.high, " m");
    }
    std::string operator()(const Center& e) const {
        const Vec3d center = center_of(player.view(), e.body);
        const double off = length(center - e.near);
        if (off <= e.within) return "";
        return fmt::format("is at ({:.4g}, {:.4g}, {:.4g}), {:.4g} m off, must be within {:.4g} m", center.x,
                           center.y, center.z, off, e.within);
    }
    std::string operator()(const Spin& e) const {
        return within(spin_of(player.view(), e.body), e.low, e.high, " rad/s");
    }
    std::string operator()(const Stretch& e) const {
        return at_most(stretch_of(player.view(), start_positions, e.body), e.at_most);
    }
    std::string operator()(const StateHash& e) const {
        const std::string hash = fmt::format("{:016x}", player.simulation().state_hash());
        return hash == e.hash ? "" : fmt::format("is {}, must be {}", hash, e.hash);
    }
};

bool all_finite(const View& view) {
    for (const Vec3& p : view.positions) {
        if (!std::isfinite(p.x + p.y + p.z)) return false;
    }
    return true;
}

}  // namespace

ExpectationChecker::ExpectationChecker(const Player& player)
    : start_energy_(player.diagnostics().total_energy),
      start_positions_(player.view().positions.begin(), player.view().positions.end()) {}

std::string ExpectationChecker::failure(const Player& player, const Diagnostics& now,
                                        std::size_t index) const {
    const Expectation& expectation = player.scene().file.expect[index];
    const std::string wrong =
        std::visit(Check{player, now, start_energy_, start_positions_}, expectation.what);
    if (wrong.empty()) return "";
    return fmt::format("/expect/{}: {} {} after frame {}", index, key_of_alternative(expectation), wrong,
                       player.view().frame);
}

void ExpectationChecker::after_frame(const Player& player) {
    const StandardFloatingPoint floating_point;
    const auto& expected = player.scene().file.expect;
    std::optional<Diagnostics> now;  // takes time, and only some need it
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (expected[i].when != When::always || failures_.count(i) > 0) continue;
        if (!now) now = player.diagnostics();
        std::string failed = failure(player, *now, i);
        if (!failed.empty()) failures_[i] = std::move(failed);
    }
}

std::vector<std::string> ExpectationChecker::verdict(const Player& player) const {
    const StandardFloatingPoint floating_point;
    const Diagnostics now = player.diagnostics();
    auto all = failures_;
    const auto& expected = player.scene().file.expect;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (all.count(i) > 0) continue;
        std::string failed = failure(player, now, i);
        if (!failed.empty()) all[i] = std::move(failed);
    }
    std::vector<std::string> list;
    for (auto& [index, failed] : all) list.push_back(std::move(failed));
    if (!all_finite(player.view())) list.push_back("not all positions are finite");
    if (now.repaired_particles > 0) {
        list.push_back(fmt::format("{} particles had left the range of numbers", now.repaired_particles));
    }
    return list;
}

}  // namespace pliant
