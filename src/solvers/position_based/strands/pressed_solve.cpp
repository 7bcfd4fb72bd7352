#include "solvers/position_based/strands/pressed_solve.h"

#include <algorithm>

#include "base/scalar.h"

namespace pliant::solvers::position_based {
namespace {

constexpr int most_solves = 10, friction_steps = 4;
constexpr double creep_share = 0.01;   // of the slip without friction, left where friction holds
constexpr double rigid = 1e3;          // over the heaviest mass
constexpr double close_enough = 1e-7;  // of a length: no more steps
constexpr double good_enough = 1e-3;   // of a length: better than nothing

Vec3d unit(const Vec3d& v, const Vec3d& otherwise) {
    const double square = dot(v, v);
    return square > 1e-30 ? v * (1 / sqrt(square)) : otherwise;
}
// along·n·nᵀ + across·(1 − n·nᵀ)
Block spring(const Vec3d& n, double along, double across) {
    const Vec3d s = n * (along - across);
    return {s.x * n.x + across, s.x * n.y, s.x * n.z, s.y * n.x,         s.y * n.y + across,
            s.y * n.z,          s.z * n.x, s.z * n.y, s.z * n.z + across};
}
Block scaled(const Block& block, double by) {
    Block result = block;
    for (double& value : result) value *= by;
    return result;
}

class PressedSolve {
public:
    explicit PressedSolve(PressSystem& of) : of_(of) {}

    bool run() {
        begin();
        if (of_.right.empty()) return true;
        settle();
        if (!has_friction()) return is_done(good_enough);
        for (int step = 0; step < friction_steps; ++step) {
            for (PressRow& row : of_.rows) slow_down(row, step == 0);
            take_step();
        }
        for (PressRow& row : of_.rows) hold(row);
        settle();
        return is_done(good_enough);
    }

private:
    void take_step() {
        int solves = 0;
        do {
            solve();
        } while (find_tensions() && ++solves < most_solves);
        move();
    }
    void settle() {
        for (int steps = 0; steps < most_solves; ++steps) {
            take_step();
            if (is_done(close_enough)) break;
        }
    }

    void begin() {
        for (const PressPoint& point : of_.points) {
            if (point.row != no_link) heaviest_ = max(heaviest_, point.mass);
        }
        stiffest_ = rigid * heaviest_;
        for (PressLink& link : of_.links) {
            link.stiffness = 1 / max(link.compliance, 1 / max(stiffest_, 1e-300));
            link.tension = max(link.kept, 0.0);
            longest_ += link.rest;
        }
        measure();
        for (PressRow& row : of_.rows) find_activity(row);
        for (PressLink& link : of_.links) {
            link.across = link.direction;
            link.side = link.tension / max(link.length, 0.01 * link.rest + 1e-12);
        }
        number_rows();
    }

    void number_rows() {
        of_.couples.clear();
        for (const PressLink& link : of_.links) couple(link.a, link.b);
        for (const PressJoint& joint : of_.joints) {
            couple(joint.a, joint.b);
            couple(joint.b, joint.c);
            couple(joint.a, joint.c);
        }
        for (const PressRow& row : of_.rows) {
            for (std::uint32_t i = 0; i < row.count; ++i) {
                for (std::uint32_t k = 0; k < i; ++k) couple(row.points[i], row.points[k]);
            }
        }
        std::uint32_t rows = 0;
        for (const PressPoint& point : of_.points) rows += point.row != no_link;
        std::sort(of_.couples.begin(), of_.couples.end());
        of_.couples.erase(std::unique(of_.couples.begin(), of_.couples.end()), of_.couples.end());
        if (of_.right.size() == rows && of_.couples == of_.known) return;
        of_.right.resize(rows);
        of_.known = of_.couples;
        of_.factor.analyze(rows, of_.couples);
    }
    void couple(std::uint32_t a, std::uint32_t b) {
        const std::uint32_t p = of_.points[a].row, q = of_.points[b].row;
        if (p != q && p != no_link && q != no_link) of_.couples.push_back(std::minmax(p, q));
    }

    void measure() {
        for (PressLink& link : of_.links) {
            const Vec3d e = of_.points[link.b].x - of_.points[link.a].x;
            link.length = sqrt(dot(e, e));
            link.direction = unit(e, link.direction);
            link.pull = link.stiffness * (link.length - link.rest - link.compliance * link.kept);
        }
    }

    void add(std::uint32_t a, std::uint32_t b, const Block& block) {
        const std::uint32_t p = of_.points[a].row, q = of_.points[b].row;
        if (p != no_link && q != no_link) of_.factor.add(p, q, block);
    }
    void push(std::uint32_t point, const Vec3d& force) {
        const std::uint32_t row = of_.points[point].row;
        if (row != no_link) of_.right[row] = of_.right[row] + force;
    }

    void add_link(const PressLink& link) {
        const Vec3d apart = of_.points[link.b].moved - of_.points[link.a].moved;
        const Vec3d across = apart - link.across * dot(link.across, apart);
        const Vec3d force = link.direction * link.pull + across * link.side;
        push(link.a, force);
        push(link.b, -force);
        const double side = link.tension / max(link.length, 0.01 * link.rest + 1e-12);
        const Block block = spring(link.direction, link.stiffness, side);
        add(link.a, link.a, block);
        add(link.b, link.b, block);
        add(link.a, link.b, scaled(block, -1));
    }

    void add_joint(const PressJoint& joint) {
        const std::uint32_t points[3] = {joint.a, joint.b, joint.c};
        constexpr double weights[3] = {1, -2, 1};
        Vec3d bend{};
        for (std::size_t i = 0; i < 3; ++i) bend = bend + of_.points[points[i]].moved * weights[i];
        for (std::size_t i = 0; i < 3; ++i) {
            push(points[i], bend * (-joint.stiffness * weights[i]));
            for (std::size_t k = 0; k <= i; ++k)
                add(points[i], points[k], spring({}, 0, joint.stiffness * weights[i] * weights[k]));
        }
    }

    static Vec3d sum_of(const PressRow& row, const std::vector<PressPoint>& points) {
        Vec3d sum{};
        for (std::uint32_t i = 0; i < row.count; ++i) sum = sum + points[row.points[i]].x * row.weights[i];
        return sum;
    }

    // What pulls twice one after the other lets go: sooner, and rows would come and go by turns.
    void find_activity(PressRow& row) const {
        const bool is_low = row.level - dot(row.normal, sum_of(row, of_.points)) > 0;
        row.pulls = is_low ? 0 : row.pulls + 1;
        row.is_active = is_low || (row.is_active && row.pulls < 2);
    }

    double slip_now(const PressRow& row) const { return length(slip_of(row, sum_of(row, of_.points))); }
    bool has_friction() const {
        return std::any_of(of_.rows.begin(), of_.rows.end(),
                           [](const PressRow& row) { return row.friction > 0 && row.force > 0; });
    }

    // After steps without friction: a spring that pulls with μ·f at the slip so far.
    void slow_down(PressRow& row, bool is_first) const {
        const double slipped = slip_now(row), limit = row.friction * row.force;
        if (is_first) row.free_slip = slipped;
        row.slipped = slipped;
        row.side = slipped * stiffest_ > limit ? limit / slipped : stiffest_;
    }

    // Such steps go to S′ = S₀/(1 + b/S), S₀: without friction. Where b ≥ S₀ that ends at 0: it holds. Else
    // at S₀ − b.
    void hold(PressRow& row) const {
        if (!(row.side > 0)) return;
        const double b = row.slipped * (row.free_slip / max(slip_now(row), 1e-300) - 1);
        const double left = max(row.free_slip - b, creep_share * row.free_slip);
        const double limit = row.friction * row.force;
        row.side = left * stiffest_ > limit ? limit / left : stiffest_;
    }

    static Vec3d slip_of(const PressRow& row, const Vec3d& sum) {
        const Vec3d way = sum - row.reference;
        return way - row.normal * dot(row.normal, way);
    }

    void add_row(const PressRow& row) {
        const Vec3d sum = sum_of(row, of_.points);
        const double depth = row.level - dot(row.normal, sum);
        if (!row.is_active) return;
        const double force = stiffest_ * depth;
        const Vec3d slip = slip_of(row, sum);
        const Vec3d total = row.normal * force - slip * row.side;
        const Block block = spring(row.normal, stiffest_, row.side);
        for (std::uint32_t i = 0; i < row.count; ++i) {
            push(row.points[i], total * row.weights[i]);
            for (std::uint32_t k = 0; k <= i; ++k) {
                // Two of its particles may be one point.
                const double twice = k < i && row.points[i] == row.points[k] ? 2 : 1;
                add(row.points[i], row.points[k], scaled(block, twice * row.weights[i] * row.weights[k]));
            }
        }
    }
    static double length(const Vec3d& v) { return sqrt(dot(v, v)); }

    void solve() {
        of_.factor.clear();
        for (const PressPoint& point : of_.points) {
            if (point.row == no_link) continue;
            Block& block = of_.factor.diagonal(point.row);
            block[0] = block[4] = block[8] = point.mass;
            of_.right[point.row] = point.moved * -point.mass;
        }
        for (const PressLink& link : of_.links) add_link(link);
        for (const PressJoint& joint : of_.joints) add_joint(joint);
        for (const PressRow& row : of_.rows) add_row(row);
        of_.factor.solve(of_.right);
    }

    Vec3d step(std::uint32_t point) const {
        const std::uint32_t row = of_.points[point].row;
        return row == no_link ? Vec3d{} : of_.right[row];
    }

    // True if some tension is much more than was foreseen: the step goes sideways too far then.
    bool find_tensions() {
        bool is_more = false;
        for (PressLink& link : of_.links) {
            const double growth = dot(link.direction, step(link.b) - step(link.a));
            const double now = link.kept + link.pull + link.stiffness * growth;
            double lightest = heaviest_;
            for (const std::uint32_t p : {link.a, link.b}) {
                if (of_.points[p].row != no_link) lightest = min(lightest, of_.points[p].mass);
            }
            is_more = is_more || now > 2 * link.tension + 0.25 * lightest * link.rest;
            link.found = now;
            link.tension = max(now, link.tension);  // more than there is does no harm
        }
        for (PressRow& row : of_.rows) {
            double depth = row.level;
            for (std::uint32_t i = 0; i < row.count; ++i)
                depth -= row.weights[i] * dot(row.normal, of_.points[row.points[i]].x + step(row.points[i]));
            row.force = max(stiffest_ * depth, 0.0);
        }
        return is_more;
    }

    // A step beyond all that is there, or NaN, is an accident.
    void move() {
        for (PressPoint& point : of_.points) {
            if (point.row == no_link) continue;
            const Vec3d dx = of_.right[point.row];
            if (!(dot(dx, dx) < longest_ * longest_)) continue;
            point.x = point.x + dx;
            point.moved = point.moved + dx;
        }
        measure();
        for (PressRow& row : of_.rows) find_activity(row);
    }

    // Whether segments have their lengths, and contacts are kept.
    bool is_done(double tolerance) const {
        for (const PressLink& link : of_.links) {
            if (!(abs(link.pull + link.kept - link.found) <= tolerance * link.rest * link.stiffness))
                return false;
        }
        for (const PressRow& row : of_.rows) {
            const double depth = row.level - dot(row.normal, sum_of(row, of_.points));
            if (!(depth <= tolerance * longest_)) return false;
        }
        return true;
    }

    PressSystem& of_;
    double heaviest_ = 0, stiffest_ = 0, longest_ = 0;
};

}  // namespace

void PressSystem::reserve(std::size_t nodes) {
    const std::size_t all = 3 * nodes;
    points.reserve(all), members.reserve(all), right.reserve(all);
    links.reserve(nodes), joints.reserve(nodes);
    rows.reserve(8 * nodes);
    couples.reserve(64 * nodes), known.reserve(64 * nodes);
    factor.reserve(all);
}

bool solve_pressed(PressSystem& system) { return PressedSolve(system).run(); }

}  // namespace pliant::solvers::position_based
