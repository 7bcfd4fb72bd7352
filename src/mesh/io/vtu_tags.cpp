#include <algorithm>

#include "mesh/io/vtu.h"

namespace pliant::mesh::vtu {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::size_t skip_blanks(std::string_view text, std::size_t at) {
    while (at < text.size() && is_blank(text[at])) ++at;
    return at;
}

}  // namespace

std::string_view Tag::attribute(std::string_view wanted) const {
    std::size_t at = 0;
    while (at < attributes.size()) {
        at = skip_blanks(attributes, at);
        const std::size_t equals = attributes.find('=', at);
        if (equals == std::string_view::npos) return {};
        std::string_view found = attributes.substr(at, equals - at);
        while (!found.empty() && is_blank(found.back())) found.remove_suffix(1);
        const std::size_t open = skip_blanks(attributes, equals + 1);
        if (open >= attributes.size()) return {};
        const std::size_t close = attributes.find(attributes[open], open + 1);
        if (close == std::string_view::npos) return {};
        if (found == wanted) return attributes.substr(open + 1, close - open - 1);
        at = close + 1;
    }
    return {};
}

void TagReader::move_to(std::size_t at) {
    at = std::min(at, content_.size());
    line_ += static_cast<std::size_t>(std::count(content_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                 content_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    at_ = at;
}

void TagReader::skip_past(std::string_view mark) {
    const std::size_t found = content_.find(mark, at_);
    move_to(found == std::string_view::npos ? content_.size() : found + mark.size());
}

std::string_view TagReader::text() const {
    const std::string_view left = rest();
    return left.substr(0, left.find('<'));
}

Tag TagReader::next() {
    for (;;) {
        move_to(at_ + text().size());
        if (rest().empty()) return {};
        if (rest().starts_with("<!--")) {
            skip_past("-->");
        } else if (rest().starts_with("<?")) {
            skip_past("?>");
        } else if (rest().starts_with("<!")) {
            skip_past(">");
        } else {
            break;
        }
    }
    // The closing > is the first outside quotes.
    std::size_t close = at_ + 1;
    char quote = 0;
    for (; close < content_.size() && (quote != 0 || content_[close] != '>'); ++close) {
        const char c = content_[close];
        if (quote == 0 && (c == '"' || c == '\'')) {
            quote = c;
        } else if (c == quote) {
            quote = 0;
        }
    }
    Tag tag;
    tag.line = line_;
    std::string_view inside = content_.substr(at_ + 1, close - at_ - 1);
    move_to(close + 1);
    tag.closed = inside.ends_with('/');
    if (tag.closed) inside.remove_suffix(1);
    const auto name_end = std::find_if(inside.begin(), inside.end(), is_blank);
    tag.name = inside.substr(0, static_cast<std::size_t>(name_end - inside.begin()));
    tag.attributes = inside.substr(tag.name.size());
    return tag;
}

}  // namespace pliant::mesh::vtu
