#include "output/html_player.h"

#include "base/format.h"
#include "base/json.h"
#include "base/output_file.h"
#include "collision/all.h"
#include "output/collider_mesh.h"
#include "output/player_page.h"
#include "output/player_shaders.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

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

void append_base64(std::string& out, std::span<const std::uint8_t> bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < count ? bytes[i + k] : 0u);
        for (std::size_t k = 0; k < 4; ++k) out += k <= count ? digits[group >> (18 - 6 * k) & 63] : '=';
    }
}

// Little-endian, as every browser's typed arrays are.
template <class Integer>
void append_bytes(std::vector<std::uint8_t>& bytes, Integer number) {
    for (std::size_t k = 0; k < sizeof number; ++k)
        bytes.push_back(static_cast<std::uint8_t>(number >> (8 * k)));
}

// Valid as JSON and inside a script element, which would end at "</script".
std::string json_text(std::string_view text) {
    std::string out;
    for (const char c : json::quoted(text)) {
        if (c == '<') {
            out += "\\u003c";
        } else {
            out += c;
        }
    }
    return out;
}

std::string html_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            default:
                out += c;
        }
    }
    return out;
}

template <class T>
std::string json_vector(const Vector3<T>& v) {
    return fmt::format("[{},{},{}]", v.x, v.y, v.z);
}

std::string json(const Plane& plane) {
    return fmt::format(R"({{"plane":{},"normal":{}}})", json_vector(plane.point), json_vector(plane.normal));
}

std::string json(const Sphere& sphere) {
    return fmt::format(R"({{"sphere":{},"radius":{}}})", json_vector(sphere.center), sphere.radius);
}

std::string json(const Box& box) {
    const Quaternion& q = box.rotation;
    return fmt::format(R"({{"box":{},"half":{},"rotation":[{},{},{},{}]}})", json_vector(box.center),
                       json_vector(box.half_extents), q.x, q.y, q.z, q.w);
}

std::string base64_of(std::span<const Vec3> points) {
    std::vector<std::uint8_t> bytes;
    for (const Vec3& p : points) {
        for (const float number : {p.x, p.y, p.z}) {
            std::uint32_t bits = 0;
            std::memcpy(&bits, &number, sizeof bits);
            append_bytes(bytes, bits);
        }
    }
    std::string text;
    append_base64(text, bytes);
    return text;
}

std::string base64_of(std::span<const Triangle> triangles) {
    std::vector<std::uint8_t> bytes;
    bytes.reserve(12 * triangles.size());
    for (const Triangle& t : triangles) {
        for (const std::uint32_t vertex : t) append_bytes(bytes, vertex);
    }
    std::string text;
    append_base64(text, bytes);
    return text;
}

// Any other shape, by its surface.
template <class Shape>
std::string json(const Shape& shape) {
    const collision::Bounds bounds = collision::KindOf<Shape>::bounds(shape);
    const Vec3d center = (bounds.low + bounds.high) * 0.5, half = (bounds.high - bounds.low) * 0.5;
    const ColliderMesh mesh = mesh_of(shape, center, 0);
    return fmt::format(R"({{"center":{},"half":{},"positions":"{}","normals":"{}","triangles":"{}"}})",
                       json_vector(center), json_vector(half), base64_of(mesh.positions),
                       base64_of(mesh.normals), base64_of(mesh.triangles));
}

template <class Range, class Function>
std::string joined(const Range& range, Function&& text) {
    std::string out;
    for (const auto& item : range) {
        if (!out.empty()) out += ',';
        out += text(item);
    }
    return out;
}

}  // namespace

HtmlPlayer::HtmlPlayer(std::string caption, std::vector<Collider> colliders, std::vector<BodyShape> shapes)
    : caption_(std::move(caption)), colliders_(std::move(colliders)), shapes_(std::move(shapes)) {}

void HtmlPlayer::begin(std::span<const Part> parts) {
    for (const Part& part : parts) {
        const auto first = static_cast<std::uint32_t>(vertices_);
        ranges_.push_back(
            {part.name, vertices_, part.positions.size(), triangles_.size(), part.triangles.size()});
        for (const auto& [a, b, c] : part.triangles) triangles_.push_back({first + a, first + b, first + c});
        vertices_ += part.positions.size();
    }
}

void HtmlPlayer::add_frame(const View& view) {
    if (!bodies_) bodies_.emplace(view, shapes_, false);
    const auto parts = bodies_->of(view);
    assert(parts);
    if (frames_.empty()) begin(*parts);
    constexpr float huge = std::numeric_limits<float>::max();
    Frame frame{view.time, {huge, huge, huge}, {-huge, -huge, -huge}, {}};
    for (const Part& part : *parts) {
        for (const Vec3& p : part.positions) {
            const Vec3 q{finite(p.x), finite(p.y), finite(p.z)};
            frame.low = {std::min(frame.low.x, q.x), std::min(frame.low.y, q.y), std::min(frame.low.z, q.z)};
            frame.high = {std::max(frame.high.x, q.x), std::max(frame.high.y, q.y),
                          std::max(frame.high.z, q.z)};
        }
    }
    frame.coordinates.reserve(3 * vertices_);
    for (const Part& part : *parts) {
        for (const Vec3& p : part.positions) {
            frame.coordinates.push_back(quantized(p.x, frame.low.x, frame.high.x));
            frame.coordinates.push_back(quantized(p.y, frame.low.y, frame.high.y));
            frame.coordinates.push_back(quantized(p.z, frame.low.z, frame.high.z));
        }
    }
    frames_.push_back(std::move(frame));
}

std::string HtmlPlayer::model() const {
    const double span = frames_.back().time - frames_.front().time;
    const double interval = span > 0 ? span / static_cast<double>(frames_.size() - 1) : 1.0 / 60;
    const auto body = [](const Range& part) {
        return fmt::format(R"({{"name":{},"vertices":[{},{}],"triangles":[{},{}]}})", json_text(part.name),
                           part.first_vertex, part.vertex_count, part.first_triangle, part.triangle_count);
    };
    const auto collider = [](const Collider& c) {
        return std::visit([](const auto& shape) { return json(shape); }, c.shape);
    };
    return fmt::format(R"({{"interval":{},"vertices":{},"bodies":[{}],"colliders":[{}],"triangles":"{}"}})",
                       interval, vertices_, joined(ranges_, body), joined(colliders_, collider),
                       base64_of(triangles_));
}

void HtmlPlayer::write_page(OutputFile& out) const {
    std::string_view rest = player_page;
    const auto copy_up_to = [&](std::string_view mark) {
        const std::size_t at = rest.find(mark);
        out.write(rest.substr(0, at));
        rest.remove_prefix(at + mark.size());
    };
    copy_up_to("{{title}}");
    out.write(html_text(std::string_view(caption_).substr(0, caption_.find('\n'))));
    copy_up_to("{{caption}}");
    out.write(html_text(caption_));
    copy_up_to("{{model}}");
    out.write(model());
    // A line a frame: low, high, coordinates.
    copy_up_to("{{frames}}");
    std::vector<std::uint8_t> bytes;
    std::string line;
    for (const Frame& frame : frames_) {
        bytes.clear();
        for (const std::uint16_t c : frame.coordinates) append_bytes(bytes, c);
        const Vec3 &low = frame.low, &high = frame.high;
        line = fmt::format("{},{},{},{},{},{},", low.x, low.y, low.z, high.x, high.y, high.z);
        append_base64(line, bytes);
        line += '\n';
        out.write(line);
    }
    copy_up_to("{{shaders}}");
    out.write(player_shaders);
    out.write(rest);
}

Status HtmlPlayer::write(const std::filesystem::path& file) const {
    if (frames_.empty()) return Error{file.string(), "there is no frame to write"};
    OutputFile out(file);
    write_page(out);
    return out.commit();
}

}  // namespace pliant::output
