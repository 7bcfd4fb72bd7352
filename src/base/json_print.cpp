// JSON values made and printed.
#include <utility>

#include "base/format.h"
#include "base/json.h"

namespace pliant::json {
namespace {

Value of(Kind kind, double number = 0, std::string text = {}) {
    Value value;
    value.kind = kind;
    value.number = number;
    value.text = std::move(text);
    return value;
}

std::string number_text(const Value& value) {
    return value.text.empty() ? fmt::format("{}", value.number) : value.text;
}

std::string plain(const Value& value) {
    if (value.kind == Kind::null) return "null";
    if (value.kind == Kind::boolean) return value.boolean ? "true" : "false";
    return value.kind == Kind::number ? number_text(value) : quoted(value.text);
}

bool is_plain(const Value& value) { return value.kind != Kind::list && value.kind != Kind::object; }

constexpr std::size_t line_length = 90;

void print(const Value& value, std::size_t indent, std::string& out) {
    std::string line = print_compact(value);
    if (is_plain(value) || line.size() + indent <= line_length) {
        out += line;
        return;
    }
    const bool list = value.kind == Kind::list;
    const std::size_t count = list ? value.items.size() : value.members.size();
    const std::string margin(indent + 2, ' ');
    out += list ? "[\n" : "{\n";
    for (std::size_t i = 0; i < count; ++i) {
        out += margin;
        if (!list) out += quoted(value.members[i].key) + ": ";
        print(list ? value.items[i] : value.members[i].value, indent + 2, out);
        out += i + 1 < count ? ",\n" : "\n";
    }
    out += std::string(indent, ' ') + (list ? "]" : "}");
}

}  // namespace

Value make_object() { return of(Kind::object); }
Value make_list() { return of(Kind::list); }
Value make_bool(bool boolean) {
    Value value = of(Kind::boolean);
    value.boolean = boolean;
    return value;
}
Value make_string(std::string_view text) { return of(Kind::string, 0, std::string(text)); }
Value make_number(double number) { return of(Kind::number, number, fmt::format("{}", number)); }
Value make_number(float number) { return of(Kind::number, number, fmt::format("{}", number)); }
Value make_number(long long number) {
    return of(Kind::number, static_cast<double>(number), fmt::format("{}", number));
}

bool operator==(const Value& a, const Value& b) {
    if (a.kind != b.kind || a.boolean != b.boolean || a.number != b.number) return false;
    if (a.kind == Kind::string && a.text != b.text) return false;
    if (a.items.size() != b.items.size() || a.members.size() != b.members.size()) return false;
    for (std::size_t i = 0; i < a.items.size(); ++i) {
        if (!(a.items[i] == b.items[i])) return false;
    }
    for (std::size_t i = 0; i < a.members.size(); ++i) {
        if (a.members[i].key != b.members[i].key || !(a.members[i].value == b.members[i].value)) return false;
    }
    return true;
}

std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (static_cast<unsigned char>(c) < 32) {
            out += fmt::format("\\u{:04x}", static_cast<int>(c));
        } else {
            out += c;
        }
    }
    return out + '"';
}

std::string describe(const Value& value) {
    if (value.kind == Kind::list) return value.items.empty() ? "an empty list" : "a list";
    if (value.kind == Kind::object) return "an object";
    if (value.kind == Kind::number) return fmt::format("{:g}", value.number);
    if (value.kind == Kind::string && value.text.size() > 60) return quoted(value.text.substr(0, 60) + "…");
    return plain(value);
}

std::string print_compact(const Value& value) {
    if (is_plain(value)) return plain(value);
    std::string out, comma;
    for (const Value& item : value.items) out += std::exchange(comma, ", ") + print_compact(item);
    for (const Member& member : value.members) {
        out += std::exchange(comma, ", ") + quoted(member.key) + ": " + print_compact(member.value);
    }
    return value.kind == Kind::list ? "[" + out + "]" : "{" + out + "}";
}

std::string print(const Value& value) {
    std::string out;
    print(value, 0, out);
    return out + "\n";
}

}  // namespace pliant::json
