#include "mesh/shapes/shape_checks.h"

#include "base/format.h"

namespace pliant::mesh {
namespace {

// Far enough from the largest float that nothing overflows.
constexpr float largest_size = 1e30f;

}  // namespace

ShapeChecks& ShapeChecks::require(bool good, const std::string& name, const std::string& demand,
                                  double value) {
    if (!good && !error_) error_ = Error{name, fmt::format("must be {}, got {:g}", demand, value)};
    return *this;
}

ShapeChecks& ShapeChecks::size(const std::string& name, float value) {
    return require(value > 0 && value <= largest_size, name,
                   fmt::format("above 0 and at most {:g}", largest_size), value);
}

ShapeChecks& ShapeChecks::size(const std::string& name, const Vec3& value) {
    return size(name + "/0", value.x).size(name + "/1", value.y).size(name + "/2", value.z);
}

ShapeChecks& ShapeChecks::coordinate(const std::string& name, float value) {
    return within(name, value, -largest_size, largest_size);
}

ShapeChecks& ShapeChecks::coordinates(const std::string& name, const Vec3& value) {
    return coordinate(name + "/0", value.x).coordinate(name + "/1", value.y).coordinate(name + "/2", value.z);
}

ShapeChecks& ShapeChecks::within(const std::string& name, float value, float low, float high) {
    return require(low <= value && value <= high, name, fmt::format("within {:g} … {:g}", low, high), value);
}

ShapeChecks& ShapeChecks::below(const std::string& name, float value, const char* other_name, float other) {
    return require(value < other, name, fmt::format("below the {}, {:g}", other_name, other), value);
}

ShapeChecks& ShapeChecks::count(const std::string& name, int value, int least) {
    return require(value >= least, name, fmt::format("≥ {}", least), value);
}

ShapeChecks& ShapeChecks::count(const std::string& name, const std::array<int, 3>& value) {
    return count(name + "/0", value[0]).count(name + "/1", value[1]).count(name + "/2", value[2]);
}

ShapeChecks& ShapeChecks::limit(double elements) {
    if (elements > most_shape_elements && !error_) {
        error_ = Error{"", fmt::format("too large: the mesh would have {:.0f} elements, at most {:.0f} are "
                                       "allowed",
                                       elements, most_shape_elements)};
    }
    return *this;
}

}  // namespace pliant::mesh
