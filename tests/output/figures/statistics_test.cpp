#include <pliant/output/statistics.h>

#include "support/files.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <locale>

using namespace pliant;
using output::StatisticsRow;

namespace {

StatisticsRow example() {
    Diagnostics d;
    d.kinetic_energy = 0.1;
    d.potential_energy = 1e-20;
    d.total_energy = 1.0 / 3;
    d.momentum = {1, -2, 3e10};
    d.angular_momentum = {-0.0, 5, 6};
    d.volume = 0.5;
    d.rest_volume = 2;
    d.worst_constraint_error = 0.25;
    d.mean_constraint_error = 0.125;
    d.inverted_tetrahedra = 7;
    d.repaired_particles = 123456789012345;
    d.rescues = 8;
    return output::statistics_row(3, 0.05, d, 1.5);
}

}  // namespace

TEST_CASE("statistics as CSV name their units and follow RFC 4180") {
    CHECK(output::to_csv({example()}) ==
          "frame,time_s,kinetic_energy_J,potential_energy_J,total_energy_J,momentum_x_kg_m_per_s,"
          "momentum_y_kg_m_per_s,momentum_z_kg_m_per_s,angular_momentum_x_kg_m2_per_s,"
          "angular_momentum_y_kg_m2_per_s,angular_momentum_z_kg_m2_per_s,volume_m3,volume_ratio,"
          "worst_constraint_error,mean_constraint_error,inverted_tetrahedra,repaired_particles,rescues,step_"
          "ms\r\n"
          "3,0.05,0.1,1e-20,0.3333333333333333,1,-2,30000000000,-0,5,6,0.5,0.25,0.25,0.125,7,"
          "123456789012345,8,1.5\r\n");
}

TEST_CASE("statistics come back from a file bit by bit, in any locale") {
    struct Comma : std::numpunct<char> {
        char do_decimal_point() const override { return ','; }
    };
    const test::Directory directory("statistics");
    const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
    StatisticsRow cloth = example();
    cloth.frame = 4;
    cloth.volume_ratio = std::numeric_limits<double>::quiet_NaN();
    cloth.total_energy = std::numeric_limits<double>::infinity();
    REQUIRE(output::write_statistics(directory.path / "a.csv", {example(), cloth}));
    const auto rows = output::read_statistics(directory.path / "a.csv");
    std::locale::global(before);
    REQUIRE(rows);
    REQUIRE(rows->size() == 2);
    CHECK(output::to_csv(*rows) == output::to_csv({example(), cloth}));
    CHECK((*rows)[0].total_energy == 1.0 / 3);
    CHECK(std::isnan((*rows)[1].volume_ratio));
    CHECK(std::isinf((*rows)[1].total_energy));
}

TEST_CASE("statistics without a volume have an empty field for its ratio") {
    const StatisticsRow row = output::statistics_row(0, 0, Diagnostics{}, 0);
    CHECK(std::isnan(row.volume_ratio));
    CHECK(output::to_csv({row}).find(",0,,0,") != std::string::npos);
}

TEST_CASE("statistics from elsewhere may have other columns, quotes and line ends") {
    const auto rows = output::parse_statistics(
        "\xEF\xBB\xBFnote,time_s,\"step_ms\"\n\"a, \"\"b\"\"\nc\",1,2\n\nd,3,\n", "x.csv");
    REQUIRE(rows);
    REQUIRE(rows->size() == 2);
    CHECK((*rows)[0].time == 1);
    CHECK((*rows)[0].step_time == 2);
    CHECK((*rows)[1].time == 3);
    CHECK(std::isnan((*rows)[1].step_time));
    CHECK(std::isnan((*rows)[1].kinetic_energy));
}

TEST_CASE("what is no statistics is an error with its line") {
    const auto message = [](std::string_view csv) {
        return output::parse_statistics(csv, "x.csv").error().text();
    };
    CHECK(message("") == "x.csv:1: is no statistics: there is no column \"time_s\"");
    CHECK(message("time_s,time_s\n") == "x.csv:1: column \"time_s\" is there twice");
    CHECK(message("frame,time_s\r\n0,0\r\n1,one\r\n") == "x.csv:3: time_s must be a number, got \"one\"");
    CHECK(message("time_s\n1,2\n") == "x.csv:2: has 2 fields, the header has 1");
    CHECK(message("time_s\n\"1\n") == "x.csv:2: a quote is not closed");
    const test::Directory directory("statistics");
    CHECK(output::read_statistics(directory.path / "none.csv").error().message ==
          "cannot be read: No such file or directory");
    CHECK(!output::read_statistics(directory.path));
}
