#include <optional>
#include <utility>

#include "mesh/io/ply.h"

namespace pliant::mesh::ply {
namespace {

std::optional<Type> type_of(std::string_view name) {
    constexpr std::pair<std::string_view, Type> names[] = {
        {"char", Type::int8},      {"int8", Type::int8},       {"uchar", Type::uint8},
        {"uint8", Type::uint8},    {"short", Type::int16},     {"int16", Type::int16},
        {"ushort", Type::uint16},  {"uint16", Type::uint16},   {"int", Type::int32},
        {"int32", Type::int32},    {"uint", Type::uint32},     {"uint32", Type::uint32},
        {"float", Type::float32},  {"float32", Type::float32}, {"double", Type::float64},
        {"float64", Type::float64}};
    for (const auto& [known, type] : names) {
        if (known == name) return type;
    }
    return {};
}

class HeaderReader {
public:
    HeaderReader(std::string_view content, std::string_view name)
        : size_(content.size()), cursor_(content, name) {}

    Result<Header> read() {
        if (cursor_.word() != "ply") {
            cursor_.fail("expected \"ply\" at the start of a PLY file");
            return cursor_.error();
        }
        while (cursor_.next_line()) {
            const std::string_view word = cursor_.word();
            if (word == "end_header") {
                cursor_.next_line();
                header_.bytes = size_ - cursor_.remaining();
                header_.lines = cursor_.line() - 1;
                if (!has_format_) cursor_.fail("the header names no format");
                return has_format_ ? Result<Header>(std::move(header_)) : cursor_.error();
            }
            if (!statement(word)) return cursor_.error();
        }
        cursor_.expected("\"end_header\"");
        return cursor_.error();
    }

private:
    bool statement(std::string_view word) {
        if (word == "format") return format();
        if (word == "element") return element();
        if (word == "property") return property();
        return word.empty() || word == "comment" || word == "obj_info" ||
               cursor_.fail("expected \"element\", \"property\" or \"end_header\", got " + quoted(word));
    }

    bool format() {
        const std::string_view name = cursor_.word();
        has_format_ = true;
        header_.format = name == "binary_little_endian" ? Format::little_endian
                         : name == "binary_big_endian"  ? Format::big_endian
                                                        : Format::text;
        return header_.format != Format::text || name == "ascii" ||
               cursor_.fail("the format must be ascii, binary_little_endian or binary_big_endian, got " +
                            quoted(name));
    }

    bool element() {
        Element& added = header_.elements.emplace_back();
        added.name = cursor_.word();
        return cursor_.count(added.count);
    }

    bool property() {
        if (header_.elements.empty()) return cursor_.fail("a property stands before the first element");
        Property added;
        std::string_view type = cursor_.word();
        added.is_list = type == "list";
        if (added.is_list) {
            if (!type_from(cursor_.word(), added.count_type)) return false;
            type = cursor_.word();
        }
        if (!type_from(type, added.type)) return false;
        added.name = cursor_.word();
        if (added.name.empty()) return cursor_.expected("the name of a property");
        header_.elements.back().properties.push_back(added);
        return true;
    }

    bool type_from(std::string_view name, Type& type) {
        const std::optional<Type> found = type_of(name);
        if (!found) {
            return cursor_.fail(
                "expected a type (char, uchar, short, ushort, int, uint, float, double or list), got " +
                quoted(name));
        }
        type = *found;
        return true;
    }

    std::size_t size_;
    TextCursor cursor_;
    Header header_;
    bool has_format_ = false;
};

}  // namespace

Result<Header> parse_header(std::string_view content, std::string_view name) {
    return HeaderReader(content, name).read();
}

}  // namespace pliant::mesh::ply
