// Nodes of the coarse level around particles that touched something at the end of the last substep: what the
// level does must not take them further into the surface than they would go at all, and friction holds them
// along it. Contact never pulls, and friction has its limit; which nodes let go or slide is found by trial.
//
// Nodes go by their own motion, C⁻¹·Φᵀ·M·u. The particles' own would not do: it differs from the nodes', and
// what is added to a node to stop a particle is a push from nowhere.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/geometry/matrix3.h"
#include "solvers/position_based/coarse/coarse_level.h"
#include "solvers/position_based/kernels.h"

namespace pliant::solvers::position_based {

enum class Hold : std::uint8_t { none, slides, sticks };

struct NodeContact {
    std::uint32_t node = 0;  // of the body
    Hold hold = Hold::sticks;
    double friction = 0;   // coefficient
    Vec3d normal, step;    // step: m in this substep, seen from the surface
    double stiffness = 0;  // of a hold, kg
    double pushed = 0;     // by the surface: force·h², kg·m
    Vec3d dragged{};       // the same, along it
};

struct TouchingParticle {
    std::uint32_t group = 0, lane = 0;  // of the level
};

inline constexpr std::size_t values_per_node_sum = 9;
struct NodeContacts {
    std::vector<TouchingParticle> particles;
    std::vector<NodeContact> nodes;
    std::vector<double> sums;  // scratch, values_per_node_sum of each node
};

void find_touching(const CoarseLevel& level, const CoarseBody& body, const ContactArrays& arrays,
                   std::vector<TouchingParticle>& found);
// motions: of each node of the body, m in this substep, in its frame, of which `back` is the inverse.
void find_node_contacts(const CoarseLevel& level, const CoarseBody& body, const ContactArrays& arrays,
                        const Matrix3<double>& back, std::span<const double> motions, NodeContacts& contacts);

// What the matrix of a body with holds depends on, besides the matrix without.
struct HeldNode {
    std::uint32_t node = 0;
    Hold hold = Hold::none;
    Vec3d normal{};  // of what slides

    friend bool operator==(const HeldNode& a, const HeldNode& b) {
        return a.node == b.node && a.hold == b.hold && a.normal.x == b.normal.x && a.normal.y == b.normal.y &&
               a.normal.z == b.normal.z;
    }
};
inline HeldNode held_node(const NodeContact& contact) {
    return {contact.node, contact.hold, contact.hold == Hold::slides ? contact.normal : Vec3d{}};
}

// What a hold adds to the equations of a node.
struct HoldTerms {
    Matrix3<double> stiffness;  // kg
    Vec3d force;                // × h², kg·m
};
HoldTerms terms_of(const NodeContact& contact);

// After an attempt in which the node moved by q. True if it holds in another way now.
bool update_hold(NodeContact& contact, const Vec3d& q);

// Leaves to the particles what friction has not used up: the w of their contacts, in m.
void give_pushes(const CoarseLevel& level, const CoarseBody& body, NodeContacts& contacts,
                 const ContactArrays& arrays);

}  // namespace pliant::solvers::position_based
