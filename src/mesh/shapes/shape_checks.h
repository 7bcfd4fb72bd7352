// What shapes ask of their numbers. The first that does not fit makes the error.
#pragma once

#include <pliant/error.h>
#include <pliant/vector.h>

#include <array>
#include <optional>
#include <string>

namespace pliant::mesh {

// Some gigabytes; also keeps all numbers of points within 32 bits.
inline constexpr double most_shape_elements = 5e7;

class ShapeChecks {
public:
    ShapeChecks& size(const std::string& name, float value);  // above 0, at most 1e30
    ShapeChecks& size(const std::string& name, const Vec3& value);
    ShapeChecks& coordinate(const std::string& name, float value);
    ShapeChecks& coordinates(const std::string& name, const Vec3& value);
    ShapeChecks& within(const std::string& name, float value, float low, float high);
    ShapeChecks& below(const std::string& name, float value, const char* other_name, float other);
    ShapeChecks& count(const std::string& name, int value, int least = 1);
    ShapeChecks& count(const std::string& name, const std::array<int, 3>& value);
    // The product of the factors. Counts must have been checked before.
    template <class... Factors>
    ShapeChecks& elements(Factors... factors) {
        return limit((static_cast<double>(factors) * ... * 1.0));
    }

    bool failed() const { return error_.has_value(); }
    Error error() const { return *error_; }

private:
    ShapeChecks& limit(double elements);
    ShapeChecks& require(bool good, const std::string& name, const std::string& demand, double value);

    std::optional<Error> error_;
};

// Makes the shape, unless the checks failed.
template <class Shape, class Make>
Result<Shape> make_checked(const ShapeChecks& checks, Make&& make) {
    if (checks.failed()) return checks.error();
    return Shape(make());
}

}  // namespace pliant::mesh
