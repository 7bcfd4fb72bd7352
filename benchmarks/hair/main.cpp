// 5,000 strands of 20 points that swing from their roots: nanoseconds per segment and substep, on one thread
// and on two, beside a plain loop that does the same strand by strand, one number at a time. All in one run,
// in turns, the least of several: other programs on the machine disturb each alike. Processor time tells how
// long one thread takes on a busy machine; that two are faster needs two idle cores.
#include <pliant/pliant.h>
#include <pliant/shapes.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

using namespace pliant;

namespace {

constexpr int strands = 5000, points = 20, substeps = 10;
constexpr float length_of_strand = 0.3f, bending = 2e-7f;

Simulation make(int threads) {
    Hair hair;
    hair.points = points;
    hair.material.bending = bending;
    std::vector<std::uint32_t> roots;
    const auto made = *make_strands_on_sphere(0.1f, length_of_strand, strands, points - 1, 0.4f);
    for (const auto& strand : made) {
        const auto root = static_cast<std::uint32_t>(hair.positions.size());
        roots.insert(roots.end(), {root, root + 1});
        hair.positions.insert(hair.positions.end(), strand.begin(), strand.end());
    }
    Description scene;
    scene.bodies.resize(1);
    scene.bodies[0].shape = std::move(hair);
    scene.bodies[0].pinned = std::move(roots);
    scene.settings.substeps = substeps;
    Execution execution;
    execution.threads = threads;
    auto simulation = Simulation::create(scene, execution);
    if (!simulation) {
        std::fprintf(stderr, "%s\n", simulation.error().text().c_str());
        std::exit(1);
    }
    return std::move(*simulation);
}

// The same arithmetic as hair_kernels.h, for one strand after the other.
class PlainLoop {
public:
    explicit PlainLoop(const View& view) : x_(view.positions.begin(), view.positions.end()), v_(x_.size()) {
        const float segment = length_of_strand / (points - 1), mass = 1e-4f * segment;
        h_ = 1.0f / 60 / substeps;
        rest_ = segment;
        stiffness_ = h_ * h_ * bending / (segment * segment * segment);
        for (std::size_t i = 0; i < points; ++i) w_[i] = i < 2 ? 0 : 1 / (i + 1 == points ? mass / 2 : mass);
    }
    void frame() {
        for (int s = 0; s < substeps; ++s) {
            for (std::size_t first = 0; first < x_.size(); first += points) step(&x_[first], &v_[first]);
        }
    }
    double height() const { return x_.back().y; }

private:
    void step(Vec3* x, Vec3* v) {
        Vec3 before[points];
        for (std::size_t i = 2; i < points; ++i) {
            before[i] = x[i];
            v[i].y -= 9.81f * h_;
            x[i] = x[i] + v[i] * h_;
        }
        bend(x);
        stretch(x);
        for (std::size_t i = 2; i < points; ++i) v[i] = (x[i] - before[i]) * (1 / h_);
    }
    void bend(Vec3* x) {
        Vec3 y[points] = {};
        float d[points] = {}, l1[points] = {}, l2[points] = {};
        for (std::size_t i = 1; i + 1 < points; ++i) {
            const Vec3 pull = (x[i] * 2.0f - x[i - 1] - x[i + 1]) * stiffness_;
            y[i - 1] = y[i - 1] + pull;
            y[i] = y[i] - pull * 2.0f;
            y[i + 1] = y[i + 1] + pull;
        }
        const auto k = [&](std::size_t i) { return i >= 1 && i + 1 < points ? stiffness_ : 0.0f; };
        for (std::size_t i = 2; i < points; ++i) {
            d[i] = 1 / w_[i] + k(i - 1) + 4 * k(i) + k(i + 1) - l1[i - 1] * l1[i - 1] * d[i - 1] -
                   l2[i - 2] * l2[i - 2] * d[i - 2];
            l1[i] = (-2 * (k(i) + k(i + 1)) - l1[i - 1] * l2[i - 1] * d[i - 1]) / d[i];
            l2[i] = k(i + 1) / d[i];
            y[i] = y[i] - y[i - 1] * l1[i - 1] - y[i - 2] * l2[i - 2];
            if (i == 2) y[i - 1] = y[i - 2] = {};
        }
        Vec3 next{}, after{};
        for (std::size_t i = points; i-- > 2;) {
            const Vec3 dx = y[i] * (1 / d[i]) - next * l1[i] - after * l2[i];
            x[i] = x[i] + dx;
            after = next;
            next = dx;
        }
    }
    void stretch(Vec3* x) {
        Vec3 n[points];
        float value[points] = {}, off[points + 1] = {}, inverse[points] = {};
        for (std::size_t i = 1; i + 1 < points; ++i) {
            const Vec3 e = x[i + 1] - x[i];
            const float size = std::sqrt(dot(e, e));
            n[i] = e * (1 / size);
            off[i] = i > 1 ? w_[i] * dot(n[i - 1], n[i]) : 0;
            inverse[i] = 1 / (w_[i] + w_[i + 1] - off[i] * off[i] * inverse[i - 1]);
            value[i] = ((rest_ - size) + off[i] * value[i - 1]) * inverse[i];
        }
        float lambda = 0;
        Vec3 push{};
        for (std::size_t i = points; i-- > 2;) {
            lambda = value[i - 1] + off[i] * inverse[i - 1] * lambda;
            const Vec3 own = n[i - 1] * lambda;
            x[i] = x[i] + (own - push) * w_[i];
            push = own;
        }
    }

    std::vector<Vec3> x_, v_;
    float w_[points] = {}, h_ = 0, rest_ = 0, stiffness_ = 0;
};

constexpr double segments = double(strands) * (points - 1) * substeps;

template <class F>
double nanoseconds(F&& frame) {
    const auto begin = std::chrono::steady_clock::now();
    frame();
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
    return taken.count() / segments;
}
template <class F>
double processor_nanoseconds(F&& frame) {
    const std::clock_t begin = std::clock();
    frame();
    return double(std::clock() - begin) * (1e9 / CLOCKS_PER_SEC) / segments;
}

}  // namespace

int main() {
    Simulation one = make(1), two = make(2);
    PlainLoop plain(one.view());
    double least[2] = {1e9, 1e9}, processor[2] = {1e9, 1e9};
    for (int i = 0; i < 120; ++i) {
        least[0] = std::min(least[0], nanoseconds([&] {
                                processor[0] =
                                    std::min(processor[0], processor_nanoseconds([&] { one.step(); }));
                            }));
        least[1] = std::min(least[1], nanoseconds([&] { two.step(); }));
        processor[1] = std::min(processor[1], processor_nanoseconds([&] { plain.frame(); }));
    }
    std::printf("%d strands of %d points, %s, ns per segment and substep\n", strands, points,
                std::string(one.target()).c_str());
    std::printf("processor time: 1 thread %.2f, plain loop %.2f (%.2f times as long)\n", processor[0],
                processor[1], processor[1] / processor[0]);
    std::printf("by the clock: 1 thread %.2f, 2 threads %.2f (%.2f times as fast)\n", least[0], least[1],
                least[0] / least[1]);
    std::printf("height of the last tip: %.5f m, plain loop %.5f m\n", double(one.view().positions.back().y),
                plain.height());
}
