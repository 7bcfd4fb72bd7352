#include "output/web/recording.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "base/format.h"
#include "output/web/text.h"

namespace pliant::output {
namespace {

constexpr float steps = 65535;

// Where a number is not finite there is nothing to show; 0 keeps the page valid.
float finite(float x) { return std::isfinite(x) ? x : 0; }

std::uint16_t quantized(float x, float low, float high) {
    if (!(high > low)) return 0;
    const float share = (finite(x) - low) / (high - low);
    return static_cast<std::uint16_t>(std::lround(std::clamp(share, 0.0f, 1.0f) * steps));
}

std::string json(const Color& color) {
    return fmt::format("[{},{},{}]", finite(color.red), finite(color.green), finite(color.blue));
}

const char* name_of(Finish finish) {
    switch (finish) {
        case Finish::jelly:
            return "jelly";
        case Finish::cloth:
            return "cloth";
        case Finish::matte:
            break;
    }
    return "matte";
}

std::string json(const Surface& surface) {
    const std::span<const Triangle> triangles =
        surface.triangles ? std::span<const Triangle>(*surface.triangles) : std::span<const Triangle>();
    return fmt::format(R"("kind":"surface","color":{},"finish":"{}","triangles":"{}")", json(surface.color),
                       name_of(surface.finish), base64(triangles));
}

std::string json(const Tubes& tubes) {
    std::vector<std::vector<std::uint32_t>> paths;
    if (tubes.paths) paths = *tubes.paths;
    std::erase_if(paths, [](const auto& path) { return path.size() < 2; });
    const auto number = [](std::uint32_t vertex) { return std::to_string(vertex); };
    const std::string lists = json_list(paths, [&](const auto& path) { return json_list(path, number); });
    return fmt::format(R"("kind":"tubes","color":{},"radius":{},"paths":{})", json(tubes.color),
                       finite(tubes.radius), lists);
}

std::string json(const Beads& beads) {
    return fmt::format(R"("kind":"beads","color":{},"radius":{})", json(beads.color), finite(beads.radius));
}

// use(positions) for everything that has vertices, in the order of the items.
template <class Function>
void each_list(const Picture& picture, Function&& use) {
    for (const Surface& surface : picture.surfaces) use(surface.positions);
    for (const Tubes& tubes : picture.tubes) use(tubes.positions);
    for (const Beads& beads : picture.beads) use(beads.positions);
}

bool same(const std::optional<Plane>& a, const std::optional<Plane>& b) {
    if (!a || !b) return a.has_value() == b.has_value();
    return a->point == b->point && a->normal == b->normal;
}

}  // namespace

bool PaneRecording::Pose::operator==(const Pose& other) const {
    const Quaternion &p = rotation, &q = other.rotation;
    return center == other.center && scale == other.scale && p.x == q.x && p.y == q.y && p.z == q.z &&
           p.w == q.w;
}

void PaneRecording::add_item(std::size_t count, const std::string& json) {
    items_.push_back({vertices_, count, json});
    vertices_ += count;
}

void PaneRecording::begin(const Picture& picture) {
    for (const Surface& surface : picture.surfaces) add_item(surface.positions.size(), json(surface));
    for (const Tubes& tubes : picture.tubes) add_item(tubes.positions.size(), json(tubes));
    for (const Beads& beads : picture.beads) add_item(beads.positions.size(), json(beads));
    for (const Caption& caption : picture.captions) {
        label_ += (label_.empty() ? "" : "\n") + caption.text;
    }
}

void PaneRecording::add_colliders(const Picture& picture) {
    for (std::size_t c = 0; c < picture.colliders.size(); ++c) {
        std::optional<ColliderSurface> surface = surface_of(picture.colliders[c]);
        if (!surface) continue;
        const Pose pose{surface->center, surface->rotation, surface->scale};
        const auto found = std::find_if(tracks_.rbegin(), tracks_.rend(),
                                        [&](const Track& track) { return track.collider == c; });
        if (found != tracks_.rend() && found->mesh.positions == surface->mesh.positions) {
            found->poses.push_back(pose);
        } else {
            tracks_.push_back({c, frames_.size(), std::move(surface->mesh), {pose}, surface->inverted});
        }
    }
}

Status PaneRecording::add(const Picture& picture) {
    if (frames_.empty()) begin(picture);
    std::size_t item = 0, wrong = 0;
    each_list(picture, [&](const std::vector<Vec3>& positions) {
        wrong += item >= items_.size() || items_[item].count != positions.size();
        ++item;
    });
    if (wrong > 0 || item != items_.size()) {
        return Error{"picture", fmt::format("frame {} must show what the first does", frames_.size())};
    }
    add_colliders(picture);
    grounds_.push_back(picture.ground);

    constexpr float huge = std::numeric_limits<float>::max();
    Frame frame{{huge, huge, huge}, {-huge, -huge, -huge}, {}};
    Vec3 &low = frame.low, &high = frame.high;
    each_list(picture, [&](const std::vector<Vec3>& positions) {
        for (const Vec3& p : positions) {
            const Vec3 q{finite(p.x), finite(p.y), finite(p.z)};
            low = {std::min(low.x, q.x), std::min(low.y, q.y), std::min(low.z, q.z)};
            high = {std::max(high.x, q.x), std::max(high.y, q.y), std::max(high.z, q.z)};
        }
    });
    if (vertices_ == 0) low = high = {};
    frame.coordinates.reserve(3 * vertices_);
    each_list(picture, [&](const std::vector<Vec3>& positions) {
        for (const Vec3& p : positions) {
            frame.coordinates.push_back(quantized(p.x, low.x, high.x));
            frame.coordinates.push_back(quantized(p.y, low.y, high.y));
            frame.coordinates.push_back(quantized(p.z, low.z, high.z));
        }
    });
    frames_.push_back(std::move(frame));
    return {};
}

std::string PaneRecording::track_json(const Track& track) {
    // One pose serves all frames of what never moves.
    const bool moves = std::any_of(track.poses.begin(), track.poses.end(),
                                   [&](const Pose& pose) { return !(pose == track.poses.front()); });
    const std::span<const Pose> poses(track.poses.data(), moves ? track.poses.size() : 1);
    const auto text = [](const Pose& pose) {
        const Quaternion& q = pose.rotation;
        return fmt::format(R"({{"center":{},"rotation":[{},{},{},{}],"scale":{}}})", json_vector(pose.center),
                           q.x, q.y, q.z, q.w, pose.scale);
    };
    float reach = 0;
    for (const Vec3& p : track.mesh.positions) reach = std::max(reach, std::sqrt(dot(p, p)));
    return fmt::format(
        R"({{"frames":[{},{}],"reach":{},"inverted":{},"positions":"{}","triangles":"{}","poses":{}}})",
        track.first_frame, track.first_frame + track.poses.size(), reach, track.inverted,
        base64(std::span<const Vec3>(track.mesh.positions)),
        base64(std::span<const Triangle>(track.mesh.triangles)), json_list(poses, text));
}

std::string PaneRecording::model() const {
    const auto item = [](const Item& i) {
        return fmt::format(R"({{"first":{},"count":{},{}}})", i.first, i.count, i.json);
    };
    const auto ground = [](const std::optional<Plane>& plane) {
        if (!plane) return std::string("null");
        return fmt::format(R"({{"point":{},"normal":{}}})", json_vector(plane->point),
                           json_vector(plane->normal));
    };
    const bool moves = std::any_of(grounds_.begin(), grounds_.end(),
                                   [&](const auto& plane) { return !same(plane, grounds_.front()); });
    const std::span<const std::optional<Plane>> grounds(grounds_.data(), moves ? grounds_.size() : 1);
    return fmt::format(R"({{"label":{},"vertices":{},"items":{},"grounds":{},"colliders":{}}})",
                       json_text(label_), vertices_, json_list(items_, item), json_list(grounds, ground),
                       json_list(tracks_, [](const Track& track) { return track_json(track); }));
}

std::string PaneRecording::line(std::size_t frame) const {
    const auto& [low, high, coordinates] = frames_[frame];
    return fmt::format("{},{},{},{},{},{},{}\n", low.x, low.y, low.z, high.x, high.y, high.z,
                       base64(std::span<const std::uint16_t>(coordinates)));
}

}  // namespace pliant::output
