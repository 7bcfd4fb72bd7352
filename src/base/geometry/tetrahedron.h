// The volume of a tetrahedron, signed: positive where (b−a)×(c−a)·(d−a) > 0.
#pragma once

#include <pliant/vector.h>

namespace pliant {

// a × b · c: six times the volume of the tetrahedron that three edges from one corner span.
template <class T>
T triple_product(const Vector3<T>& a, const Vector3<T>& b, const Vector3<T>& c) {
    return dot(cross(a, b), c);
}

template <class T>
T six_volumes(const Vector3<T>& a, const Vector3<T>& b, const Vector3<T>& c, const Vector3<T>& d) {
    return triple_product(b - a, c - a, d - a);
}

template <class T>
T tetrahedron_volume(const Vector3<T>& a, const Vector3<T>& b, const Vector3<T>& c, const Vector3<T>& d) {
    return six_volumes(a, b, c, d) / 6;
}

}  // namespace pliant
