// JSON with // and /* */ comments, read strictly. Our own reader, because errors must name line and column
// of every value and nesting must have a limit; libraries at hand tell neither after reading.
#pragma once

#include <pliant/error.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pliant::json {

// Where something begins, counted from 1; columns count characters. 0: it was in no file.
struct Position {
    int line = 0, column = 0;
};

enum class Kind { null, boolean, number, string, list, object };

struct Member;

struct Value {
    Kind kind = Kind::null;
    bool boolean = false;
    double number = 0;
    std::string text{};           // of a string; of a number that was made, how to print it
    std::vector<Value> items{};   // of a list
    std::vector<Member> members;  // of an object, as they stand
    Position position{};

    const Value* find(std::string_view key) const;
    Value* find(std::string_view key);
    Value& add(std::string key, Value value);  // a member; returns it
};

struct Member {
    std::string key;
    Position position;  // of the key
    Value value;
};

Value make_object();
Value make_list();
Value make_bool(bool value);
Value make_string(std::string_view text);
Value make_number(double number);
Value make_number(float number);  // in the fewest digits that give the float back
Value make_number(long long number);

bool operator==(const Value& a, const Value& b);  // but for positions

// Errors have the place "name:line:column".
Result<Value> parse(std::string_view text, std::string_view name);

// What a value is, in a few words: 3, "abc", true, a list, an object.
std::string describe(const Value& value);

// Lists of plain values stand on one line, as does what is short; the rest is indented by two.
std::string print(const Value& value);
// All on one line.
std::string print_compact(const Value& value);
std::string quoted(std::string_view text);

// Where the thing at a path such as /bodies/0/name begins (a member at its key), or the nearest thing
// around it.
Position locate(const Value& root, std::string_view path);

}  // namespace pliant::json
