#include "base/suggest.h"

#include <algorithm>

#include "base/format.h"

namespace pliant {
namespace {

// Damerau's distance, in which neighbours that changed places count once (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
    const std::size_t width = b.size() + 1;
    std::vector<std::size_t> table((a.size() + 1) * width);
    const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& { return table[i * width + j]; };
    for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = i;
    for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = at(i - 1, j - 1) + (a[i - 1] != b[j - 1]);
            at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, changed});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
            }
        }
    }
    return at(a.size(), b.size());
}

}  // namespace

std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known) {
    constexpr std::size_t longest = 64;
    std::string_view best;
    std::size_t fewest = std::min<std::size_t>(name.size(), longest) / 3 + 2;
    if (name.empty() || name.size() > longest) return best;
    for (const std::string_view candidate : known) {
        // "body" is far from "bodies" letter by letter; a common start brings them nearer.
        const bool same_start = name.size() >= 3 && candidate.starts_with(name.substr(0, 3));
        const bool beginning = same_start && candidate.starts_with(name);
        const std::size_t distance = beginning ? 1 : edit_distance(name, candidate) - same_start;
        if (distance < fewest && distance < std::max(name.size(), candidate.size())) {
            fewest = distance;
            best = candidate;
        }
    }
    return best;
}

std::string suggestion(std::string_view name, std::span<const std::string_view> known) {
    if (const std::string_view near = nearest_name(name, known); !near.empty()) {
        return fmt::format("did you mean \"{}\"?", near);
    }
    std::string list;
    for (const std::string_view candidate : known) {
        list += (list.empty() ? "" : ", ") + std::string(candidate);
    }
    return known.empty() ? "there are none" : "there are " + list;
}

}  // namespace pliant
