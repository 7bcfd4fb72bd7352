// Positions and rests to try a constraint kind on, whatever the kind.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "constraints/all.h"
#include "support/random_source.h"

namespace pliant::test {

using namespace constraints;

template <class Kind, class T = double>
struct Sample {
    std::array<Vector3<T>, Kind::arity> x{};
    typename Kind::template Rest<T> rest{};
    // Constants of 1: a material that keeps the rest as it is.
    typename Kind::template Material<T> material = make_material<Kind, T>([](std::size_t) { return T(1); });
    T size{};  // m: how far its particles are about apart

    auto evaluate() const { return Kind::template evaluate<T>(x.data(), rest, material); }
    // Calls f(field) for every number of its rest.
    template <class F>
    void for_each_rest(F&& f) {
        Kind::rest_fields(rest, [&](T& field, const FieldInfo&) { f(field); });
    }
};

inline double norm(const Vec3d& a) { return std::sqrt(dot(a, a)); }

// Near the corners of a simplex: 0, e₁, e₂, e₃, then −e₁ − e₂, … times size.
template <class Kind>
Sample<Kind> well_shaped(RandomSource& random, double size) {
    constexpr Vec3d corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, -1, 0}, {0, -1, -1}};
    Sample<Kind> sample;
    for (std::size_t k = 0; k < Kind::arity; ++k) sample.x[k] = (corners[k % 6] + random.point(0.15)) * size;
    sample.size = size;
    return sample;
}

// With all rests 0, C is what is measured: a length, a volume, an angle.
template <class Kind>
double measure_of(Sample<Kind> sample) {
    if constexpr (std::is_same_v<Kind, kinds::Isometric>) return 1;  // rad: its rests are coefficients
    sample.for_each_rest([](double& field) { field = 0; });
    return sample.evaluate().value;
}

// Gives the sample the rest of another, similar state, so that C ≠ 0.
template <class Kind>
void set_rest_from(Sample<Kind>& sample, const Sample<Kind>& rest) {
    const auto values = to_array<Kind>(Kind::rest_of(rest.x.data()));
    sample.rest = make_rest<Kind, double>([&](std::size_t i) { return double(values[i]); });
}

template <class Kind>
Sample<Kind> random_sample(RandomSource& random, double size) {
    Sample<Kind> sample;
    for (Vec3d& p : sample.x) p = random.point(size);
    sample.size = size;
    set_rest_from(sample, well_shaped<Kind>(random, size));
    return sample;
}

// Flat, straight, partly and wholly coincident, nearly coincident.
template <class Kind>
std::vector<Sample<Kind>> degenerate_samples(RandomSource& random, double size) {
    const Sample<Kind> base = random_sample<Kind>(random, size);
    std::vector<Sample<Kind>> samples(6, base);
    for (Vec3d& p : samples[0].x) p.z = 0;
    const Vec3d direction = random.point();
    for (std::size_t k = 0; k < Kind::arity; ++k) {
        samples[1].x[k] = direction * (size * static_cast<double>(k));
        samples[2].x[k] = base.x[0];
        samples[4].x[k] = base.x[k % 2];
    }
    samples[3].x[Kind::arity - 1] = samples[3].x[0];
    for (Vec3d& p : samples[5].x) p = base.x[0] + (p - base.x[0]) * 0.01;
    return samples;
}

// Seen in a mirror, with the rest of what it was.
template <class Kind>
Sample<Kind> inverted_sample(RandomSource& random, double size) {
    Sample<Kind> sample = well_shaped<Kind>(random, size);
    set_rest_from(sample, sample);
    for (Vec3d& p : sample.x) p.x = -p.x;
    return sample;
}

inline constexpr double sizes[] = {1, 1e-3, 1e3};  // m

// All of the above, at every size.
template <class Kind>
std::vector<Sample<Kind>> all_samples(RandomSource& random) {
    std::vector<Sample<Kind>> samples;
    for (const double size : sizes) {
        for (int i = 0; i < 100; ++i) samples.push_back(random_sample<Kind>(random, size));
        for (int i = 0; i < 20; ++i) samples.push_back(inverted_sample<Kind>(random, size));
        for (int i = 0; i < 10; ++i) {
            for (const auto& sample : degenerate_samples<Kind>(random, size)) samples.push_back(sample);
        }
    }
    return samples;
}

template <class To, class Kind, class From>
Sample<Kind, To> convert(Sample<Kind, From> sample) {
    Sample<Kind, To> result;
    for (std::size_t k = 0; k < Kind::arity; ++k) {
        const Vector3<From>& p = sample.x[k];
        result.x[k] = {static_cast<To>(p.x), static_cast<To>(p.y), static_cast<To>(p.z)};
    }
    std::vector<To> values;
    sample.for_each_rest([&](From& field) { values.push_back(static_cast<To>(field)); });
    result.rest = make_rest<Kind, To>([&](std::size_t i) { return values[i]; });
    result.size = static_cast<To>(sample.size);
    return result;
}
template <class Kind>
Sample<Kind, float> to_float(const Sample<Kind>& sample) {
    return convert<float>(sample);
}
template <class Kind>
Sample<Kind> to_double(const Sample<Kind, float>& sample) {
    return convert<double>(sample);
}

}  // namespace pliant::test
