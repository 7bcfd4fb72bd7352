// A glTF 2.0 file (.gltf or .glb): its JSON, its buffers, and what accessors say of them. The first mistake
// is kept, with its place; what is asked for after it is empty or 0.
#pragma once

#include <pliant/error.h>

#include <cstddef>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace pliant::mesh {

class GltfDocument {
public:
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    // The file, and the buffers that it refers to.
    explicit GltfDocument(const std::filesystem::path& file);

    bool ok() const { return error_.message.empty(); }
    // "arm.glb: /accessors/3/count: must be …"
    const Error& error() const { return error_; }
    void fail(const std::string& place, const std::string& message);

    // A member of an object; a null value if it is not there.
    static const json::Value& member(const json::Value& object, std::string_view key);
    // The items of the list at the top with that name.
    const std::vector<json::Value>& list(std::string_view key);
    // Of a member that is a list, or nothing.
    const std::vector<json::Value>& items(const json::Value& object, const std::string& place,
                                          std::string_view key);
    // Members: a text, an index below `limit` (`none` if it is not there and need not be), numbers.
    std::string text(const json::Value& object, const std::string& place, std::string_view key);
    std::size_t index(const json::Value& object, const std::string& place, std::string_view key,
                      std::size_t limit, bool required = true);
    std::size_t as_index(const json::Value& value, const std::string& place, std::size_t limit);
    // So many numbers, or the default if there is no such member.
    std::vector<double> numbers(const json::Value& object, const std::string& place, std::string_view key,
                                std::vector<double> otherwise);

    // All numbers of an accessor, element after element: of that type ("VEC3"), as floats, or as whole
    // numbers. Whole numbers that are said to be normalized become 0 … 1, or −1 … 1.
    std::vector<double> read(std::size_t accessor, std::string_view type, bool whole);

private:
    std::string at(const std::string& place) const { return name_ + ": " + place; }
    void read_glb(const std::string& content);
    void read_buffers(const std::filesystem::path& folder);
    void parse(std::string_view text);

    std::string name_;
    Error error_{};
    json::Value root_{};
    std::string binary_{};
    std::vector<std::string> buffers_{};
};

}  // namespace pliant::mesh
