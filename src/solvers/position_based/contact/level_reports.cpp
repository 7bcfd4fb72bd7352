#include "solvers/position_based/contact/level_reports.h"

#include "base/convert.h"
#include "base/particle_layout.h"
#include "solvers/position_based/contact/patch_motion.h"
#include "solvers/position_based/plan.h"

namespace pliant::solvers::position_based {
namespace {

struct Share {
    std::uint32_t slot = 0;
    std::array<double, CoarseLevel::corners> weights{};
    std::array<std::uint32_t, CoarseLevel::corners> nodes{};  // of the body
};

Share share_of(const CoarseLevel& level, const CoarseBody& body, const TouchingParticle& particle) {
    const float* at = level.group_coordinates.data() + particle.group * 3 * block_size + particle.lane;
    Share share;
    share.slot = level.group_offsets[particle.group * block_size + particle.lane] / bytes_per_particle;
    share.weights = corner_weights({at[0], at[block_size], at[2 * block_size]});
    for (std::size_t c = 0; c < CoarseLevel::corners; ++c)
        share.nodes[c] = level.group_nodes[particle.group][c] - body.first_node;
    return share;
}

// Particles that lie on other bodies.
void note_supports(const model::State& state, ContactWorkspace& contact) {
    const auto& known = state.position_based.contacts;
    for (const Support& support : contact.supports) {
        if (vector(known.data() + support.offset / sizeof(float)) != vector(support.normal)) continue;
        contact.reports.partners[support.offset / bytes_per_particle] =
            ReportWorkspace::body_flag | contact.reports.body_at[support.other / bytes_per_particle];
    }
}

void report_body(const CoarseLevel& level, const CoarseBody& body, const CoarseBodyWorkspace& own,
                 const ParticleArrays& particles, const model::State& state, ReportWorkspace& reports) {
    std::vector<Vec3d> pushes(body.nodes), normals(body.nodes);
    for (const NodeContact& contact : own.contacts.nodes) {
        if (!(contact.pushed > 0)) continue;
        normals[contact.node] = own.frame * (contact.normal * contact.pushed);
        pushes[contact.node] = normals[contact.node] + own.frame * contact.dragged;
    }
    std::vector<double> sums(body.nodes);
    std::vector<Share> shares;
    for (const TouchingParticle& particle : own.contacts.particles) {
        shares.push_back(share_of(level, body, particle));
        if (reports.partners[shares.back().slot] == ReportWorkspace::no_partner) {
            shares.pop_back();
            continue;
        }
        for (std::size_t c = 0; c < CoarseLevel::corners; ++c)
            sums[shares.back().nodes[c]] += shares.back().weights[c];
    }
    for (const Share& share : shares) {
        Vec3d push{}, normal{};
        for (std::size_t c = 0; c < CoarseLevel::corners; ++c) {
            const std::uint32_t node = share.nodes[c];
            if (!(sums[node] > 0)) continue;
            push = push + pushes[node] * (share.weights[c] / sums[node]);
            normal = normal + normals[node] * (share.weights[c] / sums[node]);
        }
        add_push_of_level(share.slot, push, normal, particles, state, reports);
    }
}

}  // namespace

void report_levels(const Plan& plan, const model::State& state, const CoarseWorkspace& coarse,
                   const ParticleArrays& particles, ContactWorkspace& contact) {
    if (!contact.reports.is_on || !coarse.any_active || state.position_based.contacts.empty()) return;
    note_supports(state, contact);
    for (std::size_t b = 0; b < plan.coarse.bodies.size(); ++b) {
        if (coarse.bodies[b].is_active && !coarse.bodies[b].contacts.nodes.empty())
            report_body(plan.coarse, plan.coarse.bodies[b], coarse.bodies[b], particles, state,
                        contact.reports);
    }
}

}  // namespace pliant::solvers::position_based
