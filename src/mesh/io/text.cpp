#include "mesh/io/text.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/format.h"
#include "mesh/io/numbers.h"

namespace pliant::mesh {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

const char* line_end(const char* at, const char* end) {
    const void* found = at < end ? std::memchr(at, '\n', static_cast<std::size_t>(end - at)) : nullptr;
    return found != nullptr ? static_cast<const char*>(found) : end;
}

}  // namespace

std::string quoted(std::string_view text) {
    constexpr std::size_t longest = 40;
    std::string out = "\"";
    for (const char c : text.substr(0, longest)) out += c >= 0x20 && c < 0x7f ? c : '?';
    if (text.size() > longest) out += "…";
    return out + '"';
}

bool TextCursor::at_continuation(const char* backslash) const {
    const char* after = backslash + 1;
    if (after < end_ && *after == '\r') ++after;
    return after < end_ && *after == '\n';
}

bool TextCursor::at_word_end(const char* at) const {
    return at == end_ || is_blank(*at) || *at == '\n' || (*at == '#' && style_.comments) ||
           (*at == '\\' && style_.continued_lines && at_continuation(at));
}

void TextCursor::skip_blanks() {
    for (;;) {
        while (at_ < end_ && is_blank(*at_)) ++at_;
        if (at_ == end_) return;
        if (*at_ == '\n' && style_.free_form) {
            ++at_;
            ++line_;
        } else if (*at_ == '#' && style_.comments) {
            at_ = line_end(at_, end_);
        } else if (*at_ == '\\' && style_.continued_lines && at_continuation(at_)) {
            at_ = line_end(at_, end_) + 1;
            ++line_;
        } else {
            return;
        }
    }
}

std::string_view TextCursor::peek() const {
    const char* at = at_;
    while (!at_word_end(at)) ++at;
    return {at_, static_cast<std::size_t>(at - at_)};
}

std::string_view TextCursor::word() {
    skip_blanks();
    const std::string_view found = peek();
    at_ += found.size();
    return found;
}

bool TextCursor::number(float& value) {
    skip_blanks();
    const char* after = parse_float(at_, end_, value);
    if (after == nullptr || !at_word_end(after)) return expected("a number");
    if (!std::isfinite(value)) return expected("a finite number");
    at_ = after;
    return true;
}

bool TextCursor::integer(std::int64_t& value) {
    skip_blanks();
    const char* after = parse_integer(at_, end_, value);
    if (after == nullptr || !at_word_end(after)) return expected("a whole number");
    at_ = after;
    return true;
}

bool TextCursor::count(std::uint64_t& value) {
    std::int64_t number = 0;
    if (!integer(number)) return false;
    if (number < 0) return fail(fmt::format("a count must be ≥ 0, got {}", number));
    value = static_cast<std::uint64_t>(number);
    return true;
}

bool TextCursor::integer_part(std::int64_t& value) {
    const char* after = parse_integer(at_, end_, value);
    if (after == nullptr) return false;
    at_ = after;
    return true;
}

bool TextCursor::next_line() {
    for (;;) {
        const char* newline = line_end(at_, end_);
        if (newline == end_) {
            at_ = end_;
            return false;
        }
        const char* last = newline;
        while (last > at_ && last[-1] == '\r') --last;
        const bool continued =
            style_.continued_lines && last > at_ && last[-1] == '\\' && std::find(at_, last, '#') == last;
        at_ = newline + 1;
        ++line_;
        if (!continued) return at_ < end_;
    }
}

bool TextCursor::to_word() {
    while (!has_word()) {
        if (at_ == end_ || !next_line()) return false;
    }
    return true;
}

bool TextCursor::fail_at(std::size_t line, std::string message) {
    if (error_.message.empty()) error_ = {fmt::format("{}:{}", name_, line), std::move(message)};
    return false;
}

bool TextCursor::expected(std::string_view what) {
    if (at_ == end_) return fail(fmt::format("expected {}, got the end of the file", what));
    if (*at_ == '\n') return fail(fmt::format("expected {}, got the end of the line", what));
    return fail(fmt::format("expected {}, got {}", what, quoted(peek())));
}

}  // namespace pliant::mesh
