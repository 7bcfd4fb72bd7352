// Runs a scene: its events and motions frame by frame.
#include <pliant/collider_mesh.h>
#include <pliant/scene.h>

#include <algorithm>

#include "base/convert.h"
#include "base/floating_point.h"
#include "base/format.h"
#include "collision/all.h"
#include "scene/blend.h"
#include "scene/bodies/soft_body.h"
#include "scene/file/motions.h"
#include "scene/file/read_fields.h"
#include "scene/file/resolve.h"
#include "scene/motion.h"
#include "scene/parameters.h"
#include "scene/skeleton.h"

namespace pliant {
namespace {

// A change that takes its time.
template <class T>
struct Ramp {
    std::string body{}, part{};  // of an elasticity; of a material the body alone
    T from{}, to{}, original{};  // original: before the first change
    double start = 0, seconds = 0;
    bool ended = false;

    T at(double time) const { return seconds > 0 ? blend(from, to, (time - start) / seconds) : to; }
    bool complete(double time) const { return time >= start + seconds; }
};

// If one of the same body and part is on its way, the next one starts from where it is.
template <class T>
void begin(std::vector<Ramp<T>>& ramps, Ramp<T> next) {
    std::erase_if(ramps, [&](const Ramp<T>& ramp) {
        if (ramp.body != next.body || ramp.part != next.part) return false;
        next.from = ramp.at(next.start);
        return true;
    });
    ramps.push_back(std::move(next));
}

// Each until it is complete: what a person then changes stays.
template <class T, class Set>
Status advance(std::vector<Ramp<T>>& ramps, double time, Set set) {
    for (Ramp<T>& ramp : ramps) {
        if (ramp.ended) continue;
        if (Status status = set(ramp, ramp.at(time)); !status) return status;
        ramp.ended = ramp.complete(time);
    }
    return {};
}

struct Hand {
    std::uint32_t particle = 0;
    Vec3d from{}, to{};
    double start = 0, seconds = 0;

    Vec3d at(double time) const {
        return time < start + seconds ? from + (to - from) * ((time - start) / seconds) : to;
    }
};

struct Press {
    std::string body;
    double height = 0, end = 0;
};

ColliderShape moved(const ColliderShape& shape, const Pose& pose) {
    return collision::visit_shape(shape, [&]<class Kind>(const typename Kind::Shape& s) -> ColliderShape {
        return Kind::moved(s, pose);
    });
}

// Says whether a mesh has several poses.
bool set_pose(ColliderShape& shape, const scene::Collider& collider, double time) {
    auto* mesh = std::get_if<SolidMesh>(&shape);
    if (!mesh || poses_of(*mesh->surface) < 2) return false;
    mesh->pose = time * std::get<SolidMesh>(collider.collider.shape).source.poses_per_second;
    mesh->pose = std::min(mesh->pose, static_cast<double>(poses_of(*mesh->surface) - 1));
    return true;
}

// What is not turned changes no bit.
Vec3d moved(const MovingAttachment& moving, const Vec3d& start, const Pose& pose) {
    const Quaternion& q = pose.rotation;
    if (q.x == 0 && q.y == 0 && q.z == 0) return start + pose.offset;
    return moving.center + rotate(q, start - moving.center) + pose.offset;
}

}  // namespace

struct Player::Implementation {
    Implementation(Scene&& s, Simulation&& started)
        : scene(std::move(s)), simulation(std::move(started)), beginning(simulation.save()) {}

    Status step() {
        const double now = simulation.view().time, frame = simulation.settings().time_step;
        while (next_event < scene.events.size() && scene.events[next_event].time <= now + frame / 2) {
            const TimedEvent& event = scene.events[next_event++];
            const auto perform = [&](const auto& action) { return apply(action, event, now); };
            if (Status status = std::visit(perform, event.action); !status) {
                return Error{fmt::format("{}: /events/{}", scene.name, event.index), status.error().text()};
            }
        }
        // Changes first: they may change how long the frame is.
        if (Status status = apply_changes(now + frame); !status) return status;
        if (Status status = move_all(now + simulation.settings().time_step); !status) return status;
        simulation.step();
        return hold_presses();
    }

    Status apply(const scene::Squash& a, const TimedEvent&, double now) {
        presses.push_back({a.body, a.height, now + a.seconds});
        return simulation.squash(a.body, a.height);
    }
    Status apply(const scene::Translate& a, const TimedEvent&, double) {
        return simulation.translate(a.body, a.offset);
    }
    Status apply(const scene::Grab& a, const TimedEvent&, double now) {
        const auto particle = simulation.grab(a.point);
        if (!particle) return particle.error();
        const Vec3d here = to_double(simulation.view().positions[*particle]);
        hands[a.hand] = {*particle, here, here, now, 0};
        return {};
    }
    Status apply(const scene::Drag& a, const TimedEvent&, double now) {
        const auto found = hands.find(a.hand);
        PLIANT_ASSERT(found != hands.end());  // the scene was checked: a hand grabs first
        Hand& hand = found->second;
        hand = {hand.particle, hand.at(now), a.to, now, a.seconds};
        return {};
    }
    Status apply(const scene::Release& a, const TimedEvent&, double) {
        const auto found = hands.find(a.hand);
        PLIANT_ASSERT(found != hands.end());
        const std::uint32_t particle = found->second.particle;
        hands.erase(found);
        return simulation.release(particle);
    }
    Status apply(const scene::Pin&, const TimedEvent& event, double) {
        for (const std::uint32_t particle : event.particles) {
            if (Status status = simulation.pin(particle); !status) return status;
        }
        return {};
    }
    Status apply(const scene::Unpin&, const TimedEvent& event, double) {
        for (const std::uint32_t particle : event.particles) {
            if (Status status = simulation.unpin(particle); !status) return status;
        }
        return {};
    }
    Status apply(const scene::ChangeSolver& a, const TimedEvent&, double now) {
        settings = {{}, {}, simulation.settings(), a.settings, {}, now, a.seconds, false};
        return {};
    }
    Status apply(const scene::ChangeElasticity& a, const TimedEvent& event, double now) {
        begin(elasticities,
              {a.body, a.part, event.original, a.elasticity, event.original, now, a.seconds, false});
        return {};
    }
    Status apply(const scene::ChangeMaterial& a, const TimedEvent& event, double now) {
        SoftMaterial to = event.original_material;
        to.young_modulus = a.young_modulus;
        to.poisson_ratio = a.poisson_ratio;
        to.damping = a.damping;
        begin(materials,
              {a.body, {}, event.original_material, to, event.original_material, now, a.seconds, false});
        return {};
    }

    Status set(const Ramp<Elasticity>& ramp, const Elasticity& value) {
        return simulation.set_elasticity(ramp.body, ramp.part, value);
    }
    Status set(const Ramp<SoftMaterial>& ramp, const SoftMaterial& value) {
        return simulation.set_material(ramp.body, value);
    }

    Status apply_changes(double time) {
        if (settings) {
            if (Status status = simulation.configure(settings->at(time)); !status) return status;
            if (settings->complete(time)) settings.reset();
        }
        const auto set_one = [&](const auto& ramp, const auto& value) { return set(ramp, value); };
        if (Status status = advance(elasticities, time, set_one); !status) return status;
        return advance(materials, time, set_one);
    }

    Status move_all(double time) {
        joints.clear();
        for (const scene::Skeleton& skeleton : scene.skeletons)
            joints.push_back(transforms_at(skeleton, time));
        for (std::uint32_t i = 0; i < scene.file.colliders.size(); ++i) {
            const scene::Collider& collider = scene.file.colliders[i];
            ColliderShape shape = scene.description.colliders[i].shape;
            const bool changes = set_pose(shape, collider, time);
            const std::optional<Pose> pose = pose_of(collider, shape, time);
            if (!pose && !changes) continue;
            if (pose) shape = moved(shape, *pose);
            if (Status status = simulation.move_collider(i, shape); !status) return status;
        }
        for (const MovingAttachment& moving : scene.moving) {
            const Vec3d target = target_of(moving, time);
            if (Status status = simulation.move_attachment(moving.attachment, target); !status) return status;
        }
        for (const auto& [name, hand] : hands) {
            if (Status status = simulation.drag(hand.particle, hand.at(time)); !status) return status;
        }
        return {};
    }

    // Where its motion or its joint takes a collider; none: it stays.
    std::optional<Pose> pose_of(const scene::Collider& collider, const ColliderShape& shape,
                                double time) const {
        if (!collider.on_joint) {
            if (collider.motion.empty()) return {};
            return pose_at(collider.motion, time);
        }
        const auto found = find_joint(scene.skeletons, *collider.on_joint, {});
        PLIANT_ASSERT(found);  // the scene was checked
        const JointTransform& joint = joints[found->skeleton][found->joint];
        const Vec3d point = collision::visit_shape(
            shape, []<class Kind>(const typename Kind::Shape& s) -> Vec3d { return Kind::point(s); });
        return Pose{joint(point) - point, to_quaternion(joint.rotation)};
    }

    Vec3d target_of(const MovingAttachment& moving, double time) const {
        if (moving.skeleton != MovingAttachment::none) return carried(moving, joints[moving.skeleton]);
        if (moving.collider == MovingAttachment::none)
            return moved(moving, moving.start, pose_at(scene.file.attachments[moving.source].motion, time));
        const scene::Collider& carrier = scene.file.colliders[moving.collider];
        ColliderShape shape = scene.description.colliders[moving.collider].shape;
        set_pose(shape, carrier, time);
        const Vec3d start = carried_start(shape, moving);
        const std::optional<Pose> pose = pose_of(carrier, shape, time);
        return pose ? moved(moving, start, *pose) : start;
    }

    Status hold_presses() {
        const double now = simulation.view().time, half = simulation.settings().time_step / 2.0;
        for (const Press& press : presses) {
            if (press.end < now - half) continue;
            if (Status status = simulation.squash(press.body, press.height); !status) return status;
        }
        return {};
    }

    Result<Effect> set(const std::string& path, const json::Value& value) {
        scene::File changed = scene.file;
        const Result<ValueOwner> owner = set_value(changed, path, value);
        if (!owner) return owner.error();
        Result<bool> taken = false;
        if (*owner == ValueOwner::solver) {
            taken = set_at_start([&] { return configure(path, value); });
            if (taken) {  // they were read once, so they can be read
                (void)set_value(scene.description.settings, path, value);
                if (settings) (void)set_value(settings->to, path, value);
            }
        } else if (*owner == ValueOwner::material) {
            Description described = scene.description;
            take_materials(changed, scene, described);
            taken = set_at_start([&] { return simulation.adopt(described); });
            if (taken && *taken) scene.description = std::move(described);
        }
        if (!taken) return taken.error();
        if (!*taken && to_json(changed) != to_json(scene.file)) return Effect::after_restart;
        scene.file = std::move(changed);
        return Effect::at_once;
    }

    Result<bool> configure(const std::string& path, const json::Value& value) {
        Settings changed = simulation.settings();
        if (Status status = set_value(changed, path, value); !status) return status.error();
        if (Status status = simulation.configure(changed); !status) return status.error();
        return true;
    }

    // Changes the simulation as it is now and as a reset brings it back.
    template <class Change>
    Result<bool> set_at_start(Change change) {
        const auto now = simulation.save();
        Result<bool> taken = change();
        if (!taken || !*taken) return taken;
        const auto changed = simulation.save();
        if (Status status = simulation.restore(beginning); !status) return status.error();
        taken = change();
        if (taken) beginning = simulation.save();
        if (Status status = simulation.restore(taken ? changed : now); !status) return status.error();
        return taken;
    }

    Status perform(const json::Value& event) {
        if (event.kind == json::Kind::object && event.find("time"))
            return Error{"/time", "cannot be given: it happens now"};
        const double now = simulation.view().time;
        json::Value timed = event;
        if (timed.kind == json::Kind::object) timed.add("time", json::make_number(now));
        scene::Event read;
        if (auto problem = FieldReader(scene.file).read(timed, read, {}, ranges::any)) return *problem;
        std::set<std::string> holding;
        for (const auto& [name, hand] : hands) holding.insert(name);
        const Result<TimedEvent> made = resolve_event(scene, read, std::move(holding));
        if (!made) return made.error();
        return std::visit([&](const auto& action) { return apply(action, *made, now); }, made->action);
    }

    Status reset() {
        for (const Ramp<Elasticity>& ramp : elasticities) {
            if (Status status = set(ramp, ramp.original); !status) return status;
        }
        for (const Ramp<SoftMaterial>& ramp : materials) {
            if (Status status = set(ramp, ramp.original); !status) return status;
        }
        if (Status status = simulation.configure(scene.description.settings); !status) return status;
        // Not Simulation::reset(): unpinning may have changed the order of work, and with it the rounding.
        if (Status status = simulation.restore(beginning); !status) return status;
        next_event = 0;
        hands.clear();
        presses.clear();
        settings.reset();
        elasticities.clear();
        materials.clear();
        return {};
    }

    Scene scene;
    Simulation simulation;
    std::shared_ptr<const Simulation::Snapshot> beginning;
    std::size_t next_event = 0;
    std::map<std::string, Hand> hands;
    std::vector<std::vector<JointTransform>> joints;  // of each skeleton, at the end of the frame
    std::vector<Press> presses;
    std::optional<Ramp<Settings>> settings;
    std::vector<Ramp<Elasticity>> elasticities;
    std::vector<Ramp<SoftMaterial>> materials;
};

Result<Player> Player::create(Scene scene, const Execution& execution) {
    const StandardFloatingPoint floating_point;
    auto simulation = Simulation::create(scene.description, execution);
    if (!simulation) return Error{scene.name, simulation.error().text()};
    return Player(std::make_unique<Implementation>(std::move(scene), std::move(*simulation)));
}

Player::Player(std::unique_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
Player::Player(Player&&) noexcept = default;
Player& Player::operator=(Player&&) noexcept = default;
Player::~Player() = default;

Status Player::step() {
    const StandardFloatingPoint floating_point;
    return implementation_->step();
}
Status Player::reset() {
    const StandardFloatingPoint floating_point;
    return implementation_->reset();
}
std::vector<Parameter> Player::parameters() const {
    const StandardFloatingPoint floating_point;
    return parameters_of(implementation_->scene.file, implementation_->simulation.settings());
}
Result<Effect> Player::set(std::string_view path, std::string_view value) {
    const StandardFloatingPoint floating_point;
    const auto json = json::parse(value, "value");
    if (!json) return json.error();
    return implementation_->set(path.starts_with('/') ? std::string(path) : "/" + std::string(path), *json);
}
Status Player::perform(std::string_view event) {
    const StandardFloatingPoint floating_point;
    const auto json = json::parse(event, "event");
    if (!json) return json.error();
    return implementation_->perform(*json);
}
const Scene& Player::scene() const { return implementation_->scene; }
Simulation& Player::simulation() { return implementation_->simulation; }
const Simulation& Player::simulation() const { return implementation_->simulation; }

}  // namespace pliant
