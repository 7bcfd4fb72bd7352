#include "solvers/position_based/contact/contact_step.h"

#include <algorithm>

#include "base/convert.h"
#include "solvers/position_based/contact/pair_finder.h"
#include "solvers/position_based/contact/patch_motion.h"
#include "solvers/position_based/plan.h"

namespace pliant::solvers::position_based {
namespace {

constexpr int sweeps = 4;  // there and back

class ContactPass {
public:
    explicit ContactPass(const ContactContext& context)
        : c_(context), contact_(context.plan.contact), finder_(context) {}

    void find(const ContactMoment& moment) {
        // Where nothing may cross, all iterations count from where the substep began.
        move_patches(c_, moment.is_first_iteration || !c_.is_safe());
        const PairReach reach{1 + watched_share, counts_pushes(), c_.is_safe()};
        const bool is_first = moment.is_first_iteration && moment.is_first_substep;
        if (is_first && !looks_for_tangles(c_)) forget_tangles(c_.workspace.tangles);
        const bool looks =
            is_first ? looks_for_tangles(c_) : moment.is_first_iteration && c_.workspace.tangles.any;
        const std::size_t count = c_.workspace.chunks.size();
        c_.executor.for_each(count, [&](std::size_t g) {
            finder_.find(g, reach);
            if (!looks) find_contacts(c_.workspace.chunks[g]);
        });
        c_.workspace.is_valid = true;
        if (!looks) return;
        find_tangles(c_, is_first);
        c_.executor.for_each(count, [&](std::size_t g) { find_contacts(c_.workspace.chunks[g]); });
    }

    void solve(std::vector<std::uint8_t>& touched) {
        ContactRun run{c_.particles.position, c_.particles.predicted, c_.workspace.reference.data()};
        // What gravity adds in two substeps is resting, not falling.
        run.resting_step =
            static_cast<float>(2 * c_.substep * c_.substep * length(to_double(c_.settings.gravity)));
        const std::size_t count = c_.workspace.chunks.size();
        if (c_.workspace.reports.is_on) {
            for (PatchChunk& chunk : c_.workspace.chunks)
                chunk.pushes.assign(4 * chunk.contacts.size(), 0.0f);
        }
        for (int sweep = 0; sweep < sweeps; ++sweep) {
            run.backward = sweep % 2 == 1;
            for (std::size_t i = 0; i < count; ++i) {
                PatchChunk& chunk = c_.workspace.chunks[run.backward ? count - 1 - i : i];
                run.pushes = c_.workspace.reports.is_on ? chunk.pushes.data() : nullptr;
                run.contacts = chunk.contacts.data();
                run.count = chunk.contacts.size();
                c_.kernels.solve_contacts(run);
            }
        }
        for (const PatchChunk& chunk : c_.workspace.chunks) {
            if (c_.workspace.reports.is_on)
                report_contacts(chunk.contacts, chunk.pushes, c_.particles, c_.state, c_.workspace.reports);
            for (const std::uint32_t island : chunk.touching) touched[island] = 1;
        }
        for (const SolidsInEachOther& overlap : c_.workspace.tangles.overlaps) {
            for (const std::uint32_t body : {overlap.first, overlap.second})
                touched[c_.model.bodies[body].island] = 1;
        }
        find_supports();
    }

private:
    // Where nothing can cross, what others push need not be foreseen.
    bool counts_pushes() const { return !c_.is_safe(); }

    // A particle is supported by what is below it.
    void find_supports() {
        c_.workspace.supports.clear();
        if (c_.state.position_based.contacts.empty()) return;
        const Vec3& g = c_.settings.gravity;
        const float least = -0.3f * sqrt(dot(g, g));
        for (const PatchChunk& chunk : c_.workspace.chunks) {
            for (const Contact& contact : chunk.contacts) {
                const Vec3 n = vector(contact.normal);
                const float along = dot(n, g);
                if (contact.support < 0 || abs(along) < -least) continue;
                if (along < least) add_support(contact, n, 1);
                if (-along < least) add_support(contact, -n, -1);
            }
        }
    }

    // side: 1 if the first part of the contact lies on the second, −1 for the reverse.
    void add_support(const Contact& contact, const Vec3& normal, float side) {
        Vec3 sum{}, moved{};
        for (std::size_t k = 0; k < 4; ++k) {
            const std::size_t at = contact.offsets[k] / sizeof(float);
            const Vec3 x = vector(c_.particles.position + at), p = vector(c_.workspace.reference.data() + at);
            sum = sum + x * contact.weights[k];
            if (side * contact.weights[k] < 0) moved = moved - (x - p) * (side * contact.weights[k]);
        }
        if (!(dot(sum, vector(contact.normal)) < contact.level + contact.support)) return;
        for (std::size_t k = 0; k < 4; ++k) {
            if (side * contact.weights[k] > 0) {
                c_.workspace.supports.push_back({contact.offsets[k],
                                                 contact.offsets[side > 0 ? 3 : 0],
                                                 {normal.x, normal.y, normal.z},
                                                 {moved.x, moved.y, moved.z},
                                                 contact.friction});
            }
        }
    }

    void find_contacts(PatchChunk& chunk) {
        chunk.contacts.clear();
        chunk.touching.clear();
        for (const PatchPair& pair : chunk.pairs) {
            const Patch &a = contact_.patches[pair.first], &b = contact_.patches[pair.second];
            const double distance = finder_.distance_between(a, b),
                         move = finder_.move_between(pair.first, pair.second);
            const double watched = watched_share * distance + (counts_pushes() ? move : 0);
            const double needed =
                distance + watched + move + finder_.rounding_between(a, b, rounding) + pair.used;
            if (needed > pair.nearest) find_contacts_of(pair, distance, watched, chunk);
        }
    }

    void find_contacts_of(const PatchPair& pair, double distance, double watched, PatchChunk& chunk) {
        const std::size_t count = pair.counts[0] + pair.counts[1] + pair.counts[2];
        if (count == 0) return;
        const Patch &a = contact_.patches[pair.first], &b = contact_.patches[pair.second];
        if (overlap(c_.workspace.tangles, a.body, b.body)) return;
        const model::BodyContact &of_a = c_.model.contacts[a.body], &of_b = c_.model.contacts[b.body];
        ContactSearch run;
        run.position = c_.particles.position;
        run.start = c_.workspace.start.data();
        run.first = finder_.elements_of(pair.first);
        run.second = finder_.elements_of(pair.second);
        const Vec3 shift = finder_.shift_between(a, b);
        run.shift[0] = shift.x, run.shift[1] = shift.y, run.shift[2] = shift.z;
        run.pairs = chunk.lists.data() + pair.list;
        std::copy_n(pair.counts, pair_sorts, run.counts);
        run.distance = static_cast<float>(distance);
        run.watched = static_cast<float>(watched);
        if (a.body == b.body) {
            run.rest = contact_.rest_positions.data();
            // What never passes through itself need not let go.
            run.is_sheet = !a.is_closed && a.triangles > 0 && !c_.is_safe();
        } else {
            run.first_is_closed = a.is_closed;
            run.second_is_closed = b.is_closed;
        }
        run.is_tangled = c_.workspace.tangled();
        run.has_lines = a.has_lines || b.has_lines;
        run.friction = sqrt(of_a.friction * of_b.friction);
        run.restitution = max(of_a.restitution, of_b.restitution);
        const std::size_t before = chunk.contacts.size();
        chunk.contacts.resize(before + count);
        run.contacts = chunk.contacts.data() + before;
        c_.kernels.find_contacts(run);
        chunk.contacts.resize(before + run.found);
        if (run.found > 0 && a.island != b.island) {
            chunk.touching.push_back(a.island);
            chunk.touching.push_back(b.island);
        }
    }

    const ContactContext& c_;
    const ContactPlan& contact_;
    PairFinder finder_;
};

}  // namespace

void find_contacts(const ContactContext& context, const ContactMoment& moment) {
    ContactPass(context).find(moment);
}

void solve_contacts(const ContactContext& context, const ContactMoment& moment,
                    std::vector<std::uint8_t>& touched) {
    ContactPass(context).solve(touched);
    if (moment.is_first_iteration) ease_tangles(context);
}

void add_supports(const ContactWorkspace& workspace, bool has_colliders,
                  model::PositionBasedState& particles) {
    if (particles.contacts.empty()) return;
    // Where there are colliders, they have written all of it.
    if (!has_colliders) std::fill(particles.contacts.begin(), particles.contacts.end(), 0.0f);
    for (const Support& support : workspace.supports) {
        float* contact = particles.contacts.data() + support.offset / sizeof(float);
        float* surface = particles.surfaces.data() + support.offset / sizeof(float);
        if (contact[0] != 0 || contact[1] != 0 || contact[2] != 0) continue;
        std::copy_n(support.normal, 3, contact);
        std::copy_n(support.surface, 3, surface);
        surface[3] = support.friction;
    }
}

}  // namespace pliant::solvers::position_based
