#include "mesh/io/gltf_document.h"

#include <cmath>
#include <cstdint>

#include "base/files/extension.h"
#include "base/files/input_file.h"
#include "base/format.h"
#include "mesh/io/base64.h"
#include "mesh/io/bytes.h"

namespace pliant::mesh {
namespace {

const json::Value nothing{};

struct ComponentType {
    std::size_t size = 0;  // bytes; 0: there is no such type
    double largest = 0;    // of whole numbers, else 0
};
ComponentType component_type(std::size_t code) {
    switch (code) {
        case 5120:
            return {1, 127};
        case 5121:
            return {1, 255};
        case 5122:
            return {2, 32767};
        case 5123:
            return {2, 65535};
        case 5125:
            return {4, 4294967295.0};
        case 5126:
            return {4, 0};
        default:
            return {};
    }
}

double number_at(const char* bytes, std::size_t code) {
    switch (code) {
        case 5120:
            return number_from_bytes<std::int8_t>(bytes, false);
        case 5121:
            return number_from_bytes<std::uint8_t>(bytes, false);
        case 5122:
            return number_from_bytes<std::int16_t>(bytes, false);
        case 5123:
            return number_from_bytes<std::uint16_t>(bytes, false);
        case 5125:
            return number_from_bytes<std::uint32_t>(bytes, false);
        default:
            return number_from_bytes<float>(bytes, false);
    }
}

std::size_t components_of(std::string_view type) {
    if (type == "SCALAR") return 1;
    if (type == "MAT4") return 16;
    return static_cast<std::size_t>(type.back() - '0');  // VEC2 … VEC4
}

}  // namespace

GltfDocument::GltfDocument(const std::filesystem::path& file) : name_(file.filename().string()) {
    const Result<std::string> content = read_file(file);
    if (!content) {
        error_ = content.error();
        return;
    }
    if (extension_of(file) == ".glb") {
        read_glb(*content);
    } else {
        parse(*content);
    }
    if (ok()) read_buffers(file.parent_path());
}

void GltfDocument::fail(const std::string& place, const std::string& message) {
    if (ok()) error_ = {at(place), message};
}

// 12 bytes of header, then chunks: length, type, data.
void GltfDocument::read_glb(const std::string& content) {
    ByteCursor cursor(content, name_, 0, false);
    std::uint32_t magic = 0, version = 0, length = 0;
    const auto failed = [&] { error_ = cursor.error(); };
    if (!cursor.read(magic) || !cursor.read(version) || !cursor.read(length)) return failed();
    if (magic != 0x46546c67) return fail("byte 0", "is no .glb file: it does not begin with \"glTF\"");
    if (version != 2) return fail("byte 4", fmt::format("must be version 2, got {}", version));
    if (length != content.size())
        return fail("byte 8", fmt::format("says {} bytes, but the file has {}", length, content.size()));
    bool has_json = false;
    while (cursor.remaining() > 0) {
        std::uint32_t size = 0, type = 0;
        if (!cursor.read(size) || !cursor.read(type)) return failed();
        const std::size_t start = content.size() - cursor.remaining();
        if (!cursor.skip(size)) return failed();
        if (type == 0x4e4f534a && !has_json) parse(std::string_view(content).substr(start, size));
        if (type == 0x004e4942) binary_ = content.substr(start, size);
        has_json = has_json || type == 0x4e4f534a;
        if (!ok()) return;
    }
    if (!has_json) fail("byte 12", "has no chunk of JSON");
}

void GltfDocument::parse(std::string_view text) {
    auto parsed = json::parse(text, name_);
    if (!parsed) {
        error_ = parsed.error();
        return;
    }
    root_ = std::move(*parsed);
    const std::string version = this->text(member(root_, "asset"), "/asset", "version");
    if (ok() && !version.starts_with("2."))
        fail("/asset/version", fmt::format("must be 2.0, got \"{}\"", version));
}

void GltfDocument::read_buffers(const std::filesystem::path& folder) {
    const std::vector<json::Value>& all = list("buffers");
    for (std::size_t i = 0; i < all.size() && ok(); ++i) {
        const std::string place = fmt::format("/buffers/{}", i);
        const std::size_t length = index(all[i], place, "byteLength", none);
        std::string bytes;
        if (!member(all[i], "uri").text.empty()) {
            const std::string uri = text(all[i], place, "uri");
            constexpr std::string_view mark = ";base64,";
            if (const auto comma = uri.find(mark); uri.starts_with("data:") && comma != std::string::npos) {
                if (!decode_base64(std::string_view(uri).substr(comma + mark.size()), bytes))
                    fail(place + "/uri", "is no base64");
            } else {
                const auto content = read_file(folder / uri);
                if (!content) return fail(place + "/uri", content.error().text());
                bytes = *content;
            }
        } else {
            bytes = i == 0 ? binary_ : std::string();
        }
        if (ok() && bytes.size() < length)
            fail(place + "/byteLength", fmt::format("says {} bytes, but there are {}", length, bytes.size()));
        buffers_.push_back(std::move(bytes));
    }
}

const json::Value& GltfDocument::member(const json::Value& object, std::string_view key) {
    const json::Value* found = object.kind == json::Kind::object ? object.find(key) : nullptr;
    return found ? *found : nothing;
}

const std::vector<json::Value>& GltfDocument::list(std::string_view key) { return items(root_, "", key); }

const std::vector<json::Value>& GltfDocument::items(const json::Value& object, const std::string& place,
                                                    std::string_view key) {
    const json::Value& found = member(object, key);
    if (found.kind != json::Kind::list && found.kind != json::Kind::null)
        fail(fmt::format("{}/{}", place, key), "must be a list, got " + json::describe(found));
    return found.items;
}

std::string GltfDocument::text(const json::Value& object, const std::string& place, std::string_view key) {
    const json::Value& found = member(object, key);
    if (found.kind != json::Kind::string)
        fail(fmt::format("{}/{}", place, key), "must be a text, got " + json::describe(found));
    return found.text;
}

std::size_t GltfDocument::as_index(const json::Value& value, const std::string& place, std::size_t limit) {
    const double number = value.number;
    const bool is_whole =
        value.kind == json::Kind::number && number >= 0 && number < 1e15 && number == std::floor(number);
    if (is_whole && number < static_cast<double>(limit)) return static_cast<std::size_t>(number);
    fail(place, limit == none
                    ? "must be a whole number, got " + json::describe(value)
                    : fmt::format("must be an index below {}, got {}", limit, json::describe(value)));
    return 0;
}

std::size_t GltfDocument::index(const json::Value& object, const std::string& place, std::string_view key,
                                std::size_t limit, bool required) {
    const json::Value& found = member(object, key);
    if (found.kind == json::Kind::null && !required) return none;
    return as_index(found, fmt::format("{}/{}", place, key), limit);
}

std::vector<double> GltfDocument::numbers(const json::Value& object, const std::string& place,
                                          std::string_view key, std::vector<double> otherwise) {
    const json::Value& found = member(object, key);
    if (found.kind == json::Kind::null) return otherwise;
    std::vector<double> read;
    for (const json::Value& item : found.items) {
        if (item.kind == json::Kind::number) read.push_back(item.number);
    }
    if (found.kind == json::Kind::list && read.size() == otherwise.size() &&
        found.items.size() == otherwise.size())
        return read;
    fail(fmt::format("{}/{}", place, key), fmt::format("must be {} numbers", otherwise.size()));
    return otherwise;
}

std::vector<double> GltfDocument::read(std::size_t number, std::string_view type, bool whole) {
    const auto& accessors = list("accessors");
    const auto& views = list("bufferViews");
    const std::string place = fmt::format("/accessors/{}", number);
    if (number >= accessors.size()) {
        fail(place, fmt::format("is not there; there are {} accessors", accessors.size()));
        return {};
    }
    const json::Value& accessor = accessors[number];
    if (member(accessor, "sparse").kind != json::Kind::null) fail(place + "/sparse", "is not supported");
    if (const std::string is = text(accessor, place, "type"); ok() && is != type)
        fail(place + "/type", fmt::format("must be \"{}\" here, got \"{}\"", type, is));
    const std::size_t code = index(accessor, place, "componentType", none);
    const ComponentType component = component_type(code);
    const bool normalized = member(accessor, "normalized").boolean;
    const bool fits = whole ? component.largest > 0 && !normalized : component.largest == 0 || normalized;
    if (ok() && (component.size == 0 || !fits))
        fail(place + "/componentType",
             fmt::format("must be {} here, got {}",
                         whole ? "5121, 5123 or 5125, whole numbers" : "5126, floats, or normalized", code));
    const std::size_t count = index(accessor, place, "count", none), each = components_of(type);
    const std::size_t view = index(accessor, place, "bufferView", views.size());
    const std::size_t offset = index(accessor, place, "byteOffset", none, false);
    if (!ok()) return {};

    const std::string view_place = fmt::format("/bufferViews/{}", view);
    const std::size_t buffer = index(views[view], view_place, "buffer", buffers_.size());
    const std::size_t start = index(views[view], view_place, "byteOffset", none, false);
    const std::size_t length = index(views[view], view_place, "byteLength", none);
    const std::size_t stride = index(views[view], view_place, "byteStride", 253, false);
    if (!ok()) return {};
    const std::size_t from = start == none ? 0 : start, size = each * component.size;
    const std::size_t first = offset == none ? 0 : offset, step = stride == none ? size : stride;
    if (from > buffers_[buffer].size() || length > buffers_[buffer].size() - from)
        fail(view_place, fmt::format("ends behind its buffer of {} bytes", buffers_[buffer].size()));
    if (ok() && (step < size || count == 0 || first > length || size > length - first ||
                 (count - 1) > (length - first - size) / step))
        fail(place + "/count", fmt::format("{} elements do not fit in a view of {} bytes", count, length));
    if (!ok()) return {};
    std::vector<double> result;
    result.reserve(count * each);
    const double scale = normalized ? 1 / component.largest : 1;
    for (std::size_t i = 0; i < count; ++i) {
        const char* bytes = buffers_[buffer].data() + from + first + i * step;
        for (std::size_t k = 0; k < each; ++k) {
            const double value = number_at(bytes + k * component.size, code) * scale;
            if (!std::isfinite(value)) fail(place, fmt::format("element {} is not finite", i));
            result.push_back(value);
        }
    }
    return ok() ? result : std::vector<double>();
}

}  // namespace pliant::mesh
