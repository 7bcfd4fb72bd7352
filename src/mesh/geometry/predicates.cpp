// Each predicate is the sign of one formula, computed in doubles, if that leaves doubt in double-doubles, and
// at last exactly.
//
// Bounds on the error, with u = 2⁻⁵³, are shares of the formula's magnitude: its value if every term counted
// as positive. For doubles they are (7 + 56u)u and (16 + 224u)u (Shewchuk 1997, whose order of operations
// this is). In double-doubles differences are exact, and every term of insphere passes through at most 11
// more operations that are off by up to 7u² each.
#include "mesh/geometry/predicates.h"

#include "mesh/geometry/exact_sum.h"

namespace pliant::mesh {
namespace {

constexpr double u = 0x1p-53;
constexpr double orient3d_bound = (7 + 56 * u) * u;
constexpr double insphere_bound = (16 + 224 * u) * u;
constexpr double insphere_bound_of_double_doubles = 80 * u * u;

// Adds where a number would be subtracted.
struct Magnitude {
    double value;

    friend Magnitude operator+(Magnitude a, Magnitude b) { return {a.value + b.value}; }
    friend Magnitude operator-(Magnitude a, Magnitude b) { return {a.value + b.value}; }
    friend Magnitude operator*(Magnitude a, Magnitude b) { return {a.value * b.value}; }
};

Vector3<Magnitude> magnitude(const Vec3d& v) { return {{std::abs(v.x)}, {std::abs(v.y)}, {std::abs(v.z)}}; }

Vector3<DoubleDouble> double_double_difference(const Vec3d& a, const Vec3d& b) {
    const auto difference = [](double x, double y) {
        const auto [value, error] = two_sum(x, -y);
        return DoubleDouble{value, error};
    };
    return {difference(a.x, b.x), difference(a.y, b.y), difference(a.z, b.z)};
}

struct ExactVector {
    Difference x, y, z;
};

ExactVector exact_difference(const Vec3d& a, const Vec3d& b) {
    using mesh::exact_difference;
    return {exact_difference(a.x, b.x), exact_difference(a.y, b.y), exact_difference(a.z, b.z)};
}

// |v|² factor
template <class T>
T lifted(const Vector3<T>& v, const T& factor) {
    return dot(v, v) * factor;
}

ExactSum<most_components> lifted(const ExactVector& v, const ExactSum<192>& factor) {
    return factor * v.x * v.x + factor * v.y * v.y + factor * v.z * v.z;
}

template <class Vector>
auto minor_xy(const Vector& a, const Vector& b) {
    return a.x * b.y - a.y * b.x;
}

// −a·(b×c), for points seen from d.
template <class Vector>
auto orient3d_determinant(const Vector& a, const Vector& b, const Vector& c) {
    return minor_xy(a, c) * b.z - minor_xy(b, c) * a.z - minor_xy(a, b) * c.z;
}

// Of points seen from p: Σ ± |v|² determinant of the three others.
template <class Vector>
auto insphere_determinant(const Vector& a, const Vector& b, const Vector& c, const Vector& d) {
    const auto ab = minor_xy(a, b), bc = minor_xy(b, c), cd = minor_xy(c, d), da = minor_xy(d, a),
               ac = minor_xy(a, c), bd = minor_xy(b, d);
    const auto abc = bc * a.z - ac * b.z + ab * c.z, bcd = cd * b.z - bd * c.z + bc * d.z,
               cda = da * c.z + ac * d.z + cd * a.z, dab = ab * d.z + bd * a.z + da * b.z;
    return (lifted(c, dab) - lifted(d, abc)) + (lifted(a, bcd) - lifted(b, cda));
}

}  // namespace

int orient3d(const Vec3d& pa, const Vec3d& pb, const Vec3d& pc, const Vec3d& pd) {
    const Vec3d a = pa - pd, b = pb - pd, c = pc - pd;
    const double determinant = orient3d_determinant(a, b, c);
    const double size = orient3d_determinant(magnitude(a), magnitude(b), magnitude(c)).value;
    if (std::abs(determinant) > orient3d_bound * size) return determinant > 0 ? 1 : -1;
    if (size == 0) return 0;
    return orient3d_determinant(exact_difference(pa, pd), exact_difference(pb, pd), exact_difference(pc, pd))
        .sign();
}

int insphere(const Vec3d& pa, const Vec3d& pb, const Vec3d& pc, const Vec3d& pd, const Vec3d& p) {
    const Vec3d a = pa - p, b = pb - p, c = pc - p, d = pd - p;
    const double determinant = insphere_determinant(a, b, c, d);
    const double size = insphere_determinant(magnitude(a), magnitude(b), magnitude(c), magnitude(d)).value;
    if (std::abs(determinant) > insphere_bound * size) return determinant > 0 ? 1 : -1;

    const double better =
        insphere_determinant(double_double_difference(pa, p), double_double_difference(pb, p),
                             double_double_difference(pc, p), double_double_difference(pd, p))
            .high;
    if (std::abs(better) > insphere_bound_of_double_doubles * size) return better > 0 ? 1 : -1;
    return insphere_determinant(exact_difference(pa, p), exact_difference(pb, p), exact_difference(pc, p),
                                exact_difference(pd, p))
        .sign();
}

bool collinear(const Vec3d& pa, const Vec3d& pb, const Vec3d& pc) {
    const ExactVector a = exact_difference(pa, pc), b = exact_difference(pb, pc);
    return (a.x * b.y - a.y * b.x).sign() == 0 && (a.y * b.z - a.z * b.y).sign() == 0 &&
           (a.z * b.x - a.x * b.z).sign() == 0;
}

bool lexicographically_less(const Vec3d& a, const Vec3d& b) {
    if (a.x != b.x) return a.x < b.x;
    if (a.y != b.y) return a.y < b.y;
    return a.z < b.z;
}

}  // namespace pliant::mesh
