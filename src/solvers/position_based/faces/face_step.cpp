#include "solvers/position_based/faces/face_step.h"

#include <algorithm>
#include <array>

#include "base/convert.h"
#include "base/particle_layout.h"
#include "solvers/position_based/contact/patch_motion.h"
#include "solvers/position_based/particle_ranges.h"
#include "solvers/position_based/plan.h"
#include "solvers/position_based/workspace.h"
#include "solvers/step_context.h"

namespace pliant::solvers::position_based {
namespace {

constexpr int rounds = 3, sweeps = 2;  // there and back
// Of the body's size: how deep a face may stay.
constexpr float most_left_share = 1.5e-4f;
// Near a held corner the others have little weight: none is moved further than so many times the depth.
constexpr float most_lever = 4;
// A corner that has less of a face's contact is not supported by it.
constexpr float least_support = 0.3f;
// Of the body's size: what starts deeper comes out slowly. More than for particles, which no neighbour
// presses back in.
constexpr float eased_share = 0.02f;

class FacePass {
public:
    explicit FacePass(const FaceContext& context) : c_(context), faces_(context.plan.faces) {}

    // Where a face is pushed at one point, another may be the deepest then: groups that had any are looked at
    // again.
    void run() {
        for (int round = 0; round < rounds; ++round) {
            find(round > 0);
            if (c_.step.workspace.faces.contacts.empty()) return;
            solve();
            note_touches();
        }
    }

private:
    void find(bool again) {
        FaceWorkspace& workspace = c_.step.workspace.faces;
        if (workspace.found.size() != faces_.groups.size()) make_room();
        workspace.clear.resize(faces_.groups.size());
        c_.step.executor.for_each(faces_.groups.size(), [&](std::size_t g) {
            if (!again || !workspace.found[g].empty()) find_in(g);
        });
        workspace.contacts.clear();
        for (const std::vector<FaceContact>& found : workspace.found)
            workspace.contacts.insert(workspace.contacts.end(), found.begin(), found.end());
        workspace.pushed.assign(workspace.contacts.size(), 0.0f);
    }

    void solve() {
        const std::size_t count = c_.step.workspace.faces.contacts.size();
        for (int sweep = 0; sweep < sweeps; ++sweep) {
            for (std::size_t i = 0; i < count; ++i) solve(sweep % 2 == 0 ? i : count - 1 - i);
        }
    }

    // For what looks at contacts, and for the levels: these must not push a corner back.
    void note_touches() {
        const FaceWorkspace& workspace = c_.step.workspace.faces;
        for (std::size_t i = 0; i < workspace.contacts.size(); ++i) {
            for (std::size_t k = 0; k < 3 && workspace.pushed[i] > 0; ++k)
                note_touch(workspace.contacts[i], k);
        }
    }

    void note_touch(const FaceContact& contact, std::size_t corner) {
        const std::size_t slot = contact.offsets[corner] / bytes_per_particle;
        const auto after =
            std::upper_bound(c_.plan.chunks.begin(), c_.plan.chunks.end(), slot,
                             [](std::size_t s, const ParticleChunk& chunk) { return s < chunk.first; });
        const auto chunk = static_cast<std::size_t>(after - c_.plan.chunks.begin()) - 1;
        c_.step.workspace.contacts[chunk] |= contact.friction > 0 ? touched : touched | slippery;
        c_.step.workspace.is_clear[chunk] = 0;
        if (c_.state.contacts.empty() || contact.weights[corner] < least_support) return;
        float *known = c_.state.contacts.data() + slot * floats_per_particle,
              *surface = c_.state.surfaces.data() + slot * floats_per_particle;
        if (known[0] != 0 || known[1] != 0 || known[2] != 0) return;
        std::copy_n(contact.normal, 3, known);
        std::copy_n(contact.surface, 3, surface);
        surface[3] = contact.friction;
        ReportWorkspace& reports = c_.step.workspace.contact.reports;
        if (reports.is_on) reports.partners[slot] = contact.other;
    }

    // For two colliders at each triangle; more may still allocate.
    void make_room() {
        FaceWorkspace& workspace = c_.step.workspace.faces;
        workspace.found.resize(faces_.groups.size());
        for (std::size_t g = 0; g < faces_.groups.size(); ++g)
            workspace.found[g].reserve(2 * faces_.groups[g].count);
        workspace.contacts.reserve(2 * faces_.triangles.size());
        workspace.pushed.reserve(2 * faces_.triangles.size());
    }

    void find_in(std::size_t g) {
        const FaceGroup& group = faces_.groups[g];
        std::vector<FaceContact>& found = c_.step.workspace.faces.found[g];
        found.clear();
        float low[4], high[4];
        c_.step.kernels.bound_faces({c_.particles.position, c_.particles.displacement,
                                     faces_.closures.data() + group.first_of_closure, group.closure, low,
                                     high});
        const Vec3d from = to_double(vector(low)), to = to_double(vector(high));
        Bounds3d& clear = c_.step.workspace.faces.clear[g];
        if (clear.contains(from) && clear.contains(to)) return;
        FaceSearch run;
        double margin = 0;
        run.colliders = c_.step.workspace.colliders[group.island].near_faces(
            {(from + to) * 0.5, (to - from) * 0.5}, c_.plan.islands[group.island].radius, margin);
        const std::size_t colliders = collision::count_of(run.colliders);
        clear = {};
        if (colliders == 0) {
            const Vec3d grown = Vec3d{1, 1, 1} * margin;
            clear.add(from - grown), clear.add(to + grown);
            return;
        }
        run.position = c_.particles.position;
        run.displacement = c_.particles.displacement;
        run.triangles = faces_.triangles.data() + group.first;
        run.radii = faces_.radii.data() + group.first;
        run.count = group.count;
        run.belt_step = static_cast<float>(c_.substep);
        run.most_left = most_left_share * static_cast<float>(c_.model.islands[group.island].extent);
        run.group = static_cast<std::uint32_t>(g);
        found.resize(colliders * group.count);
        run.found = found.data();
        c_.step.kernels.find_face_contacts(run);
        found.resize(run.found_count);
    }

    static float* at(float* array, std::uint32_t offset) { return array + offset / sizeof(float); }

    // How much of a start that lies inside may be left in this substep.
    float allowed_inside(float start, float step, std::uint32_t island) const {
        ParticleRange range;
        ease(c_.model.islands[island], c_.substep, range);
        const float shallow = eased_share * static_cast<float>(c_.model.islands[island].extent) + 4 * step;
        if (start <= shallow) return 0;
        return max(start - min(range.ease_most, range.ease_least + range.ease_share * start), 0.0f);
    }

    void solve(std::size_t i) {
        const FaceContact& contact = c_.step.workspace.faces.contacts[i];
        const Vec3 n = vector(contact.normal), surface = vector(contact.surface);
        Vec3 x{}, u{};
        float masses = 0, least = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const float *position = at(c_.particles.position, contact.offsets[k]),
                        weight = contact.weights[k];
            x = x + vector(position) * weight;
            u = u + vector(at(c_.particles.displacement, contact.offsets[k])) * weight;
            masses += position[3] * (weight * weight);
            least = max(least, position[3] * weight / most_lever);
        }
        const float lack = contact.level - dot(n, x);
        if (!(lack > 0) || !(masses > 0)) return;
        const Vec3 step = u - surface;
        const float start = max(lack + dot(n, step) - 1e-6f * lack, 0.0f);
        const std::uint32_t island = faces_.groups[contact.group].island;
        const float depth = lack - allowed_inside(start, sqrt(dot(step, step)), island);
        if (!(depth > 0)) return;
        const float opening = min(start, depth);
        const Vec3 slip = step - n * dot(n, step);
        const float slipped = sqrt(dot(slip, slip)), limit = friction_of(contact) * depth;
        const float per_mass = 1 / max(masses, least);
        const Vec3 push =
            (n * (depth - opening) - slip * (slipped > limit ? limit / slipped : 1.0f)) * per_mass;
        const Vec3 open = n * (opening * per_mass);
        c_.step.workspace.faces.pushed[i] += depth * per_mass;
        for (std::size_t k = 0; k < 3; ++k) {
            float *position = at(c_.particles.position, contact.offsets[k]),
                  *displacement = at(c_.particles.displacement, contact.offsets[k]);
            const float weight = position[3] * contact.weights[k];
            add(push * weight, displacement);
            add(push * weight + open * weight, position);
        }
        report(contact, n * ((depth - opening) * per_mass), push);
    }

    static void add(const Vec3& way, float* to) { to[0] += way.x, to[1] += way.y, to[2] += way.z; }

    float friction_of(const FaceContact& contact) const {
        const std::vector<float>& shares = c_.plan.friction_shares;
        return contact.friction * (shares.empty() ? 1 : shares[contact.offsets[0] / bytes_per_particle]);
    }

    // A push of w·β·P of each corner is Σ m·Δx = P·Σβ = P.
    void report(const FaceContact& contact, const Vec3& normal, const Vec3& push) {
        ReportWorkspace& reports = c_.step.workspace.contact.reports;
        if (!reports.is_on || reports.rows.empty()) return;
        for (std::size_t k = 0; k < 3; ++k) {
            const float* x = at(c_.particles.position, contact.offsets[k]);
            const std::size_t slot = contact.offsets[k] / bytes_per_particle;
            if (!(x[3] > 0)) continue;
            PushSum& sum = reports.rows[reports.row_at[slot] + 2 * contact.other];
            const double share = contact.weights[k], weight = share * length(to_double(push));
            const Vec3d p = to_double(push) * share, along = to_double(normal) * share;
            const double pushes[3] = {p.x, p.y, p.z}, normals[3] = {along.x, along.y, along.z};
            sum.weight += weight;
            for (std::size_t c = 0; c < 3; ++c) {
                sum.push[c] += pushes[c];
                sum.normal[c] += normals[c];
                sum.point[c] += weight * x[c];
            }
        }
    }

    const FaceContext& c_;
    const FacePlan& faces_;
};

}  // namespace

void forget_clear_faces(FaceWorkspace& workspace) { workspace.clear.clear(); }

bool meets_faces(const Plan& plan, const std::vector<Collider>& colliders) {
    return !plan.faces.empty() && std::any_of(colliders.begin(), colliders.end(), [](const Collider& c) {
        return collision::visit_shape(
            c.shape, [&]<class Kind>(const typename Kind::Shape&) { return Kind::meets_faces(c.inverted); });
    });
}

void keep_faces_out(const FaceContext& context) { FacePass(context).run(); }

}  // namespace pliant::solvers::position_based
