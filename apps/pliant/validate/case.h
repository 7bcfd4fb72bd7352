// What a case of pliant validate is: a scene with a closed form, and the rows of the table that ask for it.
#pragma once

#include <pliant/description.h>
#include <pliant/error.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pliant::app::validation {

// What the body is made of: cubes of six tetrahedra, or what a tetrahedralizer makes of its surface.
enum class Cells { cubes, lattice, delaunay };

// What the rows of a case vary, and how far from the closed form they may be.
struct Setup {
    Energy energy = Energy::arap;
    int across = 4;              // elements across the body
    float young_modulus = 1e5f;  // Pa
    float poisson_ratio = 0.3f;
    int substeps = 10;
    Cells cells = Cells::cubes;
    double allowed = 0;  // in the error's measure
};

struct Point {
    double x = 0, y = 0;
};

struct Measurement {
    double expected = 0, measured = 0;
    std::uint64_t inverted = 0;            // tetrahedra at the end: a body that has burst
    std::vector<Point> theory{}, curve{};  // the same quantity along the body or over time, for a figure
};

struct Axis {
    std::string_view name{}, unit{};
};

enum class ErrorMeasure {
    relative,  // |measured/expected − 1|
    absolute,  // |measured − expected|
    excess,    // measured/expected − 1, and 0 below the expected value
};

struct Case {
    std::string_view name, quantity, unit, formula;
    std::string_view about;  // scene and measurement, in a sentence or two
    ErrorMeasure error = ErrorMeasure::relative;
    Axis across{}, up{};  // of its figure
    int length = 1;       // of the body, over its width
    std::vector<Setup> rows{};
    // Stops early, with a value that means nothing, when the execution is interrupted.
    Result<Measurement> (*measure)(const Setup&, const Execution&) = nullptr;
};

// All of them, in the order of the table.
std::vector<Case> cases();

std::string_view name_of(Energy energy);
std::string_view name_of(Cells cells);
std::string modulus_text(float pascals);  // "3e5"

// At most 10,000 tetrahedra and 10 substeps: a second or two.
bool is_quick(const Case& of, const Setup& setup);

struct Row {
    const Case* of = nullptr;
    Setup setup{};
    Measurement result{};
    double error = 0;

    bool passes() const { return error <= setup.allowed && result.inverted == 0; }
    std::string id() const;  // names the row: "spin arap 8 across E 1e5 ν 0.3 10 substeps"
};

double error_of(ErrorMeasure measure, const Measurement& result);

Case hanging_bar();
Case cantilever();
Case stretch();
Case poisson_effect();
Case torsion();
Case vibration();
Case block_on_floor();
Case free_fall();
Case bounce();
Case spin();
Case momentum();

}  // namespace pliant::app::validation
