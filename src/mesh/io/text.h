// Walks over a text: words and numbers, and in which line they stand.
#pragma once

#include <pliant/error.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace pliant::mesh {

struct TextStyle {
    bool comments = false;         // from # to the end of the line
    bool continued_lines = false;  // a \ at the end of a line joins the next one to it
    bool free_form = false;        // the end of a line is a blank like any other
};

// The first thing that fails is kept: what returns false has said why in error().
class TextCursor {
public:
    TextCursor(std::string_view content, std::string_view name, TextStyle style = {}, std::size_t line = 1)
        : at_(content.data()), end_(at_ + content.size()), style_(style), line_(line), name_(name) {}

    std::size_t line() const { return line_; }
    std::size_t remaining() const { return static_cast<std::size_t>(end_ - at_); }
    std::string_view rest() const { return {at_, remaining()}; }

    // Blanks are skipped; is there another word on this line (in free form: in the text)?
    bool has_word() {
        skip_blanks();
        return at_ < end_ && *at_ != '\n';
    }
    std::string_view word();            // empty if there is none
    bool number(float& value);          // must be finite
    bool integer(std::int64_t& value);  // ends at a blank
    bool integers(std::int64_t& value, auto&... others) { return integer(value) && (integer(others) && ...); }
    bool count(std::uint64_t& value);  // an integer ≥ 0
    // A part of a word, such as the 7 and 8 of 7/8.
    bool integer_part(std::int64_t& value);
    bool take(char c) {
        if (at_ == end_ || *at_ != c) return false;
        ++at_;
        return true;
    }

    bool word_ended() const { return at_word_end(at_); }

    bool next_line();  // false at the end of the text
    bool to_word();    // over empty lines; false at the end of the text

    bool fail(std::string message) { return fail_at(line_, std::move(message)); }
    bool fail_at(std::size_t line, std::string message);
    // "expected {what}, got {the next word}"
    bool expected(std::string_view what);
    const Error& error() const { return error_; }

private:
    void skip_blanks();
    bool at_continuation(const char* backslash) const;
    bool at_word_end(const char* at) const;
    std::string_view peek() const;

    const char *at_, *end_;
    TextStyle style_;
    std::size_t line_;
    std::string_view name_;
    Error error_{};
};

// In quotes, shortened, with ? for what is not plain ASCII.
std::string quoted(std::string_view text);

}  // namespace pliant::mesh
