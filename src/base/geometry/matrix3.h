// Three by three numbers, by columns. Generic as vectors are: float, double, SIMD lanes.
#pragma once

#include <pliant/vector.h>

namespace pliant {

template <class T>
struct Matrix3 {
    Vector3<T> x, y, z;  // columns

    [[gnu::always_inline]] friend inline Matrix3 operator+(const Matrix3& a, const Matrix3& b) {
        return {a.x + b.x, a.y + b.y, a.z + b.z};
    }
    [[gnu::always_inline]] friend inline Matrix3 operator-(const Matrix3& a, const Matrix3& b) {
        return {a.x - b.x, a.y - b.y, a.z - b.z};
    }
    [[gnu::always_inline]] friend inline Matrix3 operator*(const Matrix3& a, const T& s) {
        return {a.x * s, a.y * s, a.z * s};
    }
    [[gnu::always_inline]] friend inline Vector3<T> operator*(const Matrix3& a, const Vector3<T>& v) {
        return a.x * v.x + a.y * v.y + a.z * v.z;
    }
    [[gnu::always_inline]] friend inline Matrix3 operator*(const Matrix3& a, const Matrix3& b) {
        return {a * b.x, a * b.y, a * b.z};
    }
};

// A:B, the sum of the products of all entries.
template <class T>
[[gnu::always_inline]] inline T contract(const Matrix3<T>& a, const Matrix3<T>& b) {
    return dot(a.x, b.x) + dot(a.y, b.y) + dot(a.z, b.z);
}

// det(A)·A⁻ᵀ, also where A has no inverse.
template <class T>
[[gnu::always_inline]] inline Matrix3<T> cofactor(const Matrix3<T>& a) {
    return {cross(a.y, a.z), cross(a.z, a.x), cross(a.x, a.y)};
}

// AᵀA.
template <class T>
[[gnu::always_inline]] inline Matrix3<T> gram(const Matrix3<T>& a) {
    const T xy = dot(a.x, a.y), xz = dot(a.x, a.z), yz = dot(a.y, a.z);
    return {{dot(a.x, a.x), xy, xz}, {xy, dot(a.y, a.y), yz}, {xz, yz, dot(a.z, a.z)}};
}

template <class T>
[[gnu::always_inline]] inline Matrix3<T> diagonal(const T& s) {
    const T zero(0.0f);
    return {{s, zero, zero}, {zero, s, zero}, {zero, zero, s}};
}

}  // namespace pliant
