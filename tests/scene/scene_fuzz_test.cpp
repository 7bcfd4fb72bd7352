// Scene files broken at random: each gives an Error with a place, or a run.
#include <doctest/doctest.h>
#include <pliant/scene.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/json.h"
#include "scenes/scenes.h"
#include "support/full_scene.h"
#include "support/random_source.h"
#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

void collect(json::Value& value, std::vector<json::Value*>& all) {
    all.push_back(&value);
    for (json::Value& item : value.items) collect(item, all);
    for (json::Member& member : value.members) collect(member.value, all);
}

json::Value any_value(RandomSource& random, const json::Value& other) {
    switch (random.below(6)) {
        case 0:
            return {};
        case 1:
            return json::make_bool(random.chance(0.5));
        case 2:
            return json::make_string(random.chance(0.5) ? "jelly" : "");
        case 3:
            return json::make_list();
        case 4:
            return json::make_object();
        default:
            return other;
    }
}

double any_number(RandomSource& random) {
    constexpr double numbers[] = {-1,     0,   1,     3,      0.5, -0.5,        1e308,
                                  -1e308, 1e9, 1e-30, 1e-308, 1e5, 4294967296.0};
    return numbers[random.below(std::size(numbers))];
}

// One change somewhere.
void mutate(json::Value& root, RandomSource& random) {
    std::vector<json::Value*> all;
    collect(root, all);
    json::Value& target = *all[random.below(all.size())];
    json::Value& other = *all[random.below(all.size())];
    if (target.kind == json::Kind::number && random.chance(0.7)) {
        target = json::make_number(any_number(random));
    } else if (target.kind == json::Kind::object && !target.members.empty()) {
        json::Member& member = target.members[random.below(target.members.size())];
        switch (random.below(3)) {
            case 0:
                target.members.erase(target.members.begin() + (&member - target.members.data()));
                break;
            case 1:
                member.key += random.chance(0.5) ? "s" : "_";
                break;
            default:
                member.value = any_value(random, json::Value(other));
        }
    } else if (target.kind == json::Kind::list && !target.items.empty()) {
        const std::size_t i = random.below(target.items.size());
        if (random.chance(0.4))
            target.items.erase(target.items.begin() + static_cast<std::ptrdiff_t>(i));
        else if (random.chance(0.5))
            target.items.push_back(json::Value(target.items[i]));
        else
            target.items[i] = any_value(random, json::Value(other));
    } else {
        json::Value replacement = any_value(random, json::Value(other));
        target = std::move(replacement);
    }
}

// One change of the text itself.
std::string damage(std::string text, RandomSource& random) {
    const std::size_t at = random.below(text.size());
    switch (random.below(6)) {
        case 0:
            return text.substr(0, at);
        case 1:
            return text.insert(at, std::string(10000, '['));
        case 2:
            return text.insert(at, "NaN");
        case 3:
            text[at] = static_cast<char>(random.below(256));
            return text;
        case 4:
            return text.erase(at, 1 + random.below(20));
        default:
            return text.insert(at, text.substr(random.below(text.size()), 30));
    }
}

// Smaller shapes are made and stepped in no time, and break as well.
void shrink(json::Value& value) {
    for (json::Member& member : value.members) {
        if (member.key == "resolution") member.value = json::make_number(4LL);
        if (member.key == "cells") {
            for (json::Value& cells : member.value.items)
                cells = json::make_number(std::min(cells.number, 2.0));
        }
        shrink(member.value);
    }
    for (json::Value& item : value.items) shrink(item);
}

// Whether a step takes a blink: a mutation may ask for a hundred thousand substeps.
bool is_quick(const Player& player) {
    const Settings& settings = player.simulation().settings();
    return double(settings.substeps) * settings.iterations * double(player.view().positions.size()) < 1e5;
}

struct Tally {
    int errors = 0, runs = 0;
};

void try_scene(const std::string& text, const std::filesystem::path& directory, Tally& tally) {
    auto scene = parse_scene(text, {"fuzz.json", directory, {}});
    if (!scene) {
        const bool placed = scene.error().path.rfind("fuzz.json:", 0) == 0 && !scene.error().message.empty();
        if (!placed) MESSAGE(text);
        CHECK_MESSAGE(placed, scene.error().text());
        ++tally.errors;
        return;
    }
    auto player = Player::create(std::move(*scene), on_threads(1));
    if (!player) {  // what only shows when it is put together
        CHECK_MESSAGE(!player.error().path.empty(), player.error().text());
        ++tally.errors;
        return;
    }
    ++tally.runs;
    for (int i = 0; i < 2 && is_quick(*player); ++i) {
        if (const Status status = player->step(); !status) CHECK(!status.error().text().empty());
    }
    CHECK_MESSAGE(all_finite(player->view()), text);
}

void fuzz(const std::string& original, const std::filesystem::path& directory, int mutations,
          std::uint64_t seed, Tally& tally) {
    auto parsed = json::parse(original, "original");
    REQUIRE(parsed);
    shrink(*parsed);
    const std::string plain = json::print(*parsed);
    RandomSource random(seed);
    for (int i = 0; i < mutations; ++i) {
        if (random.chance(0.25)) {
            try_scene(damage(plain, random), directory, tally);
            continue;
        }
        json::Value mutated = *parsed;
        for (std::size_t changes = 1 + random.below(3); changes > 0; --changes) mutate(mutated, random);
        try_scene(json::print(mutated), directory, tally);
    }
}

void fuzz_all(int mutations) {
    Tally tally;
    std::uint64_t seed = 1;
    for (const std::string& name : scenes::names()) {
        CAPTURE(name);
        std::ifstream file(*scenes::find(name));
        const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
        fuzz(text, scenes::directory(), mutations, seed++, tally);
    }
    fuzz(std::string(full_scene), PLIANT_SOURCE_DIR, mutations, seed, tally);
    CHECK(tally.errors > tally.runs / 10);
    CHECK(tally.runs > tally.errors / 100);
}

}  // namespace

TEST_CASE("broken scene files give an error with a place, or run") { fuzz_all(20); }

TEST_CASE("longer run: a hundred broken versions of every scene file" * doctest::skip()) { fuzz_all(100); }

TEST_CASE("run by name: two thousand broken versions of every scene file" * doctest::skip()) {
    fuzz_all(2000);
}
