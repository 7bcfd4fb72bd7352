// Three numbers in space. Generic, because the same formulas run on float, double and SIMD lanes.
#pragma once

namespace pliant {

template <class T>
struct Vector3 {
    T x{}, y{}, z{};

    [[gnu::always_inline]] friend inline Vector3 operator+(const Vector3& a, const Vector3& b) {
        return {a.x + b.x, a.y + b.y, a.z + b.z};
    }
    [[gnu::always_inline]] friend inline Vector3 operator-(const Vector3& a, const Vector3& b) {
        return {a.x - b.x, a.y - b.y, a.z - b.z};
    }
    [[gnu::always_inline]] friend inline Vector3 operator-(const Vector3& a) { return {-a.x, -a.y, -a.z}; }
    [[gnu::always_inline]] friend inline Vector3 operator*(const Vector3& a, const T& s) {
        return {a.x * s, a.y * s, a.z * s};
    }
    friend bool operator==(const Vector3&, const Vector3&) = default;
};

template <class T>
[[gnu::always_inline]] inline T dot(const Vector3<T>& a, const Vector3<T>& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class T>
[[gnu::always_inline]] inline Vector3<T> cross(const Vector3<T>& a, const Vector3<T>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

using Vec3 = Vector3<float>;
using Vec3d = Vector3<double>;

}  // namespace pliant
