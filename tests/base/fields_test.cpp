#include "base/field_checks.h"

#include <doctest/doctest.h>

#include <limits>

#include "scene/tables/every.h"

using namespace pliant;

namespace {

std::string message(double value, const Range& range) {
    const auto error = check_number("/place", value, range);
    if (!error) return "";
    CHECK(error->path == "/place");
    return error->message;
}

template <class T>
std::string text_of(const T& value) {
    const auto error = check_fields("", value);
    return error ? error->text() : "";
}

}  // namespace

TEST_CASE("numbers in range pass") {
    CHECK(message(0, ranges::not_negative) == "");
    CHECK(message(1e30, ranges::positive) == "");
    CHECK(message(5e-324, ranges::positive) == "");
    CHECK(message(0, ranges::share) == "");
    CHECK(message(1, ranges::share) == "");
    CHECK(message(-1e9, ranges::any) == "");
    CHECK(message(1, ranges::count) == "");
}

TEST_CASE("numbers out of range are told what would be right and what they are") {
    CHECK(message(-1, ranges::not_negative) == "must be ≥ 0, got -1");
    CHECK(message(0, ranges::positive) == "must be > 0, got 0");
    CHECK(message(-2.5, ranges::positive) == "must be > 0, got -2.5");
    CHECK(message(2e30, ranges::positive) == "must be at most 1e+30, got 2e+30");
    CHECK(message(1.5, ranges::share) == "must be at most 1, got 1.5");
    CHECK(message(0, ranges::count) == "must be ≥ 1, got 0");
    CHECK(message(200000, ranges::count) == "must be at most 100000, got 200000");
    CHECK(message(2e9, ranges::any) == "must be within -1e+09 … 1e+09, got 2e+09");
    CHECK(message(-2e9, ranges::any) == "must be within -1e+09 … 1e+09, got -2e+09");
}

TEST_CASE("a float is compared with bounds as floats are") {
    const Range range{1e-6, 0.1};
    CHECK(double(1e-6f) < 1e-6);
    CHECK(double(0.1f) > 0.1);
    CHECK_FALSE(check_number("", 1e-6f, range));
    CHECK_FALSE(check_number("", 0.1f, range));
    CHECK(check_number("", std::nextafter(1e-6f, 0.0f), range));
    CHECK(check_number("", std::nextafter(0.1f, 1.0f), range));
    CHECK(check_number("", std::nextafter(1e-6, 0.0), range));
    Settings settings;
    settings.time_step = 1e-6f;
    CHECK(text_of(settings) == "");
}

TEST_CASE("what is not finite is never in range") {
    using Limits = std::numeric_limits<double>;
    for (const Range& range : {ranges::any, ranges::positive, ranges::share}) {
        CHECK(message(Limits::quiet_NaN(), range) == "must be a finite number, got nan");
        CHECK(message(Limits::infinity(), range) == "must be a finite number, got inf");
        CHECK(message(-Limits::infinity(), range) == "must be a finite number, got -inf");
    }
}

TEST_CASE("ranges are described in words") {
    CHECK(describe(ranges::any) == "");
    CHECK(describe(ranges::positive) == "> 0");
    CHECK(describe(ranges::not_negative) == "≥ 0");
    CHECK(describe(ranges::share) == "in 0 … 1");
    CHECK(describe(Range{0, 1, true}) == "above 0 … 1");
}

TEST_CASE("a bad field is named with its place inside the struct") {
    Settings settings;
    CHECK(text_of(settings) == "");
    settings.gravity.y = std::numeric_limits<float>::infinity();
    CHECK(text_of(settings) == "/gravity/y: must be a finite number, got inf");
    settings = {};
    settings.substeps = 0;
    CHECK(text_of(settings) == "/substeps: must be ≥ 1, got 0");
    settings = {};
    settings.method = static_cast<Method>(7);
    CHECK(text_of(settings) == "/method: must be at most 1, got 7");
    SoftMaterial material;
    material.edges.compliance = -1;
    CHECK(text_of(material) == "/edges/compliance: must be ≥ 0, got -1");
    Box box;
    box.rotation.w = std::numeric_limits<float>::quiet_NaN();
    CHECK(text_of(box) == "/rotation/w: must be a finite number, got nan");
}

TEST_CASE("every field of every table has a name, a unit, a range and a sentence") {
    for_each_table([]<class Owner>() {
        CAPTURE(std::string(FieldTable<Owner>::name));
        CHECK(std::string(FieldTable<Owner>::summary).back() == '.');
        const Owner value{};
        visit_fields(value, [](const auto& field, const auto&) {
            CAPTURE(std::string(field.name));
            CHECK(!std::string(field.name).empty());
            if constexpr (!IsOneOf<decltype(field)>) {
                CHECK(field.unit != nullptr);
                CHECK(field.range.low < field.range.high);
                CHECK(std::string(field.summary).back() == '.');
            }
        });
    });
}

TEST_CASE("the defaults of every table are in range") {
    for_each_table([]<class Owner>() {
        CAPTURE(std::string(FieldTable<Owner>::name));
        CHECK(text_of(Owner{}) == "");
    });
}
