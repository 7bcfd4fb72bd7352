// pliant_bench_delaunay: seconds for the Delaunay tetrahedra of random points, by Pliant and by CGAL.
#include <CGAL/Delaunay_triangulation_3.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <pliant/tetrahedralize.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <random>

#include "base/format.h"

namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Cgal = CGAL::Delaunay_triangulation_3<Kernel>;

struct Options {
    std::vector<std::size_t> points{100'000, 1'000'000};
    int runs = 5;
    bool json = false;
};

struct Fastest {
    double seconds = std::numeric_limits<double>::infinity();
    std::size_t tetrahedra = 0;

    // What `work` makes is counted and destroyed off the clock.
    template <class Work, class Count>
    void time(const Work& work, const Count& count) {
        const auto begin = std::chrono::steady_clock::now();
        const auto made = work();
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
        seconds = std::min(seconds, taken.count());
        tetrahedra = count(made);
    }
};

std::vector<pliant::Vec3d> uniform_points(std::size_t count) {
    std::mt19937_64 random(1);
    const auto share = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
    std::vector<pliant::Vec3d> points(count);
    for (pliant::Vec3d& p : points) p = {share(), share(), share()};
    return points;
}

struct Row {
    std::size_t points;
    Fastest ours{}, cgal{};
    double ratio() const { return ours.seconds / cgal.seconds; }
};

Row compare(std::size_t count, int runs) {
    const std::vector<pliant::Vec3d> points = uniform_points(count);
    std::vector<Kernel::Point_3> cgal_points;
    for (const pliant::Vec3d& p : points) cgal_points.emplace_back(p.x, p.y, p.z);

    Row row{count};
    for (int run = 0; run < runs; ++run) {
        row.ours.time([&] { return *pliant::delaunay(points); },
                      [](const auto& made) { return made.size(); });
        row.cgal.time([&] { return Cgal(cgal_points.begin(), cgal_points.end()); },
                      [](const auto& made) { return std::size_t{made.number_of_finite_cells()}; });
    }
    return row;
}

void print_table(const std::vector<Row>& rows) {
    fmt::print("{:>10} {:>11} {:>10} {:>10} {:>6}\n", "points", "tetrahedra", "Pliant s", "CGAL s", "ratio");
    for (const Row& row : rows) {
        fmt::print("{:>10} {:>11} {:>10.4f} {:>10.4f} {:>6.3f}\n", row.points, row.ours.tetrahedra,
                   row.ours.seconds, row.cgal.seconds, row.ratio());
    }
}

void print_json(const std::vector<Row>& rows) {
    auto list = nlohmann::ordered_json::array();
    for (const Row& row : rows) {
        list.push_back({{"points", row.points},
                        {"tetrahedra", row.ours.tetrahedra},
                        {"pliant_s", row.ours.seconds},
                        {"cgal_s", row.cgal.seconds},
                        {"ratio", row.ratio()}});
    }
    fmt::print("{}\n", list.dump(2));
}

}  // namespace

int main(int argument_count, char** arguments) {
    Options options;
    CLI::App app{
        "Delaunay tetrahedra of uniform random points in a cube, by Pliant and by CGAL, on one thread."};
    app.add_option("--points", options.points, "numbers of points")
        ->delimiter(',')
        ->check(CLI::Range(5, 10'000'000))
        ->capture_default_str();
    app.add_option("--runs", options.runs, "rounds, of which the fastest counts")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    app.add_flag("--json", options.json, "print a JSON array instead of a table");
    CLI11_PARSE(app, argument_count, arguments);

    std::vector<Row> rows;
    for (const std::size_t count : options.points) {
        rows.push_back(compare(count, options.runs));
        if (rows.back().ours.tetrahedra == rows.back().cgal.tetrahedra) continue;
        fmt::print(stderr, "pliant_bench_delaunay: CGAL finds {} tetrahedra of {} points, Pliant {}\n",
                   rows.back().cgal.tetrahedra, count, rows.back().ours.tetrahedra);
        return 1;
    }
    options.json ? print_json(rows) : print_table(rows);
}
