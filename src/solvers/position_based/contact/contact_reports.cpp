#include "solvers/position_based/contact/contact_reports.h"

#include <algorithm>
#include <tuple>

#include "base/convert.h"
#include "base/particle_layout.h"
#include "solvers/position_based/contact/patch_motion.h"
#include "solvers/position_based/kernels.h"
#include "solvers/position_based/plan.h"

namespace pliant::solvers::position_based {
namespace {

using Pair = ReportWorkspace::Pair;

std::tuple<std::uint32_t, bool, std::uint32_t> key_of(const Pair& pair) {
    return {pair.body, pair.is_collider, pair.other};
}
std::tuple<std::uint32_t, bool, std::uint32_t> key_of(const ContactReport& report) {
    return {report.body, report.is_collider, report.other};
}

void add(const PushSum& more, const Vec3d& origin, double side, PushSum& sum) {
    const double shift[3] = {origin.x, origin.y, origin.z};
    sum.weight += more.weight;
    for (int k = 0; k < 3; ++k) {
        sum.push[k] += side * more.push[k];
        sum.normal[k] += side * more.normal[k];
        sum.point[k] += more.point[k] + more.weight * shift[k];
    }
}

// Pairs stay sorted.
PushSum& sum_of(std::vector<Pair>& pairs, const Pair& wanted) {
    const auto at = std::lower_bound(pairs.begin(), pairs.end(), wanted,
                                     [](const Pair& a, const Pair& b) { return key_of(a) < key_of(b); });
    if (at != pairs.end() && key_of(*at) == key_of(wanted)) return at->sum;
    return pairs.insert(at, wanted)->sum;
}

// A chunk has a row for each of its bodies: no two chunks write to the same.
void make_rows(const model::Model& model, const Plan& plan, ReportWorkspace& reports) {
    reports.body_at.assign(plan.slots(), 0);
    reports.row_at.assign(plan.slots(), 0);
    reports.row_bodies.clear();
    reports.islands.clear();
    for (const BodyView& body : model.bodies) reports.islands.push_back(body.island);
    for (std::uint32_t b = 0; b < model.bodies.size(); ++b) {
        const BodyView& body = model.bodies[b];
        for (std::uint32_t p = 0; p < body.particle_count; ++p)
            reports.body_at[plan.slot_of[body.first_particle + p]] = b;
    }
    for (const ParticleChunk& chunk : plan.chunks) {
        const std::size_t first = reports.row_bodies.size();
        for (std::size_t s = chunk.first; s < chunk.first + chunk.count; ++s) {
            const auto begin = reports.row_bodies.begin() + static_cast<std::ptrdiff_t>(first);
            const auto at = std::find(begin, reports.row_bodies.end(), reports.body_at[s]);
            reports.row_at[s] = static_cast<std::uint32_t>(at - reports.row_bodies.begin());
            if (at == reports.row_bodies.end()) reports.row_bodies.push_back(reports.body_at[s]);
        }
    }
}

ContactReport report_of(const Pair& pair, double h) {
    ContactReport report;
    report.body = pair.body;
    report.other = pair.other;
    report.is_collider = pair.is_collider;
    const PushSum& sum = pair.sum;
    const Vec3d normal{sum.normal[0], sum.normal[1], sum.normal[2]};
    report.point = Vec3d{sum.point[0], sum.point[1], sum.point[2]} * (1 / sum.weight);
    if (const double size = length(normal); size > 0) report.normal = to_float(normal * (1 / size));
    report.impulse = Vec3d{sum.push[0], sum.push[1], sum.push[2]} * (1 / h);
    return report;
}

}  // namespace

void begin_reports(const model::Model& model, const Plan& plan, const model::State& state,
                   const Settings& settings, ReportWorkspace& reports) {
    reports.is_on = settings.report_contacts;
    if (!reports.is_on) return;
    if (reports.body_at.size() != plan.slots()) {
        make_rows(model, plan, reports);
        const auto colliders = static_cast<std::uint32_t>(state.colliders.size());
        for (std::uint32_t& row : reports.row_at) row *= 2 * colliders;
    }
    reports.rows.assign(reports.row_bodies.size() * 2 * state.colliders.size(), {});
    reports.bodies.clear();
    reports.partners.assign(plan.slots(), ReportWorkspace::no_partner);
}

void give_reports(ReportWorkspace& reports, ParticleRange& range) {
    if (!reports.is_on || reports.rows.empty()) return;
    range.pushes = reports.rows.data();
    range.push_rows = reports.row_at.data();
    range.partners = reports.partners.data();
}

void report_contacts(const std::vector<Contact>& contacts, const std::vector<float>& pushes,
                     const ParticleArrays& particles, const model::State& state, ReportWorkspace& reports) {
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        const Contact& contact = contacts[i];
        const float* push = pushes.data() + 4 * i;
        if (!(push[3] > 0)) continue;
        const std::uint32_t first = reports.body_at[contact.offsets[0] / bytes_per_particle],
                            second = reports.body_at[contact.offsets[3] / bytes_per_particle];
        if (first == second) continue;
        PushSum sum;
        for (std::size_t k = 0; k < 3; ++k) {
            sum.push[k] = push[k];
            sum.normal[k] = double(push[3]) * contact.normal[k];
        }
        sum.weight = length(Vec3d{sum.push[0], sum.push[1], sum.push[2]});
        Vec3d point{};
        for (std::size_t k = 0; k < 4; ++k) {
            if (reports.body_at[contact.offsets[k] / bytes_per_particle] != first) continue;
            const float* x = particles.position + contact.offsets[k] / sizeof(float);
            point = point + to_double(vector(x)) * double(contact.weights[k]);
        }
        sum.point[0] = sum.weight * point.x, sum.point[1] = sum.weight * point.y;
        sum.point[2] = sum.weight * point.z;
        const Vec3d& origin = state.origins[reports.islands[first]];
        add(sum, origin, first < second ? 1 : -1,
            sum_of(reports.bodies, {std::min(first, second), std::max(first, second), false, {}}));
    }
}

void add_push_of_level(std::size_t slot, const Vec3d& push, const Vec3d& normal,
                       const ParticleArrays& particles, const model::State& state, ReportWorkspace& reports) {
    const float* x = particles.position + slot * floats_per_particle;
    const std::uint32_t body = reports.body_at[slot], partner = reports.partners[slot];
    const bool is_body = (partner & ReportWorkspace::body_flag) != 0;
    const std::uint32_t other = partner & ~ReportWorkspace::body_flag;
    const double weight = length(push);
    if (!(weight > 0) || (is_body && other == body)) return;
    const PushSum sum{{push.x, push.y, push.z},
                      {normal.x, normal.y, normal.z},
                      {weight * x[0], weight * x[1], weight * x[2]},
                      weight};
    if (is_body) {
        add(sum, state.origins[reports.islands[body]], body < other ? 1 : -1,
            sum_of(reports.bodies, {std::min(body, other), std::max(body, other), false, {}}));
    } else {
        add(sum, {}, 1, reports.rows[reports.row_at[slot] + 2 * other]);
    }
}

void end_reports(model::State& state, const Settings& settings, double h, ReportWorkspace& reports) {
    if (!settings.report_contacts) return state.contacts.clear();
    const std::size_t colliders = state.colliders.size();
    std::vector<Pair>& pairs = reports.pairs;
    pairs = reports.bodies;
    for (std::size_t row = 0; row < reports.row_bodies.size(); ++row) {
        const std::uint32_t body = reports.row_bodies[row];
        for (std::size_t c = 0; c < 2 * colliders; ++c) {
            const PushSum& sum = reports.rows[2 * row * colliders + c];
            if (!(sum.weight > 0)) continue;
            add(sum, state.origins[reports.islands[body]], 1,
                sum_of(pairs, {body, static_cast<std::uint32_t>(c / 2), true, {}}));
        }
    }
    std::vector<ContactReport> now;
    auto before = state.contacts.begin();
    const auto end_what_was = [&](const auto& is_over) {
        for (; before != state.contacts.end() && is_over(*before); ++before) {
            if (before->phase == ContactPhase::ended) continue;
            now.push_back(*before);
            now.back().phase = ContactPhase::ended;
            now.back().impulse = {};
        }
    };
    for (const Pair& pair : pairs) {
        if (!(pair.sum.weight > 0)) continue;
        end_what_was([&](const ContactReport& old) { return key_of(old) < key_of(pair); });
        now.push_back(report_of(pair, h));
        if (before == state.contacts.end() || key_of(*before) != key_of(pair)) continue;
        if (before->phase != ContactPhase::ended) now.back().phase = ContactPhase::lasted;
        ++before;
    }
    end_what_was([](const ContactReport&) { return true; });
    state.contacts = std::move(now);
}

}  // namespace pliant::solvers::position_based
