// Whole numbers of a fixed, large number of bits, and the predicates of tetrahedra with them: the truth
// that geometry in floating point is compared with.
#pragma once

#include <pliant/vector.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pliant::test {

// Two's complement, lowest word first; wraps around.
template <std::size_t Words>
class WideInteger {
public:
    WideInteger() = default;
    // number · 2^shift, which is whole.
    static WideInteger from(double number, int shift) {
        int exponent = 0;
        const double fraction = std::frexp(std::abs(number), &exponent);
        std::uint64_t bits = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
        int place = exponent - 53 + shift;
        for (; place < 0 && bits != 0; ++place) bits >>= 1;
        WideInteger result;
        for (int bit = 0; bit < 64; ++bit) {
            const int target = place + bit;
            if (bits >> bit & 1) result.words_[static_cast<std::size_t>(target / 32)] |= 1u << target % 32;
        }
        return number < 0 ? WideInteger{} - result : result;
    }

    friend WideInteger operator+(const WideInteger& a, const WideInteger& b) {
        WideInteger sum;
        std::uint64_t carry = 0;
        for (std::size_t i = 0; i < Words; ++i) {
            carry += std::uint64_t{a.words_[i]} + b.words_[i];
            sum.words_[i] = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
        return sum;
    }
    friend WideInteger operator-(const WideInteger& a, const WideInteger& b) {
        WideInteger difference;
        std::uint64_t borrow = 0;
        for (std::size_t i = 0; i < Words; ++i) {
            const std::uint64_t word = std::uint64_t{a.words_[i]} - b.words_[i] - borrow;
            difference.words_[i] = static_cast<std::uint32_t>(word);
            borrow = word >> 63;
        }
        return difference;
    }
    friend WideInteger operator*(const WideInteger& a, const WideInteger& b) {
        WideInteger product;
        for (std::size_t i = 0; i < Words; ++i) {
            if (a.words_[i] == 0) continue;
            std::uint64_t carry = 0;
            for (std::size_t j = 0; i + j < Words; ++j) {
                carry += std::uint64_t{a.words_[i]} * b.words_[j] + product.words_[i + j];
                product.words_[i + j] = static_cast<std::uint32_t>(carry);
                carry >>= 32;
            }
        }
        return product;
    }
    friend bool operator==(const WideInteger&, const WideInteger&) = default;

    int sign() const {
        if (words_.back() >> 31) return -1;
        return std::any_of(words_.begin(), words_.end(), [](std::uint32_t word) { return word != 0; });
    }

private:
    std::array<std::uint32_t, Words> words_{};
};

template <std::size_t Words>
using WidePoint = Vector3<WideInteger<Words>>;

// By how many bits all coordinates must be shifted to be whole.
inline int shift_to_whole(std::span<const Vec3d> points) {
    int shift = -2000;
    for (const Vec3d& p : points) {
        for (const double x : {p.x, p.y, p.z}) {
            if (x == 0) continue;
            int exponent = 0;
            auto bits = static_cast<std::uint64_t>(std::ldexp(std::frexp(std::abs(x), &exponent), 53));
            for (; bits % 2 == 0; bits /= 2) ++exponent;
            shift = std::max(shift, 53 - exponent);
        }
    }
    return shift;
}

template <std::size_t Words>
std::vector<WidePoint<Words>> whole_points(std::span<const Vec3d> points) {
    const int shift = shift_to_whole(points);
    const auto whole = [&](double x) {
        return x == 0 ? WideInteger<Words>{} : WideInteger<Words>::from(x, shift);
    };
    std::vector<WidePoint<Words>> result;
    for (const Vec3d& p : points) result.push_back({whole(p.x), whole(p.y), whole(p.z)});
    return result;
}

// Six times the volume of the tetrahedron (a, b, c, d).
template <std::size_t Words>
WideInteger<Words> exact_volume(const WidePoint<Words>& a, const WidePoint<Words>& b,
                                const WidePoint<Words>& c, const WidePoint<Words>& d) {
    return dot(cross(b - a, c - a), d - a);
}

// Positive if p is inside of the sphere through the corners of a positive tetrahedron: in the space of
// (x, |x|²) the lifted p lies below the hyperplane through the lifted corners.
template <std::size_t Words>
WideInteger<Words> exact_insphere(const WidePoint<Words>& pa, const WidePoint<Words>& pb,
                                  const WidePoint<Words>& pc, const WidePoint<Words>& pd,
                                  const WidePoint<Words>& p) {
    const auto b = pb - pa, c = pc - pa, d = pd - pa, x = p - pa;
    const auto slope = cross(c, d) * dot(b, b) + cross(d, b) * dot(c, c) + cross(b, c) * dot(d, d);
    return dot(slope, x) - dot(b, cross(c, d)) * dot(x, x);
}

}  // namespace pliant::test
