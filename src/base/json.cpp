#include "base/json.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "base/format.h"

namespace pliant::json {
namespace {

constexpr int deepest_nesting = 64;
constexpr std::size_t most_members = 1000;  // of one object, in which keys are looked up one by one

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }  // UTF-8

double to_double(const std::string& text) {
#if defined(__cpp_lib_to_chars)
    double number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    // Too large and too small look the same here; strtod tells them apart.
    if (error == std::errc{}) return number;
#endif
    return std::strtod(text.c_str(), nullptr);
}

class Parser {
public:
    Parser(std::string_view text, std::string_view name) : text_(text), name_(name) {}

    Result<Value> run() {
        Value value;
        skip_space();
        if (!failed_) read_value(value, 0);
        skip_space();
        if (!failed_ && at_ < text_.size()) fail(fmt::format("expected the end, got {}", here()));
        if (failed_) return error_;
        return value;
    }

private:
    bool fail(const std::string& message) { return fail(position(), message); }
    bool fail(Position where, const std::string& message) {
        if (!failed_) error_ = {fmt::format("{}:{}:{}", name_, where.line, where.column), message};
        failed_ = true;
        return false;
    }

    Position position() const { return {line_, column_}; }
    char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
    bool at_end() const { return at_ >= text_.size(); }
    char next() {
        const char c = text_[at_++];
        if (c == '\n') {
            ++line_;
            column_ = 1;
        } else if (starts_character(c)) {
            ++column_;
        }
        return c;
    }

    // What stands here, for an error.
    std::string here() const {
        if (at_end()) return "the end of the text";
        std::size_t end = at_ + 1;
        if (static_cast<unsigned char>(text_[at_]) < 32) {
            return fmt::format("character {:#04x}", static_cast<unsigned char>(text_[at_]));
        }
        const auto is_word = [&](char c) { return is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'z'); };
        while (end < text_.size() && end - at_ < 20 && is_word(text_[at_]) && is_word(text_[end])) ++end;
        while (end < text_.size() && !starts_character(text_[end])) ++end;
        return fmt::format("{}", text_.substr(at_, end - at_));
    }

    void skip_space() {
        while (!at_end() && !failed_) {
            const char c = peek();
            if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
                next();
            } else if (c == '/' && peek(1) == '/') {
                while (!at_end() && peek() != '\n') next();
            } else if (c == '/' && peek(1) == '*') {
                skip_block_comment();
            } else {
                return;
            }
        }
    }

    void skip_block_comment() {
        const Position start = position();
        next(), next();
        while (!at_end() && !(peek() == '*' && peek(1) == '/')) next();
        if (at_end()) {
            fail(start, "this comment has no end");
            return;
        }
        next(), next();
    }

    bool read_value(Value& value, int depth) {
        value.position = position();
        const char c = peek();
        if (depth > deepest_nesting) return fail(fmt::format("nested deeper than {}", deepest_nesting));
        if (c == '{') return read_object(value, depth);
        if (c == '[') return read_list(value, depth);
        if (c == '"') {
            value.kind = Kind::string;
            return read_string(value.text);
        }
        if (c == '-' || is_digit(c)) return read_number(value);
        return read_word(value);
    }

    bool read_word(Value& value) {
        struct Word {
            std::string_view text;
            Kind kind;
            bool boolean;
        };
        for (const Word& word : {Word{"true", Kind::boolean, true},
                                 {"false", Kind::boolean, false},
                                 {"null", Kind::null, false}}) {
            if (here() != word.text) continue;
            for (std::size_t i = 0; i < word.text.size(); ++i) next();
            value.kind = word.kind;
            value.boolean = word.boolean;
            return true;
        }
        return fail(fmt::format("expected a value, got {}", here()));
    }

    bool read_number(Value& value) {
        const std::size_t start = at_;
        const auto digits = [&] {
            if (!is_digit(peek())) return fail(fmt::format("expected a digit, got {}", here()));
            while (is_digit(peek())) next();
            return true;
        };
        if (peek() == '-') next();
        if (peek() == '0' && is_digit(peek(1))) return fail("a number must not start with 0");
        if (!digits()) return false;
        if (peek() == '.') {
            next();
            if (!digits()) return false;
        }
        if (peek() == 'e' || peek() == 'E') {
            next();
            if (peek() == '+' || peek() == '-') next();
            if (!digits()) return false;
        }
        value.kind = Kind::number;
        value.number = to_double(std::string(text_.substr(start, at_ - start)));
        if (std::isfinite(value.number)) return true;
        return fail(value.position, "this number is too large: must be within ±1.8e308");
    }

    bool read_string(std::string& out) {
        const Position start = position();
        next();
        while (!at_end() && peek() != '"') {
            if (static_cast<unsigned char>(peek()) < 32) break;
            const char c = next();
            if (c != '\\') {
                out += c;
            } else if (!read_escape(out)) {
                return false;
            }
        }
        if (peek() != '"') return fail(start, "this string has no end on its line");
        next();
        return true;
    }

    bool read_escape(std::string& out) {
        constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
        if (const auto which = letters.find(peek()); !at_end() && which != std::string_view::npos) {
            next();
            out += meanings[which];
            return true;
        }
        std::uint32_t code = 0;
        if (!read_code(code)) return false;
        if (code >= 0xd800 && code < 0xdc00 && peek() == '\\') {  // the first half of a pair
            next();
            std::uint32_t low = 0;
            if (!read_code(low)) return false;
            code =
                low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : 0xd800;
        }
        if (code >= 0xd800 && code < 0xe000) return fail("half a pair of surrogates");
        append_utf8(out, code);
        return true;
    }

    bool read_code(std::uint32_t& code) {
        if (peek() != 'u') return fail(fmt::format("there is no escape \\{}", here()));
        next();
        for (int i = 0; i < 4; ++i) {
            const char c = peek();
            const bool letter = (c | 32) >= 'a' && (c | 32) <= 'f';
            if (!is_digit(c) && !letter) return fail(fmt::format("expected a hex digit, got {}", here()));
            code = code * 16 + static_cast<std::uint32_t>(letter ? (c | 32) - 'a' + 10 : c - '0');
            next();
        }
        return true;
    }

    static void append_utf8(std::string& out, std::uint32_t code) {
        const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
        if (code < 0x80) return put(code);
        if (code < 0x800) {
            put(0xc0 | code >> 6);
        } else {
            if (code < 0x10000) {
                put(0xe0 | code >> 12);
            } else {
                put(0xf0 | code >> 18);
                put(0x80 | (code >> 12 & 0x3f));
            }
            put(0x80 | (code >> 6 & 0x3f));
        }
        put(0x80 | (code & 0x3f));
    }

    // After an item: true if another follows, and `done` if the closing bracket was here.
    bool another(char closing, bool& done) {
        skip_space();
        if (failed_) return false;
        done = peek() == closing;
        if (!done && peek() != ',') return fail(fmt::format("expected , or {}, got {}", closing, here()));
        next();
        skip_space();
        if (!done && peek() == closing) return fail(fmt::format("a comma too many before {}", closing));
        return !done && !failed_;
    }

    bool read_list(Value& value, int depth) {
        value.kind = Kind::list;
        next();
        skip_space();
        if (peek() == ']') return next(), true;
        bool done = false;
        do {
            if (!read_value(value.items.emplace_back(), depth + 1)) return false;
        } while (another(']', done));
        return done;
    }

    bool read_object(Value& value, int depth) {
        value.kind = Kind::object;
        next();
        skip_space();
        if (peek() == '}') return next(), true;
        bool done = false;
        do {
            if (!read_member(value, depth)) return false;
        } while (another('}', done));
        return done;
    }

    bool read_member(Value& owner, int depth) {
        Member member{{}, position(), {}};
        if (peek() != '"') return fail(fmt::format("expected a key in quotes, got {}", here()));
        if (!read_string(member.key)) return false;
        if (owner.find(member.key)) {
            return fail(member.position, fmt::format("{} is here twice", quoted(member.key)));
        }
        if (owner.members.size() == most_members) {
            return fail(member.position, fmt::format("more than {} keys in one object", most_members));
        }
        skip_space();
        if (peek() != ':')
            return fail(fmt::format("expected : after {}, got {}", quoted(member.key), here()));
        next();
        skip_space();
        if (failed_ || !read_value(member.value, depth + 1)) return false;
        owner.members.push_back(std::move(member));
        return true;
    }

    std::string_view text_, name_;
    std::size_t at_ = 0;
    int line_ = 1, column_ = 1;
    bool failed_ = false;
    Error error_;
};

}  // namespace

Result<Value> parse(std::string_view text, std::string_view name) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // a byte order mark
    return Parser(text, name).run();
}

const Value* Value::find(std::string_view key) const {
    for (const Member& member : members) {
        if (member.key == key) return &member.value;
    }
    return nullptr;
}

Value* Value::find(std::string_view key) {
    return const_cast<Value*>(static_cast<const Value&>(*this).find(key));
}

Value& Value::add(std::string key, Value value) {
    kind = Kind::object;
    members.push_back({std::move(key), {}, std::move(value)});
    return members.back().value;
}

Position locate(const Value& root, std::string_view path) {
    Position found = root.position;
    const Value* value = &root;
    while (value && path.starts_with('/')) {
        path.remove_prefix(1);
        const std::string_view step = path.substr(0, path.find('/'));
        path.remove_prefix(step.size());
        const Value* inner = nullptr;
        for (const Member& member : value->members) {
            if (member.key != step) continue;
            inner = &member.value;
            found = inner->position.line > 0 ? member.position : Position{};
        }
        std::size_t index = 0;
        const auto [rest, error] = std::from_chars(step.data(), step.data() + step.size(), index);
        if (error == std::errc{} && rest == step.data() + step.size() && index < value->items.size()) {
            inner = &value->items[index];
            found = inner->position;
        }
        value = inner;
    }
    return found;
}

}  // namespace pliant::json
