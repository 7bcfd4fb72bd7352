#include "scene/file/resolve.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "base/convert.h"
#include "scene/file/collider_surfaces.h"
#include "scene/file/expected.h"
#include "scene/file/mesh_sources.h"
#include "scene/file/motions.h"
#include "scene/file/names.h"
#include "scene/file/place_body.h"
#include "scene/file/strand_ends.h"
#include "scene/skeleton_file.h"
#include "scene/validate.h"

namespace pliant {
namespace {

// The Error of a shape, with the path to it.
template <class Form>
Error in_shape(const Error& error, const Form& form, const JsonPath& path) {
    const JsonPath shape = path / key_of_alternative(form);
    return error.path.empty() ? shape.error(error.message) : (shape / error.path).error(error.message);
}

class Resolver {
public:
    Resolver(Scene& scene, const SceneSource& source) : scene_(scene), file_(scene.file) {
        source_.directory = source.directory;
        source_.progress = source.progress;
        source_.surface_of = [this](std::string_view name) {
            return surface_of_body(scene_.description, name);
        };
    }

    Problem run() {
        scene_.description.settings = file_.solver;
        if (auto error = resolve_bodies()) return error;
        if (auto error = resolve_skeletons()) return error;
        if (auto error = resolve_colliders()) return error;
        if (auto error = resolve_attachments()) return error;
        if (auto error = resolve_rings()) return error;
        if (auto error = resolve_events()) return error;
        if (auto error = check_picture(file_)) return error;
        if (auto error = check_expectations(file_)) return error;
        scene_.warnings = std::move(source_.warnings);
        const Problem problem = validate(scene_.description);
        return problem ? in_file(file_, *problem) : problem;
    }

    Result<TimedEvent> run_event(const scene::Event& event, std::set<std::string> hands) {
        hands_ = std::move(hands);
        TimedEvent made{event.time, scene_.events.size(), event.action, {}, {}, {}};
        const JsonPath path = root_ / key_of_alternative(event);
        const auto check = [&](const auto& action) { return check_action(action, made, path); };
        if (auto error = std::visit(check, event.action)) return *error;
        return made;
    }

private:
    // ---- Bodies ----

    Problem resolve_bodies() {
        const JsonPath list = root_ / "bodies";
        for (std::size_t i = 0; i < file_.bodies.size(); ++i) {
            const scene::Body& body = file_.bodies[i];
            Body made = body.placement;
            made.name = name_of(body, i);
            const JsonPath path = list / i, kind = path / key_of_alternative(body);
            const auto make = [&]<class Kind>(const typename Kind::Form& form) -> Problem {
                auto shape = Kind::resolve(form, source_);
                if (!shape) return in_shape(shape.error(), form, kind);
                made.shape = std::move(*shape);
                return {};
            };
            source_.skin = {};
            source_.root_triangles.clear();
            if (auto error = bodies::visit_kind(body.kind, make)) return error;
            made.skin = std::move(source_.skin);
            if (source_.root_triangles.empty()) {
                place_body(body, made);
            } else if (auto error =
                           place_on_body(body, source_.root_triangles, path, made, scene_.description)) {
                return error;
            }
            scene_.description.bodies.push_back(std::move(made));
            if (auto error = resolve_pins(i, path)) return error;
        }
        return {};
    }

    // ---- Particles ----

    Vec3d position(std::size_t body, std::size_t particle) {
        Body& b = scene_.description.bodies[body];
        return to_double(bodies::positions_of(b)[particle]) + b.position;
    }
    std::size_t particle_count(std::size_t body) {
        return bodies::positions_of(scene_.description.bodies[body]).size();
    }

    // The particle for which the measure is least; of several the first.
    template <class Measure>
    std::uint32_t least(std::size_t body, Measure measure) {
        std::uint32_t best = 0;
        for (std::size_t i = 1; i < particle_count(body); ++i) {
            if (measure(position(body, i)) < measure(position(body, best)))
                best = static_cast<std::uint32_t>(i);
        }
        return best;
    }

    Result<std::vector<std::uint32_t>> find(std::size_t body, const scene::Selection& selection,
                                            const JsonPath& owner) {
        const JsonPath path = owner / key_of_alternative(selection);
        const std::size_t count = particle_count(body);
        std::vector<std::uint32_t> found;
        if (count == 0) return owner.error("the body has no particles");
        if (const auto* indices = std::get_if<scene::Indices>(&selection.which)) {
            for (std::size_t i = 0; i < indices->indices.size(); ++i) {
                if (indices->indices[i] < count) continue;
                return (path / i).error(
                    fmt::format("must be an index below {}, got {}", count, indices->indices[i]));
            }
            found = indices->indices;
        } else if (const auto* region = std::get_if<scene::Region>(&selection.which)) {
            const Vec3d low = region->low, high = region->high;
            for (std::size_t i = 0; i < count; ++i) {
                const Vec3d p = position(body, i);
                const bool inside = p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y &&
                                    p.z >= low.z && p.z <= high.z;
                if (inside) found.push_back(static_cast<std::uint32_t>(i));
            }
            if (found.empty()) return path.error("there is no particle in this region");
        } else if (const auto* corner = std::get_if<scene::Corner>(&selection.which)) {
            const Vec3d direction = to_double(corner->direction);
            if (!(dot(direction, direction) > 0)) return path.error("must not have length 0");
            found = {least(body, [&](const Vec3d& p) { return -dot(p, direction); })};
        } else if (std::holds_alternative<scene::Roots>(selection.which)) {
            const auto* hair = std::get_if<Hair>(&scene_.description.bodies[body].shape);
            if (!hair) return path.error("only hair has roots");
            for (std::uint32_t i = 0; i < count; i += hair->points) found.insert(found.end(), {i, i + 1});
        } else {
            const Vec3d point = std::get<scene::Nearest>(selection.which).point;
            found = {least(body, [&](const Vec3d& p) { return dot(p - point, p - point); })};
        }
        return found;
    }

    struct Found {
        std::size_t body = 0;
        std::vector<std::uint32_t> particles;  // counted within the body
    };
    Result<Found> find(const scene::BodySelection& selection, const JsonPath& path) {
        const auto body = find_body(file_, selection.body, path / "body");
        if (!body) return body.error();
        auto particles = find(*body, selection.particles, path);
        if (!particles) return particles.error();
        return Found{*body, std::move(*particles)};
    }

    Problem resolve_pins(std::size_t body, const JsonPath& owner) {
        const JsonPath path = owner / "pins";
        const auto& pins = file_.bodies[body].pins;
        for (std::size_t i = 0; i < pins.size(); ++i) {
            const auto found = find(body, pins[i], path / i);
            if (!found) return found.error();
            auto& pinned = scene_.description.bodies[body].pinned;
            pinned.insert(pinned.end(), found->begin(), found->end());
        }
        return {};
    }

    // ---- Attachments and colliders ----

    Problem resolve_attachments() {
        const JsonPath list = root_ / "attachments";
        for (std::size_t i = 0; i < file_.attachments.size(); ++i) {
            const scene::Attachment& attachment = file_.attachments[i];
            if (auto error = check_motion(attachment.motion, list / i)) return error;
            if (auto error = resolve_attachment(i, list / i)) return error;
        }
        return {};
    }

    Problem resolve_rings() {
        const JsonPath list = root_ / "rings";
        for (std::size_t i = 0; i < file_.rings.size(); ++i) {
            const auto from = find(file_.rings[i].particles, list / i);
            if (!from) return from.error();
            const auto rope = find_body(file_, file_.rings[i].on, list / i / "on");
            if (!rope) return rope.error();
            for (const std::uint32_t particle : from->particles) {
                scene_.description.rings.push_back(
                    {{static_cast<std::uint32_t>(from->body), particle}, static_cast<std::uint32_t>(*rope)});
            }
        }
        return {};
    }

    // What holds particle k in the world. From number `ends` on, particles are those beside the clamped ends.
    std::variant<Vec3d, ParticleReference> place_of(const scene::Attachment& attachment, const Found& from,
                                                    std::size_t k, std::size_t ends) {
        const Vec3d here = position(from.body, from.particles[k]);
        const auto* point = std::get_if<scene::ToPoint>(&attachment.to);
        if (!point) return here;
        return k < ends ? point->point : point->point + here - position(from.body, from.particles[k - ends]);
    }

    Problem resolve_attachment(std::size_t index, const JsonPath& path) {
        const scene::Attachment& attachment = file_.attachments[index];
        auto from = find(attachment.particles, path);
        if (!from) return from.error();
        const std::size_t ends = from->particles.size();
        if (attachment.clamp) {
            if (auto error =
                    add_clamped(scene_.description.bodies[from->body], attachment, path, from->particles))
                return error;
        }
        Found to;
        if (const auto* other = std::get_if<scene::ToParticles>(&attachment.to)) {
            auto found = find(other->particles, path / "to_particles");
            if (!found) return found.error();
            to = std::move(*found);
            if (to.particles.size() != from->particles.size()) {
                return (path / "to_particles")
                    .error(fmt::format("must select as many particles as are tied, {}, got {}",
                                       from->particles.size(), to.particles.size()));
            }
            if (!attachment.motion.empty()) {
                return (path / "motion").error("only a point or places of the world can be moved");
            }
        }
        const auto* on = std::get_if<scene::ToCollider>(&attachment.to);
        if (on) {
            if (auto error = check_carrier(*on, attachment, file_.colliders.size(), path)) return error;
        }
        const auto* skin = std::get_if<scene::ToSkeleton>(&attachment.to);
        const std::size_t first_moving = scene_.moving.size();
        for (std::size_t k = 0; k < from->particles.size(); ++k) {
            Attachment made;
            made.particle = {static_cast<std::uint32_t>(from->body), from->particles[k]};
            made.elasticity = attachment.elasticity;
            made.rest_length = attachment.rest_length;
            made.target = to.particles.empty() ? place_of(attachment, *from, k, ends)
                                               : std::variant<Vec3d, ParticleReference>(ParticleReference{
                                                     static_cast<std::uint32_t>(to.body), to.particles[k]});
            if (!attachment.motion.empty() || on || skin) {
                scene_.moving.push_back({static_cast<std::uint32_t>(scene_.description.attachments.size()),
                                         static_cast<std::uint32_t>(index),
                                         on ? on->collider : MovingAttachment::none,
                                         std::get<Vec3d>(made.target)});
            }
            scene_.description.attachments.push_back(made);
            scene_.attachment_sources.push_back(static_cast<std::uint32_t>(index));
        }
        if (skin) {
            return place_on_skeleton(skeletons_, *skin, attachment.motion,
                                     std::span(scene_.moving).subspan(first_moving), path);
        }
        if (on) {
            const ColliderShape& carrier = scene_.description.colliders[on->collider].shape;
            for (std::size_t i = first_moving; i < scene_.moving.size(); ++i)
                place_on(carrier, scene_.moving[i]);
        } else {
            find_center(first_moving);
        }
        return {};
    }

    // Of the points that move together, from this one on.
    void find_center(std::size_t first) {
        Vec3d sum{};
        for (std::size_t i = first; i < scene_.moving.size(); ++i) sum = sum + scene_.moving[i].start;
        for (std::size_t i = first; i < scene_.moving.size(); ++i)
            scene_.moving[i].center = sum * (1.0 / static_cast<double>(scene_.moving.size() - first));
    }

    Problem resolve_skeletons() {
        const JsonPath list = root_ / "skeletons";
        auto read = read_skeletons(file_.skeletons, source_.directory, list);
        if (!read) return read.error();
        scene_.skeletons = (skeletons_ = std::move(*read)).skeletons;
        return check_skeletons(scene_.skeletons, list);
    }

    Problem resolve_colliders() {
        const JsonPath list = root_ / "colliders";
        for (std::size_t i = 0; i < file_.colliders.size(); ++i) {
            if (auto error = check_motion(file_.colliders[i].motion, list / i)) return error;
            if (auto error = check_on_joint(scene_.skeletons, file_.colliders[i], list / i)) return error;
            Collider made = file_.colliders[i].collider;
            if (auto error = make_surface(made.shape, source_, list / i)) return error;
            scene_.description.colliders.push_back(std::move(made));
        }
        return {};
    }

    // ---- Events ----

    Problem resolve_events() {
        std::vector<std::size_t> order(file_.events.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return file_.events[a].time < file_.events[b].time;
        });
        const JsonPath list = root_ / "events";
        for (const std::size_t i : order) {
            const scene::Event& event = file_.events[i];
            TimedEvent made{event.time, i, event.action, {}, {}, {}};
            const JsonPath item = list / i, path = item / key_of_alternative(event);
            const auto check = [&](const auto& action) { return check_action(action, made, path); };
            if (auto error = std::visit(check, event.action)) return error;
            scene_.events.push_back(std::move(made));
        }
        return {};
    }

    Problem check_body(const std::string& name, const JsonPath& path) {
        const auto found = find_body(file_, name, path / "body");
        return found ? std::nullopt : Problem(found.error());
    }

    Problem check_action(const scene::Squash& a, TimedEvent&, const JsonPath& path) {
        return check_body(a.body, path);
    }
    Problem check_action(const scene::Translate& a, TimedEvent&, const JsonPath& path) {
        return check_body(a.body, path);
    }
    Problem check_action(const scene::Grab& a, TimedEvent&, const JsonPath& path) {
        if (hands_.insert(a.hand).second) return {};
        return (path / "hand").error(fmt::format("\"{}\" holds something already", a.hand));
    }
    Problem check_action(const scene::Drag& a, TimedEvent&, const JsonPath& path) {
        if (hands_.count(a.hand) > 0) return {};
        return (path / "hand").error(fmt::format("\"{}\" holds nothing at that time", a.hand));
    }
    Problem check_action(const scene::Release& a, TimedEvent&, const JsonPath& path) {
        if (hands_.erase(a.hand) > 0) return {};
        return (path / "hand").error(fmt::format("\"{}\" holds nothing at that time", a.hand));
    }
    Problem check_action(const scene::Pin& a, TimedEvent& made, const JsonPath& path) {
        return find_particles(a.particles, made, path);
    }
    Problem check_action(const scene::Unpin& a, TimedEvent& made, const JsonPath& path) {
        return find_particles(a.particles, made, path);
    }
    static Problem check_action(const scene::ChangeSolver&, TimedEvent&, const JsonPath&) { return {}; }
    Problem check_action(const scene::ChangeElasticity& a, TimedEvent& made, const JsonPath& path) {
        const auto body = find_body(file_, a.body, path / "body");
        if (!body) return body.error();
        const auto part = find_part(file_.bodies[*body], a.part, path / "part");
        if (!part) return part.error();
        made.original = *part;
        return {};
    }

    Problem check_action(const scene::ChangeMaterial& a, TimedEvent& made, const JsonPath& path) {
        const auto body = find_body(file_, a.body, path / "body");
        if (!body) return body.error();
        const auto material = find_elements(file_.bodies[*body], path / "body");
        if (!material) return material.error();
        made.original_material = **material;
        return {};
    }

    Problem find_particles(const scene::BodySelection& selection, TimedEvent& made, const JsonPath& path) {
        const auto found = find(selection, path);
        if (!found) return found.error();
        std::size_t first = 0;
        for (std::size_t i = 0; i < found->body; ++i) first += particle_count(i);
        for (const std::uint32_t particle : found->particles) {
            made.particles.push_back(static_cast<std::uint32_t>(first + particle));
        }
        return {};
    }

    Scene& scene_;
    const scene::File& file_;
    const JsonPath root_{};
    MeshSource source_{};
    ReadSkeletons skeletons_{};
    std::set<std::string> hands_{};  // that hold something, as time goes on
};

}  // namespace

std::optional<Error> resolve(Scene& scene, const SceneSource& source) {
    return Resolver(scene, source).run();
}

Result<TimedEvent> resolve_event(Scene& scene, const scene::Event& event, std::set<std::string> hands) {
    return Resolver(scene, {}).run_event(event, std::move(hands));
}

}  // namespace pliant
