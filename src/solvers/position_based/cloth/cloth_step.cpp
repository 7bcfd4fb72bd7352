#include "solvers/position_based/cloth/cloth_step.h"

#include <algorithm>

#include "constraints/roles.h"
#include "solvers/position_based/plan.h"

namespace pliant::solvers::position_based {
namespace {

constexpr std::size_t level_sweeps = 2, patch_sweeps = 4;  // per substep, there and back in turn
constexpr std::size_t blocks_per_job = 32;
// What each sweep over edges carries, as a share of 1/((w + w)·h²).
constexpr double carried_share = 0.2;

void find_new_rests(const model::Model& model, const model::State& state, const ClothLevels& levels,
                    ClothWorkspace& workspace) {
    if (workspace.rest_changes == state.rest_changes) return;
    workspace.rest_changes = state.rest_changes;
    const auto& list = constraints::list_of<constraints::Link>(model.constraints);
    const auto& rests = model::Rests(model, state).of<constraints::Link>();
    for (std::size_t s = 0; s < levels.sheets.size(); ++s) {
        const ClothSheet& sheet = levels.sheets[s];
        bool has_new = false;
        for (std::size_t i = 0; i < list.size() && !has_new; ++i)
            has_new = list.parts[i] == sheet.part && !(rests[i].length == list.rests[i].length);
        workspace.sheets[s].has_new_rests = has_new;
    }
}

// What holds a sheet now, in the order of its particles.
void find_held(const ClothSheet& sheet, const Plan& plan, const model::PositionBasedState& state,
               std::span<const model::MaterialValues> materials, std::vector<HeldParticle>& held) {
    held.clear();
    for (std::uint32_t v = 0; v < sheet.particles; ++v) {
        const std::uint32_t slot = plan.slot_of[sheet.first_particle + v];
        if (!(state.position[slot * floats_per_particle + 3] > 0)) held.push_back({v, slot});
    }
    for (const auto& [vertex, anchor, part] : sheet.attachments) {
        if (materials[part].elasticity.compliance == 0) held.push_back({vertex, plan.slot_of[anchor]});
    }
}

// Whether any of its particles touched something at the end of the last substep.
bool touches(const ClothSheet& sheet, const AlignedVector<float>& contacts) {
    if (contacts.empty()) return false;
    return std::any_of(sheet.target_offsets.begin(), sheet.target_offsets.begin() + sheet.particles,
                       [&](std::uint32_t offset) {
                           const float* n = contacts.data() + offset / sizeof(float);
                           return n[0] != 0 || n[1] != 0 || n[2] != 0;
                       });
}

void allocate(const ClothLevel& level, ClothLevelWorkspace& own) {
    own.nodes.assign(level.floats(), 0.0f);
    own.moves.assign(level.nodes() * floats_per_particle, 0.0f);
    own.touching.reserve(level.nodes());
    own.multipliers.assign(level.links.lengths.size(), 0.0f);
}

void allocate(const ClothSheet& sheet, SheetWorkspace& own) {
    own.levels.resize(sheet.levels.size());
    for (std::size_t l = 0; l < sheet.levels.size(); ++l) allocate(sheet.levels[l], own.levels[l]);
    allocate(sheet.patch, own.patch);
    const std::size_t finest = sheet.levels.empty() ? 0 : sheet.levels[0].nodes();
    own.starts.assign(std::max(finest, sheet.patch.nodes()) * floats_per_particle, 0.0f);
    for (std::size_t n = 0; n < finest; ++n)
        own.start_offsets.push_back(static_cast<std::uint32_t>(n * bytes_per_particle));
}

void find_holders(const ClothSheet& sheet, const Plan& plan, const std::vector<HeldParticle>& held,
                  const ClothLevel& level, std::vector<std::uint32_t>& holders) {
    holders = level.slots;
    for (const HeldParticle& one : held) {
        const std::uint32_t slot = plan.slot_of[sheet.first_particle + one.vertex];
        for (std::size_t n = 0; n < holders.size(); ++n) {
            if (level.slots[n] == slot) holders[n] = one.holder_slot;
        }
    }
}

void follow_holders(const ClothSheet& sheet, const Plan& plan, SheetWorkspace& own) {
    make_tethers(sheet, own.held, own.tethers);
    for (std::size_t l = 0; l < sheet.levels.size(); ++l)
        find_holders(sheet, plan, own.held, sheet.levels[l], own.levels[l].holders);
    find_holders(sheet, plan, own.held, sheet.patch, own.patch.holders);
}

// Membranes stretch as they like up to their limit, and no level acts before.
float strain_limit(const ClothSheet& sheet, std::span<const model::MaterialValues> materials) {
    if (sheet.model != MembraneModel::orthotropic) return 0;
    const auto& constants = materials[sheet.part].constants;
    return constraints::make_material<constraints::Weave, float>([&](std::size_t i) { return constants[i]; })
        .strain_limit;
}

// held_now: what holds it.
void prepare_sheet(const ClothSheet& sheet, const Plan& plan,
                   std::span<const model::MaterialValues> materials, int iterations, double substep,
                   SheetWorkspace& own) {
    const bool has_membrane = sheet.model != MembraneModel::links;
    const float limit = strain_limit(sheet, materials);
    const double compliance = has_membrane ? 0 : double(materials[sheet.part].elasticity.compliance),
                 h2 = substep * substep;
    const double carried = iterations * carried_share / (2 * double(sheet.mean_inverse_mass) * h2);
    own.is_active = !own.has_new_rests && (has_membrane ? limit > 0 : compliance * carried < 1);
    if (!own.is_active) return;
    own.allowed = 1 + limit;
    // Stiffnesses act side by side: links have what edges do not carry.
    own.compliance = compliance > 0 ? static_cast<float>(1 / ((1 / compliance - carried) * h2)) : 0.0f;
    if (own.levels.empty()) allocate(sheet, own);
    if (compliance > 0) own.held_now.clear();
    const bool is_new = !sheet.levels.empty() && own.levels[0].holders.empty();
    if (!is_new && own.held_now == own.held) return;
    std::swap(own.held, own.held_now);
    follow_holders(sheet, plan, own);
}

// The level's nodes, where their particles are or what holds them; a coarser level moves them on.
void place_nodes(const ClothLevel& level, const ParticleArrays& particles, const float* starts,
                 ClothLevelWorkspace& own) {
    for (std::size_t n = 0; n < level.nodes(); ++n) {
        const bool is_free = own.holders[n] == level.slots[n];
        const float* x = is_free ? starts + n * floats_per_particle
                                 : particles.position + own.holders[n] * floats_per_particle;
        float* node = own.nodes.data() + n * floats_per_particle;
        for (std::size_t c = 0; c < 3; ++c) node[c] = x[c];
        node[3] = x[3] > 0 ? level.inverse_masses[n] : 0.0f;
    }
}

void find_moves(const ClothLevel& level, const float* starts, ClothLevelWorkspace& own) {
    for (std::size_t n = 0; n < level.nodes(); ++n) {
        const float* x = starts + n * floats_per_particle;
        const float* node = own.nodes.data() + n * floats_per_particle;
        float* move = own.moves.data() + n * floats_per_particle;
        for (std::size_t c = 0; c < 3; ++c) move[c] = node[c] - x[c];
        move[3] = 0;
    }
    // What friction has not used up is left for the particles.
    for (const TouchingNode& contact : own.touching) {
        const float used = sqrt(dot(contact.dragged, contact.dragged));
        own.moves[contact.node * floats_per_particle + 3] =
            contact.friction > 0 ? max(contact.pushed - used / contact.friction, 0.0f) : 0.0f;
    }
}

Vec3 vector_at(const float* p) { return {p[0], p[1], p[2]}; }

void find_contacts(const ClothLevel& level, const ParticleArrays& particles, const ContactArrays& contacts,
                   const float* starts, ClothLevelWorkspace& own) {
    own.touching.clear();
    if (!contacts.contacts) return;
    for (std::uint32_t n = 0; n < level.nodes(); ++n) {
        const std::size_t at = level.slots[n] * floats_per_particle;
        const Vec3 normal = vector_at(contacts.contacts + at);
        if (normal.x == 0 && normal.y == 0 && normal.z == 0) continue;
        own.touching.push_back({n, normal, vector_at(starts + n * floats_per_particle),
                                vector_at(particles.displacement + at) - vector_at(contacts.surfaces + at),
                                contacts.surfaces[at + 3]});
    }
}

// Nodes do not go into the surface, and friction holds them along it.
void hold_contacts(ClothLevelWorkspace& own) {
    for (TouchingNode& contact : own.touching) {
        float* node = own.nodes.data() + contact.node * floats_per_particle;
        if (!(node[3] > 0)) continue;
        const Vec3& n = contact.normal;
        const Vec3 way = contact.step + (vector_at(node) - contact.start);
        const float along = dot(way, n), pushed = max(contact.pushed - along, 0.0f);
        const Vec3 wished = contact.dragged - (way - n * along);
        const float length = sqrt(dot(wished, wished)), limit = contact.friction * pushed;
        const Vec3 dragged = wished * (length > limit ? limit / length : 1.0f);
        const Vec3 move = n * (pushed - contact.pushed) + dragged - contact.dragged;
        contact.pushed = pushed;
        contact.dragged = dragged;
        node[0] += move.x;
        node[1] += move.y;
        node[2] += move.z;
    }
}

void sweep_level(const ClothLevel& level, const Kernels& kernels, const SheetWorkspace& sheet,
                 ClothLevelWorkspace& own, std::size_t sweeps, Executor& executor) {
    std::fill(own.multipliers.begin(), own.multipliers.end(), 0.0f);
    const std::size_t colours = level.links.colour_count();
    for (std::size_t i = 0; i < sweeps * colours; ++i) {
        const std::size_t sweep = i / colours, step = i % colours;
        const std::size_t colour = sweep % 2 == 0 ? step : colours - 1 - step;
        if (step == 0) hold_contacts(own);
        const std::size_t first = level.links.colours[colour], end = level.links.colours[colour + 1];
        LinkRun whole;
        whole.nodes = own.nodes.data();
        whole.offsets = level.links.offsets.data();
        whole.lengths = level.links.lengths.data();
        whole.multipliers = own.multipliers.data();
        whole.compliance = sheet.compliance;
        whole.allowed = sheet.allowed;
        whole.first = first;
        whole.count = end - first;
        if (whole.count <= blocks_per_job) {
            kernels.pull_links(whole);
            continue;
        }
        executor.for_each((whole.count + blocks_per_job - 1) / blocks_per_job, [&](std::size_t job) {
            LinkRun run = whole;
            run.first = first + job * blocks_per_job;
            run.count = std::min(blocks_per_job, end - run.first);
            kernels.pull_links(run);
        });
    }
}

SheetRun carry_to(const NodeWeights& weights, const ClothLevelWorkspace& from, float* targets) {
    SheetRun run;
    run.position = targets;
    run.offsets = weights.offsets.data();
    run.nodes = weights.nodes.data();
    run.weights = weights.weights.data();
    run.moves = from.moves.data();
    run.count = weights.targets;
    return run;
}

void solve_nodes(const ClothSheet& sheet, const Kernels& kernels, const ParticleArrays& particles,
                 const ContactArrays& contacts, SheetWorkspace& own, Executor& executor) {
    for (std::size_t l = sheet.levels.size(); l-- > 0;) {
        const ClothLevel& level = sheet.levels[l];
        place_nodes(level, particles, own.starts.data(), own.levels[l]);
        find_contacts(level, particles, contacts, own.starts.data(), own.levels[l]);
        if (l + 1 < sheet.levels.size()) {
            kernels.carry_sheet(
                carry_to(sheet.levels[l + 1].weights, own.levels[l + 1], own.levels[l].nodes.data()));
        }
        sweep_level(level, kernels, own, own.levels[l], level_sweeps, executor);
        hold_contacts(own.levels[l]);
        find_moves(level, own.starts.data(), own.levels[l]);
    }
}

template <class Pass>
void for_each_job(const SheetRun& whole, Executor& executor, Pass pass) {
    constexpr std::size_t per_job = blocks_per_job * block_size;
    executor.for_each((whole.count + per_job - 1) / per_job, [&](std::size_t job) {
        SheetRun run = whole;
        run.first = job * per_job;
        run.count = std::min(per_job, whole.count - run.first);
        pass(run);
    });
}

void give_tethers(const SheetWorkspace& own, SheetRun& run) {
    run.allowed = own.allowed;
    run.tethers = own.tethers.size();
    for (std::size_t t = 0; t < own.tethers.size(); ++t) {
        const Tethers& tethers = own.tethers[t];
        run.holder_positions[t] = tethers.positions.data();
        run.holders[t] = tethers.offsets.data();
        run.lengths[t] = tethers.lengths.data();
        run.has_one_holder[t] = tethers.group.size() == 1;
    }
}

// Tethers pull first of all: a load that lies on few particles must not drag nodes along, and so the cloth
// around them. Particles are pulled as they are carried; nodes start where theirs will be then.
void place_starts(const ClothSheet& sheet, const Kernels& kernels, const ParticleArrays& particles,
                  SheetWorkspace& own) {
    for (Tethers& tethers : own.tethers) {
        for (std::size_t i = 0; i < tethers.group.size(); ++i) {
            std::copy_n(particles.position + tethers.group[i].holder_slot * floats_per_particle,
                        floats_per_particle, tethers.positions.data() + i * floats_per_particle);
        }
    }
    if (sheet.levels.empty()) return;
    const ClothLevel& finest = sheet.levels[0];
    for (std::size_t n = 0; n < finest.nodes(); ++n) {
        std::copy_n(particles.position + finest.slots[n] * floats_per_particle, floats_per_particle,
                    own.starts.data() + n * floats_per_particle);
    }
    SheetRun run;
    give_tethers(own, run);
    for (std::size_t t = 0; t < own.tethers.size(); ++t) {
        run.holders[t] = own.tethers[t].node_offsets.data();
        run.lengths[t] = own.tethers[t].node_lengths.data();
    }
    run.position = own.starts.data();
    run.offsets = own.start_offsets.data();
    run.count = finest.nodes();
    if (run.tethers > 0) kernels.tether_sheet(run);
}

void move_particles(const ClothSheet& sheet, const Kernels& kernels, const ParticleArrays& particles,
                    const ContactArrays& contacts, const SheetWorkspace& own, Executor& executor) {
    const bool has_levels = !sheet.levels.empty();
    if (!has_levels && own.tethers.empty()) return;
    SheetRun run;
    if (has_levels) run = carry_to(sheet.levels[0].weights, own.levels[0], particles.position);
    run.position = particles.position;
    run.offsets = sheet.target_offsets.data();
    run.count = sheet.targets.size();
    run.contacts = contacts.contacts;
    give_tethers(own, run);
    for_each_job(run, executor, has_levels ? kernels.carry_sheet : kernels.tether_sheet);
}

// Where much hangs on few particles, edges get more sweeps than one.
void solve_patch(const ClothSheet& sheet, const Kernels& kernels, const ParticleArrays& particles,
                 const ContactArrays& contacts, SheetWorkspace& own, Executor& executor) {
    const ClothLevel& patch = sheet.patch;
    if (patch.nodes() == 0) return;
    for (std::size_t n = 0; n < patch.nodes(); ++n) {
        std::copy_n(particles.position + patch.slots[n] * floats_per_particle, floats_per_particle,
                    own.starts.data() + n * floats_per_particle);
    }
    place_nodes(patch, particles, own.starts.data(), own.patch);
    find_contacts(patch, particles, contacts, own.starts.data(), own.patch);
    sweep_level(patch, kernels, own, own.patch, patch_sweeps, executor);
    hold_contacts(own.patch);
    find_moves(patch, own.starts.data(), own.patch);
    kernels.carry_sheet(carry_to(patch.weights, own.patch, particles.position));
}

}  // namespace

void prepare_cloth(const model::Model& model, const Plan& plan, const model::State& state,
                   const Settings& settings, std::span<const model::MaterialValues> materials, double substep,
                   std::span<Softness<float>> softness, ClothWorkspace& workspace) {
    workspace.any_active = false;
    if (settings.levels == Levels::off || settings.method == Method::pbd || plan.cloth.empty()) return;
    if (!workspace.is_prepared) workspace.sheets.assign(plan.cloth.sheets.size(), {});
    workspace.is_prepared = true;
    find_new_rests(model, state, plan.cloth, workspace);
    for (std::size_t s = 0; s < plan.cloth.sheets.size(); ++s) {
        const ClothSheet& sheet = plan.cloth.sheets[s];
        SheetWorkspace& own = workspace.sheets[s];
        find_held(sheet, plan, state.position_based, materials, own.held_now);
        prepare_fabric(sheet, plan.slot_of, materials, substep, own.held_now,
                       touches(sheet, state.position_based.contacts), softness, own.fabric);
        prepare_sheet(sheet, plan, materials, settings.iterations, substep, own);
        workspace.any_active = workspace.any_active || own.is_active || own.fabric.is_needed;
    }
}

void solve_cloth(const ClothLevels& levels, std::span<const model::MaterialValues> materials,
                 const Kernels& kernels, const ParticleArrays& particles, const ContactArrays& contacts,
                 const FabricLoad& load, ClothWorkspace& workspace, Executor& executor) {
    for (std::size_t s = 0; s < levels.sheets.size(); ++s) {
        const ClothSheet& sheet = levels.sheets[s];
        SheetWorkspace& own = workspace.sheets[s];
        if (own.fabric.is_active) solve_fabric(sheet, materials, kernels, particles, load, own.fabric);
        if (!own.is_active) continue;
        place_starts(sheet, kernels, particles, own);
        solve_nodes(sheet, kernels, particles, contacts, own, executor);
        move_particles(sheet, kernels, particles, contacts, own, executor);
        solve_patch(sheet, kernels, particles, contacts, own, executor);
    }
}

}  // namespace pliant::solvers::position_based
