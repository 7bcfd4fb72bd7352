#include "solvers/position_based/coarse/node_contacts.h"

#include <algorithm>
#include <cstring>

#include "base/scalar.h"

namespace pliant::solvers::position_based {
namespace {

constexpr double least_share = 0.5;  // of a node's greatest weight, for it to feel a contact

std::array<double, box_corners> weights_of(const CoarseLevel& level, const TouchingParticle& particle) {
    const float* at = level.group_coordinates.data() + particle.group * 3 * block_size + particle.lane;
    return corner_weights({at[0], at[block_size], at[2 * block_size]});
}

std::size_t index_of(const CoarseLevel& level, const TouchingParticle& particle) {
    return level.group_offsets[particle.group * block_size + particle.lane] / sizeof(float);
}

}  // namespace

void find_touching(const CoarseLevel& level, const CoarseBody& body, const ContactArrays& arrays,
                   std::vector<TouchingParticle>& found) {
    found.clear();
    if (!arrays.contacts) return;
    const auto* bytes = reinterpret_cast<const char*>(arrays.contacts);
    for (std::uint32_t g = body.first_group; g < body.first_group + body.groups; ++g) {
        const std::uint32_t* offsets = level.group_offsets.data() + std::size_t(g) * block_size;
        for (std::uint32_t i = 0; i < level.group_sizes[g]; ++i) {
            std::uint32_t bits[3];
            std::memcpy(bits, bytes + offsets[i], sizeof bits);
            if ((bits[0] | bits[1] | bits[2]) << 1 != 0) found.push_back({g, i});  // −0 is 0
        }
    }
}

void find_node_contacts(const CoarseLevel& level, const CoarseBody& body, const ContactArrays& arrays,
                        const Matrix3<double>& back, std::span<const double> motions,
                        NodeContacts& contacts) {
    std::fill(contacts.sums.begin(), contacts.sums.end(), 0.0);
    for (const TouchingParticle& particle : contacts.particles) {
        const std::size_t at = index_of(level, particle);
        const float *n = arrays.contacts + at, *surface = arrays.surfaces + at;
        const double values[] = {1, n[0], n[1], n[2], surface[0], surface[1], surface[2], surface[3]};
        const auto weights = weights_of(level, particle);
        for (std::size_t c = 0; c < box_corners; ++c) {
            const std::uint32_t node = level.group_nodes[particle.group][c] - body.first_node;
            double* sum = contacts.sums.data() + node * values_per_node_sum;
            for (std::size_t v = 0; v < std::size(values); ++v) sum[v] += weights[c] * values[v];
            sum[8] = max(sum[8], weights[c]);
        }
    }
    contacts.nodes.clear();
    for (std::uint32_t n = 0; n < body.nodes; ++n) {
        const double* sum = contacts.sums.data() + n * values_per_node_sum;
        const Vec3d normal{sum[1], sum[2], sum[3]}, surface{sum[4], sum[5], sum[6]};
        const double length = sqrt(dot(normal, normal));
        if (!(sum[8] > least_share * level.node_weights[body.first_node + n] && length > 0)) continue;
        NodeContact contact;
        contact.node = n;
        contact.normal = back * (normal * (1 / length));
        contact.step =
            Vec3d{motions[3 * n], motions[3 * n + 1], motions[3 * n + 2]} - back * (surface * (1 / sum[0]));
        contact.friction = sum[7] / sum[0];
        contact.hold = contact.friction > 0 ? Hold::sticks : Hold::slides;
        contacts.nodes.push_back(contact);
    }
}

HoldTerms terms_of(const NodeContact& contact) {
    if (contact.hold == Hold::sticks) return {diagonal(contact.stiffness), contact.step * -contact.stiffness};
    const Vec3d &n = contact.normal, scaled = n * contact.stiffness;
    return {{scaled * n.x, scaled * n.y, scaled * n.z}, scaled * -dot(contact.step, n) + contact.dragged};
}

bool update_hold(NodeContact& contact, const Vec3d& q) {
    const Hold before = contact.hold;
    if (before == Hold::none) return false;
    const Vec3d &n = contact.normal, way = contact.step + q;
    const double along = dot(way, n);
    contact.pushed = max(-contact.stiffness * along, 0.0);
    if (!(contact.pushed > 0)) {
        contact.hold = Hold::none;
        contact.dragged = {};
        return true;
    }
    const Vec3d aside = way - n * along;
    if (before == Hold::sticks) contact.dragged = aside * -contact.stiffness;
    const double limit = contact.friction * contact.pushed,
                 pull = sqrt(dot(contact.dragged, contact.dragged));
    // Friction that goes along with the slip was too much: other nodes slide too.
    const double most = before == Hold::slides && dot(aside, contact.dragged) > 0 ? 0 : limit;
    if (pull <= most) return false;
    contact.dragged = contact.dragged * (most / pull);
    contact.hold = Hold::slides;
    return true;
}

void give_pushes(const CoarseLevel& level, const CoarseBody& body, NodeContacts& contacts,
                 const ContactArrays& arrays) {
    std::fill(contacts.sums.begin(), contacts.sums.end(), 0.0);
    for (const NodeContact& contact : contacts.nodes) {
        if (!(contact.friction > 0) || contact.hold == Hold::none) continue;
        const double used = sqrt(dot(contact.dragged, contact.dragged)) / contact.friction;
        contacts.sums[contact.node] =
            max(contact.pushed - used, 0.0) / level.node_masses[body.first_node + contact.node];
    }
    for (const TouchingParticle& particle : contacts.particles) {
        const auto weights = weights_of(level, particle);
        double push = 0;
        for (std::size_t c = 0; c < box_corners; ++c)
            push += weights[c] * contacts.sums[level.group_nodes[particle.group][c] - body.first_node];
        arrays.contacts[index_of(level, particle) + 3] = static_cast<float>(push);
    }
}

}  // namespace pliant::solvers::position_based
