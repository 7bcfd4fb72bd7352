#include "base/json.h"

#include <doctest/doctest.h>

#include <string>

using namespace pliant;

namespace {

json::Value parsed(std::string_view text) {
    auto value = json::parse(text, "f.json");
    if (!value) FAIL(value.error().text());
    return *value;
}

std::string error_of(std::string_view text) {
    const auto value = json::parse(text, "f.json");
    return value ? "" : value.error().text();
}

std::string compact(std::string_view text) { return json::print_compact(parsed(text)); }

}  // namespace

TEST_CASE("JSON values of every kind are read") {
    const json::Value value =
        parsed(R"({"a": [1, -2.5, 1e3, 0.5E-1], "b": {"c": true, "d": false, "e": null}})");
    REQUIRE(value.find("a"));
    const auto& items = value.find("a")->items;
    REQUIRE(items.size() == 4);
    CHECK(items[0].number == 1);
    CHECK(items[1].number == -2.5);
    CHECK(items[2].number == 1000);
    CHECK(items[3].number == 0.05);
    CHECK(value.find("b")->find("c")->boolean);
    CHECK(!value.find("b")->find("d")->boolean);
    CHECK(value.find("b")->find("e")->kind == json::Kind::null);
    CHECK(value.find("z") == nullptr);
    CHECK(parsed("  7 ").number == 7);
    CHECK(parsed("[]").items.empty());
    CHECK(parsed("{}").members.empty());
    CHECK(parsed("\xef\xbb\xbf[1]").items.size() == 1);
}

TEST_CASE("comments may stand wherever space may") {
    CHECK(compact("// first\n{ /* a */ \"a\" /**/ : // b\n 1 /* c\n d */, \"e\": [/*x*/]} // last") ==
          R"({"a": 1, "e": []})");
    CHECK(error_of("{} /* never ends") == "f.json:1:4: this comment has no end");
    CHECK(error_of("{} / 2") == "f.json:1:4: expected the end, got /");
}

TEST_CASE("strings keep their characters") {
    CHECK(parsed(R"("a\"\\\/\b\f\n\r\t")").text == "a\"\\/\b\f\n\r\t");
    CHECK(parsed(R"("\u0041\u00e9\u20ac\ud83d\ude00é€")").text == "Aé€😀é€");
    CHECK(error_of(R"("\x")") == "f.json:1:3: there is no escape \\x");
    CHECK(error_of(R"("\ud83d")") == "f.json:1:8: half a pair of surrogates");
    CHECK(error_of(R"("\u12g4")") == "f.json:1:6: expected a hex digit, got g4");
    CHECK(error_of("\"ab\ncd\"") == "f.json:1:1: this string has no end on its line");
    CHECK(error_of("\"ab") == "f.json:1:1: this string has no end on its line");
}

TEST_CASE("what is no JSON is told with line and column") {
    CHECK(error_of("") == "f.json:1:1: expected a value, got the end of the text");
    CHECK(error_of("{\n  \"a\": 1,\n}") == "f.json:3:1: a comma too many before }");
    CHECK(error_of("[1, 2,]") == "f.json:1:7: a comma too many before ]");
    CHECK(error_of("[1 2]") == "f.json:1:4: expected , or ], got 2");
    CHECK(error_of("{a: 1}") == "f.json:1:2: expected a key in quotes, got a");
    CHECK(error_of("{\"a\" 1}") == "f.json:1:6: expected : after \"a\", got 1");
    CHECK(error_of("{\"é\": 1, \"é\": 2}") == "f.json:1:10: \"é\" is here twice");
    CHECK(error_of("[NaN]") == "f.json:1:2: expected a value, got NaN");
    CHECK(error_of("[-Infinity]") == "f.json:1:3: expected a digit, got Infinity");
    CHECK(error_of("[01]") == "f.json:1:2: a number must not start with 0");
    CHECK(error_of("[1.]") == "f.json:1:4: expected a digit, got ]");
    CHECK(error_of("[1e]") == "f.json:1:4: expected a digit, got ]");
    CHECK(error_of("[+1]") == "f.json:1:2: expected a value, got +");
    CHECK(error_of("[truer]") == "f.json:1:2: expected a value, got truer");
    CHECK(error_of("[1e999]") == "f.json:1:2: this number is too large: must be within ±1.8e308");
    CHECK(error_of("[1] 2") == "f.json:1:5: expected the end, got 2");
    CHECK(error_of(std::string("[\0]", 3)) == "f.json:1:2: expected a value, got character 0x00");
    CHECK(parsed("1e-999").number == 0);
}

TEST_CASE("nesting and keys have their limits") {
    CHECK(error_of(std::string(100000, '[')) == "f.json:1:66: nested deeper than 64");
    std::string deep;
    for (int i = 0; i < 10000; ++i) deep += "{\"a\":";
    CHECK(error_of(deep) == "f.json:1:326: nested deeper than 64");
    std::string wide = "{";
    for (int i = 0; i < 2000; ++i) wide += "\"k" + std::to_string(i) + "\": 1, ";
    CHECK(error_of(wide).find("more than 1000 keys in one object") != std::string::npos);
}

TEST_CASE("a path finds where something begins, or what is around it") {
    const json::Value root = parsed("{\n  \"a\": [1,\n    {\"b\": 2}],\n  \"c\": 3\n}");
    const auto at = [&](std::string_view path) {
        const json::Position p = json::locate(root, path);
        return std::to_string(p.line) + ":" + std::to_string(p.column);
    };
    CHECK(at("") == "1:1");
    CHECK(at("/a") == "2:3");
    CHECK(at("/a/0") == "2:9");
    CHECK(at("/a/1") == "3:5");
    CHECK(at("/a/1/b") == "3:6");
    CHECK(at("/a/1/b/deeper") == "3:6");
    CHECK(at("/a/7") == "2:3");
    CHECK(at("/nothing") == "1:1");
    CHECK(at("/c") == "4:3");
}

TEST_CASE("printed values read back the same, floats in the fewest digits") {
    json::Value value = json::make_object();
    value.add("float", json::make_number(0.1f));
    value.add("double", json::make_number(0.1 + 0.2));
    value.add("whole", json::make_number(-12345678901LL));
    value.add("text", json::make_string("a \"b\" \\ \n é"));
    value.add("list", json::make_list()).items.push_back(json::make_bool(true));
    CHECK(json::print_compact(value) ==
          R"({"float": 0.1, "double": 0.30000000000000004, "whole": -12345678901, )"
          R"("text": "a \"b\" \\ \u000a é", "list": [true]})");
    const json::Value again = parsed(json::print(value));
    CHECK(static_cast<float>(again.find("float")->number) == 0.1f);
    CHECK(again.find("double")->number == 0.1 + 0.2);
    CHECK(again.find("text")->text == "a \"b\" \\ \n é");
    CHECK(json::print_compact(again) == json::print_compact(value));
}
