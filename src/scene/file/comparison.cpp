// Which runs a picture shows side by side.
#include <pliant/scene.h>

#include "base/format.h"
#include "base/json.h"

namespace pliant {
namespace {

constexpr std::size_t most_lists = 2, most_runs = 16;

struct Choice {
    std::string change, label;
};

// At commas that stand in no list, object or text.
std::vector<std::string> split(std::string_view text) {
    std::vector<std::string> parts(1);
    int depth = 0;
    bool quoted = false;
    for (const char c : text) {
        if (c == '"') quoted = !quoted;
        if (!quoted && (c == '[' || c == '{')) ++depth;
        if (!quoted && (c == ']' || c == '}')) --depth;
        if (c == ',' && depth == 0 && !quoted) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

// Whether all values are objects that have this member.
bool is_common(const json::Member& member, const std::vector<std::string>& values) {
    for (const std::string& value : values) {
        const auto parsed = json::parse(value, "");
        const json::Value* other = parsed ? parsed->find(member.key) : nullptr;
        if (!other || json::print_compact(*other) != json::print_compact(member.value)) return false;
    }
    return values.size() > 1;
}

// "iterations 5"; of an object, the members that tell it from the others: "substeps 10, iterations 4".
std::string label_of(const std::string& name, const std::string& value,
                     const std::vector<std::string>& values) {
    const auto parsed = json::parse(value, "");
    if (!parsed || parsed->kind != json::Kind::object) return name + " " + value;
    std::string label;
    for (const json::Member& member : parsed->members) {
        if (is_common(member, values)) continue;
        const bool is_text = member.value.kind == json::Kind::string;
        label += fmt::format("{}{} {}", label.empty() ? "" : ", ", member.key,
                             is_text ? member.value.text : json::print_compact(member.value));
    }
    return label;
}

Result<std::vector<Choice>> choices(const std::string& list, std::size_t index) {
    const std::size_t equals = list.find('=');
    const std::string path = list.substr(0, equals);
    std::vector<Choice> result;
    if (equals != std::string::npos && !path.empty()) {
        const std::string name = path.substr(path.rfind('/') + 1);
        std::vector<std::string> values = split(std::string_view(list).substr(equals + 1));
        std::erase(values, "");
        for (const std::string& value : values)
            result.push_back({path + "=" + value, label_of(name, value, values)});
    }
    if (!result.empty()) return result;
    return Error{
        fmt::format("/compare/{}", index),
        fmt::format("must be a path and values, such as solver/iterations=1,5,20, got \"{}\"", list)};
}

}  // namespace

Result<Comparison> compare(std::span<const std::string> lists) {
    if (lists.size() > most_lists) {
        return Error{"/compare", fmt::format("must have at most {} lists, got {}", most_lists, lists.size())};
    }
    Comparison result;
    result.runs.emplace_back();
    for (std::size_t i = 0; i < lists.size(); ++i) {
        const auto all = choices(lists[i], i);
        if (!all) return all.error();
        if (const std::size_t count = result.runs.size() * all->size(); count > most_runs) {
            return Error{"/compare", fmt::format("must give at most {} runs, got {}", most_runs, count)};
        }
        std::vector<Comparison::Run> runs;
        for (const Comparison::Run& run : result.runs) {
            for (const Choice& choice : *all) {
                Comparison::Run& next = runs.emplace_back(run);
                next.changes.push_back(choice.change);
                next.label += (next.label.empty() ? "" : ", ") + choice.label;
            }
        }
        result.rows = result.columns * result.rows;
        result.columns = static_cast<int>(all->size());
        result.runs = std::move(runs);
    }
    return result;
}

}  // namespace pliant
