#include "solvers/position_based/strands/pressed_strands.h"

#include <algorithm>

#include "base/convert.h"
#include "base/particle_layout.h"
#include "solvers/position_based/plan.h"
#include "solvers/position_based/strands/rod_joint.h"
#include "solvers/position_based/workspace.h"
#include "solvers/step_context.h"

namespace pliant::solvers::position_based {
namespace {

constexpr double pressing_share = 0.02;   // of a segment: what moves a strand by more presses on it
constexpr double touching_share = 1e-3;   // of a segment: what is nearer touches
constexpr double near_share = 0.5;        // of a segment: what colliders may come to touch
constexpr double left_share = 2e-5;       // of a segment: what is left to the colliders themselves
constexpr std::size_t most_nodes = 1500;  // of strands that are solved together

struct PressContext {
    const model::Model& model;
    const Plan& plan;
    const StrandContext strands;
    const ContactWorkspace* contact;                       // null: bodies do not touch
    std::span<const collision::LocalColliders> colliders;  // of each island; empty: there are none
    PressWorkspace& workspace;
    double substep = 0;  // s
};

class PressedStrands {
public:
    PressedStrands(const PressContext& context, std::vector<std::uint8_t>& touched)
        : c_(context), of_(context.workspace), chains_(context.workspace.chains), touched_(touched) {}

    void run() {
        of_.rows.clear();
        of_.sets.clear();
        of_.is_pressed.assign(chains_.sets, 0);
        of_.touching.assign(chains_.sets, 0);
        for (std::uint32_t s = 0; s < chains_.sets; ++s) of_.set_of[s] = s;
        if (c_.contact) add_contacts();
        if (!c_.colliders.empty()) add_colliders();
        find_hanging();
        if (std::find(of_.is_pressed.begin(), of_.is_pressed.end(), 1) == of_.is_pressed.end()) return;
        for (std::uint32_t& set : of_.sets) set = find(set);
        std::vector<std::uint8_t>& pressed = of_.is_pressed;
        for (std::uint32_t s = 0; s < chains_.sets; ++s) pressed[find(s)] |= pressed[s];
        for (std::uint32_t s = 0; s < chains_.sets; ++s) {
            if (find(s) == s && pressed[s]) solve(s);
        }
    }

private:
    const StrandSet& strands() const { return c_.strands.strands; }
    float* position(std::uint32_t offset) const {
        return c_.strands.state.position.data() + offset / sizeof(float);
    }
    static Vec3d read(const float* p) { return {p[0], p[1], p[2]}; }
    std::uint32_t node(const StrandChain& chain, std::size_t i) const {
        return strands().offsets[chain.first + i * block_size];
    }
    double rest(const StrandChain& chain, std::size_t i) const {
        return double(c_.strands.workspace.rests[chain.first + i * block_size]);
    }

    std::uint32_t find(std::uint32_t set) const {
        while (of_.set_of[set] != set) set = of_.set_of[set];
        return set;
    }
    void join(std::uint32_t a, std::uint32_t b) {
        a = find(a);
        b = find(b);
        of_.set_of[std::max(a, b)] = std::min(a, b);
    }

    const float* tensions_of(const StrandChain& chain) const {
        return chain.is_listed ? c_.strands.state.tensions.data() : c_.strands.workspace.multipliers.data();
    }

    double gap(const PressRow& row) const {
        double sum = -row.level;
        for (std::uint32_t k = 0; k < row.count; ++k)
            sum += row.weights[k] * dot(row.normal, read(position(row.offsets[k])));
        return sum;
    }
    void add(const PressRow& row, std::uint32_t chain) {
        const std::uint32_t set = chains_.list[chain].set;
        const double depth = -gap(row), spacing = of_.spacings[chain];
        if (depth > pressing_share * spacing) of_.is_pressed[set] = 1;
        of_.rows.push_back(row);
        of_.sets.push_back(set);
        if (!(depth > -touching_share * spacing)) return;
        for (std::uint32_t k = 0; k < row.count; ++k) {
            const std::uint32_t slot = row.offsets[k] / bytes_per_particle, own = chains_.chain_at[slot];
            if (own == no_link || of_.point_at[slot] != no_link) continue;
            of_.point_at[slot] = 0;  // for now: it is counted
            ++of_.touching[chains_.list[own].set];
        }
    }
    // A strand of which only some particles touch something hangs, or is pulled.
    void find_hanging() {
        for (std::uint32_t s = 0; s < chains_.sets; ++s) {
            if (of_.touching[s] > 0 && of_.touching[s] < chains_.members[s]) of_.is_pressed[s] = 1;
        }
        for (const PressRow& row : of_.rows) {
            for (std::uint32_t k = 0; k < row.count; ++k)
                of_.point_at[row.offsets[k] / bytes_per_particle] = no_link;
        }
    }

    // What the start of the substep lacks already is left to contact: it becomes no velocity.
    void add_contacts() {
        for (const PatchChunk& chunk : c_.contact->chunks) {
            for (const Contact& contact : chunk.contacts) {
                std::uint32_t own = no_link;
                for (const std::uint32_t offset : contact.offsets) {
                    const std::uint32_t chain = chains_.chain_at[offset / bytes_per_particle];
                    if (chain == no_link) continue;
                    if (own != no_link) join(chains_.list[own].set, chains_.list[chain].set);
                    own = own == no_link ? chain : own;
                }
                if (own != no_link) add(row_of(contact), own);
            }
        }
    }
    PressRow row_of(const Contact& contact) const {
        PressRow row;
        row.count = 4;
        row.normal = to_double(Vec3{contact.normal[0], contact.normal[1], contact.normal[2]});
        row.level = double(contact.level) - contact.opening;
        row.friction = contact.friction;
        for (std::size_t k = 0; k < 4; ++k) {
            row.offsets[k] = contact.offsets[k];
            row.weights[k] = contact.weights[k];
            row.reference =
                row.reference +
                read(c_.contact->reference.data() + contact.offsets[k] / sizeof(float)) * row.weights[k];
        }
        return row;
    }

    Vec3d start(std::uint32_t offset) const {
        const std::size_t at = offset / sizeof(float);
        return read(c_.strands.state.predicted.data() + at) - read(c_.strands.state.displacement.data() + at);
    }

    void add_colliders() {
        for (std::uint32_t c = 0; c < chains_.list.size(); ++c) {
            const StrandChain& chain = chains_.list[c];
            if (chain.nodes > most_nodes) continue;
            BoundsOf<double> bounds;
            for (std::size_t i = 0; i < chain.nodes; ++i) {
                bounds.add(start(node(chain, i)));
                bounds.add(read(position(node(chain, i))));
            }
            const std::uint32_t island = c_.model.island_of[strands().particles[chain.first]];
            const Vec3d half = bounds.extent() * 0.5 + Vec3d{1, 1, 1} * (near_share * of_.spacings[c]);
            const collision::LocalColliders& all = c_.colliders[island];
            of_.near.reserve_for(all);
            of_.near.keep_near(all, {(bounds.low + bounds.high) * 0.5, half},
                               double(c_.plan.islands[island].radius));
            if (of_.near.size() == 0) continue;
            const collision::ColliderSet set = of_.near.set();
            for (std::size_t i = 0; i < chain.nodes; ++i) {
                if (position(node(chain, i))[3] > 0) add_colliders(c, node(chain, i), set);
            }
        }
    }

    // The plane of each collider is that of the start, which went along with the surface.
    void add_colliders(std::uint32_t chain, std::uint32_t offset, const collision::ColliderSet& set) {
        const std::uint32_t slot = offset / bytes_per_particle;
        const Vec3d p = start(offset);
        const double radius = c_.plan.radii[slot], spacing = of_.spacings[chain];
        const double share = c_.plan.friction_shares.empty() ? 1.0 : double(c_.plan.friction_shares[slot]);
        collision::AllColliders::for_each([&]<class Kind>() {
            const collision::LocalSpan<Kind>& span = collision::span_of<Kind>(set);
            for (std::size_t i = 0; i < span.count; ++i) {
                const auto& shape = span.first[i];
                Vec3d moved{};
                if (shape.moves) moved = collision::motion_at(shape, p);
                const Vec3d x = p + moved;
                const auto met = collision::contact_with<Kind>(shape, x, Vec3d{}, radius);
                if constexpr (requires { met.motion; }) moved = moved + met.motion;
                PressRow row;
                row.count = 1;
                row.offsets[0] = offset;
                row.weights[0] = 1;
                row.normal = met.normal;
                row.level =
                    dot(met.normal, p + moved) - max(double(met.distance), 0.0) - left_share * spacing;
                if (!(gap(row) < near_share * spacing)) continue;
                if (shape.drags) {
                    const Vec3d belt = collision::spread<double>(shape.belt) * c_.substep;
                    moved = moved + belt - met.normal * dot(met.normal, belt);
                }
                row.reference = p + moved;
                row.friction = double(shape.friction) * share;
                add(row, chain);
            }
        });
    }

    // All strands of a group of sets, and what their contacts touch.
    void solve(std::uint32_t group) {
        PressSystem& system = of_.system;
        system.points.clear();
        system.members.clear();
        system.links.clear();
        system.joints.clear();
        system.rows.clear();
        std::size_t nodes = 0;
        for (const StrandChain& chain : chains_.list) nodes += find(chain.set) == group ? chain.nodes : 0;
        if (nodes > most_nodes) return;
        for (const StrandChain& chain : chains_.list) {
            if (find(chain.set) != group) continue;
            for (std::size_t i = 0; i < chain.nodes; ++i) point(node(chain, i));
        }
        for (std::uint32_t set = 0; set < chains_.sets; ++set) {
            if (find(set) == group) add_ties(set);
        }
        for (std::size_t r = 0; r < of_.rows.size(); ++r) {
            if (of_.sets[r] != group) continue;
            PressRow row = of_.rows[r];
            for (std::uint32_t k = 0; k < row.count; ++k) row.points[k] = point(row.offsets[k]);
            system.rows.push_back(row);
        }
        read_points();
        for (const StrandChain& chain : chains_.list) {
            if (find(chain.set) == group) add_links(chain);
        }
        write_back(solve_pressed(system));
    }

    std::uint32_t point(std::uint32_t offset) {
        std::uint32_t& at = of_.point_at[offset / bytes_per_particle];
        if (at == no_link) {
            at = static_cast<std::uint32_t>(of_.system.points.size());
            of_.system.points.push_back({});
            of_.system.members.push_back({offset, at});
        }
        return at;
    }

    // Particles that are tied rigidly are one point. Each round they take the lower number: as many rounds as
    // ties follow each other.
    void add_ties(std::uint32_t set) {
        const auto ties =
            std::span(chains_.tie_order)
                .subspan(chains_.first_tie[set], chains_.first_tie[set + 1] - chains_.first_tie[set]);
        for (const std::uint32_t t : ties) {
            if (c_.strands.workspace.is_rigid[t]) point(strands().ties[t].other_offset);
        }
        for (bool changed = true; changed;) {
            changed = false;
            for (const std::uint32_t t : ties) {
                if (!c_.strands.workspace.is_rigid[t]) continue;
                const StrandTie& tie = strands().ties[t];
                std::uint32_t &a = of_.point_at[tie.offset / bytes_per_particle],
                              &b = of_.point_at[tie.other_offset / bytes_per_particle];
                changed = changed || a != b;
                a = b = std::min(a, b);
            }
        }
    }

    void read_points() {
        PressSystem& system = of_.system;
        for (PressMember& member : system.members) {
            member.point = of_.point_at[member.offset / bytes_per_particle];
            PressPoint& at = system.points[member.point];
            const float* x = position(member.offset);
            if (at.mass < 0) continue;  // held
            if (!(x[3] > 0)) {
                at = {read(x), {}, -1, no_link};
                continue;
            }
            at.x = at.x + read(x) * (1 / double(x[3]));
            at.mass += 1 / double(x[3]);
        }
        std::uint32_t rows = 0;
        for (PressPoint& at : system.points) {
            if (!(at.mass > 0)) continue;
            at.x = at.x * (1 / at.mass);
            at.row = rows++;
        }
    }

    void add_links(const StrandChain& chain) {
        const StrandWorkspace& from = c_.strands.workspace;
        const float* softness =
            (chain.is_listed ? from.chain_softness.data() : from.softness.data()) + chain.softness;
        const float* tensions = tensions_of(chain);
        for (std::size_t i = 0; i + 1 < chain.nodes; ++i) {
            const double length = rest(chain, i);
            if (!(length > 0)) continue;  // NaN: no link
            PressLink link;
            link.a = point(node(chain, i));
            link.b = point(node(chain, i + 1));
            link.rest = length;
            link.compliance = double(softness[0]) + double(softness[chain.softness_stride]) * length;
            link.kept = double(tensions[chains_.tensions[chain.first_tension + i]]);
            if (link.a != link.b) of_.system.links.push_back(link);
        }
        if (!chain.is_rod) return;
        for (std::size_t i = 1; i + 1 < chain.nodes; ++i) {
            const std::size_t joint = chain.first / block_size + i, lane = chain.first % block_size;
            const double stiffness =
                double(from.joints[(joint * rod_joint_values + 3) * block_size + lane]);  // h²B/l
            const double length = 0.5 * (rest(chain, i - 1) + rest(chain, i));
            if (!(length > 0) || !(stiffness > 0)) continue;
            of_.system.joints.push_back({point(node(chain, i - 1)), point(node(chain, i)),
                                         point(node(chain, i + 1)), stiffness / (length * length)});
        }
    }

    // What was not solved is left to contact.
    void write_back(bool is_good) {
        for (const PressMember& member : of_.system.members) {
            const PressPoint& at = of_.system.points[member.point];
            of_.point_at[member.offset / bytes_per_particle] = no_link;
            float* to = position(member.offset);
            if (!is_good || !(to[3] > 0) || !(at.mass > 0)) continue;
            to[0] = static_cast<float>(at.x.x);
            to[1] = static_cast<float>(at.x.y);
            to[2] = static_cast<float>(at.x.z);
        }
        if (!is_good) return;
        for (const PressRow& row : of_.system.rows) {
            for (std::uint32_t k = 0; k < row.count; ++k) {
                const std::uint32_t particle = c_.plan.particle_at[row.offsets[k] / bytes_per_particle];
                touched_[c_.model.island_of[particle]] = 1;
            }
        }
    }

    const PressContext c_;
    PressWorkspace& of_;
    StrandChains& chains_;
    std::vector<std::uint8_t>& touched_;
};

}  // namespace

void prepare_pressed_strands(const model::Model& model, const Plan& plan, const StrandWorkspace& strands,
                             PressWorkspace& workspace) {
    if (workspace.is_prepared || !strands.is_active) return;
    workspace.is_prepared = true;
    workspace.chains = list_chains(model, plan.strands, plan.slots());
    workspace.set_of.resize(workspace.chains.sets);
    workspace.point_at.assign(plan.slots(), no_link);
    std::size_t nodes = 0;
    for (const StrandChain& chain : workspace.chains.list)
        nodes += chain.nodes <= most_nodes ? chain.nodes : 0;
    workspace.system.reserve(std::min(nodes, most_nodes));
    workspace.rows.reserve(8 * nodes);
    workspace.sets.reserve(8 * nodes);
    workspace.is_pressed.reserve(workspace.chains.sets);
    workspace.touching.reserve(workspace.chains.sets);
    workspace.spacings.clear();
    workspace.any = false;
    for (const StrandChain& chain : workspace.chains.list) {
        double sum = 0;
        for (std::size_t i = 0; i + 1 < chain.nodes; ++i)
            sum += max(double(strands.rests[chain.first + i * block_size]), 0.0);  // NaN: no link
        workspace.spacings.push_back(sum / (chain.nodes - 1));
        workspace.any = workspace.any || chain.nodes <= most_nodes;
    }
}

void solve_pressed_strands(const model::Model& model, const Plan& plan, model::State& state,
                           const StepContext& context, double h) {
    Workspace& all = context.workspace;
    const bool touches = !plan.contact.empty() && context.settings.contact_quality != ContactQuality::off;
    if (!all.pressed.any || !all.strands.is_active || (!touches && state.colliders.empty())) return;
    std::span<const collision::LocalColliders> colliders;
    if (!state.colliders.empty()) colliders = all.colliders;
    const StrandContext strands{plan.strands, context.kernels, state.position_based, all.strands};
    PressedStrands({model, plan, strands, touches ? &all.contact : nullptr, colliders, all.pressed, h},
                   all.touched)
        .run();
}

}  // namespace pliant::solvers::position_based
