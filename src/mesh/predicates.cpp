// A determinant in plain doubles decides unless it is smaller than its error can be; then the same
// determinant is computed with expansions (Shewchuk 1997).
//
// Bounds of the error, with u = 2⁻⁵³. A product or sum adds one rounding, a factor within 1 ± u, to those of
// its operands; a term of a determinant with k roundings on its way is off by at most (1+u)ᵏ − 1 of its
// magnitude. Shewchuk's bounds for the formulas below are of the same kind: (7 + 56u)u and (16 + 224u)u of
// the sum of magnitudes, as computed.
#include "mesh/predicates.h"

#include "mesh/expansion.h"

namespace pliant::mesh {
namespace {

constexpr double u = 0x1p-53;
constexpr double orient3d_bound = (7 + 56 * u) * u;
constexpr double insphere_bound = (16 + 224 * u) * u;

struct ExactVector {
    Difference x, y, z;
};

ExactVector exact_vector(const Vec3d& a, const Vec3d& b) {
    return {exact_difference(a.x, b.x), exact_difference(a.y, b.y), exact_difference(a.z, b.z)};
}

Expansion<16> minor_xy(const ExactVector& a, const ExactVector& b) { return a.x * b.y - a.y * b.x; }

Expansion<most_components> lifted(const ExactVector& v, const Expansion<192>& factor) {
    return factor * v.x * v.x + factor * v.y * v.y + factor * v.z * v.z;
}

int orient3d_exactly(const Vec3d& pa, const Vec3d& pb, const Vec3d& pc, const Vec3d& pd) {
    const ExactVector a = exact_vector(pa, pd), b = exact_vector(pb, pd), c = exact_vector(pc, pd);
    return (minor_xy(a, c) * b.z - minor_xy(b, c) * a.z - minor_xy(a, b) * c.z).sign();
}

int insphere_exactly(const Vec3d& pa, const Vec3d& pb, const Vec3d& pc, const Vec3d& pd, const Vec3d& p) {
    const ExactVector a = exact_vector(pa, p), b = exact_vector(pb, p), c = exact_vector(pc, p),
                      d = exact_vector(pd, p);
    const Expansion<16> ab = minor_xy(a, b), bc = minor_xy(b, c), cd = minor_xy(c, d), da = minor_xy(d, a),
                        ac = minor_xy(a, c), bd = minor_xy(b, d);
    const Expansion<192> abc = bc * a.z - ac * b.z + ab * c.z, bcd = cd * b.z - bd * c.z + bc * d.z,
                         cda = da * c.z + ac * d.z + cd * a.z, dab = ab * d.z + bd * a.z + da * b.z;
    return ((lifted(c, dab) - lifted(d, abc)) + (lifted(a, bcd) - lifted(b, cda))).sign();
}

}  // namespace

int orient3d(const Vec3d& pa, const Vec3d& pb, const Vec3d& pc, const Vec3d& pd) {
    const Vec3d a = pa - pd, b = pb - pd, c = pc - pd;
    const double bc = b.x * c.y, cb = c.x * b.y, ca = c.x * a.y, ac = a.x * c.y, ab = a.x * b.y,
                 ba = b.x * a.y;
    const double determinant = a.z * (bc - cb) + b.z * (ca - ac) + c.z * (ab - ba);
    const double magnitude = (std::abs(bc) + std::abs(cb)) * std::abs(a.z) +
                             (std::abs(ca) + std::abs(ac)) * std::abs(b.z) +
                             (std::abs(ab) + std::abs(ba)) * std::abs(c.z);
    const double bound = orient3d_bound * magnitude;
    if (determinant > bound) return -1;
    if (determinant < -bound) return 1;
    if (magnitude == 0) return 0;
    return orient3d_exactly(pa, pb, pc, pd);
}

int insphere(const Vec3d& pa, const Vec3d& pb, const Vec3d& pc, const Vec3d& pd, const Vec3d& p) {
    const Vec3d a = pa - p, b = pb - p, c = pc - p, d = pd - p;
    const double axby = a.x * b.y, bxay = b.x * a.y, bxcy = b.x * c.y, cxby = c.x * b.y, cxdy = c.x * d.y,
                 dxcy = d.x * c.y, dxay = d.x * a.y, axdy = a.x * d.y, axcy = a.x * c.y, cxay = c.x * a.y,
                 bxdy = b.x * d.y, dxby = d.x * b.y;
    const double ab = axby - bxay, bc = bxcy - cxby, cd = cxdy - dxcy, da = dxay - axdy, ac = axcy - cxay,
                 bd = bxdy - dxby;
    const double abc = a.z * bc - b.z * ac + c.z * ab, bcd = b.z * cd - c.z * bd + d.z * bc,
                 cda = c.z * da + d.z * ac + a.z * cd, dab = d.z * ab + a.z * bd + b.z * da;
    const double lift_a = dot(a, a), lift_b = dot(b, b), lift_c = dot(c, c), lift_d = dot(d, d);
    const double determinant = (lift_c * dab - lift_d * abc) + (lift_a * bcd - lift_b * cda);

    const auto sum = [](double x, double y) { return std::abs(x) + std::abs(y); };
    const double ab_size = sum(axby, bxay), bc_size = sum(bxcy, cxby), cd_size = sum(cxdy, dxcy),
                 da_size = sum(dxay, axdy), ac_size = sum(axcy, cxay), bd_size = sum(bxdy, dxby);
    const double az = std::abs(a.z), bz = std::abs(b.z), cz = std::abs(c.z), dz = std::abs(d.z);
    const double magnitude = (cd_size * bz + bd_size * cz + bc_size * dz) * lift_a +
                             (da_size * cz + ac_size * dz + cd_size * az) * lift_b +
                             (ab_size * dz + bd_size * az + da_size * bz) * lift_c +
                             (bc_size * az + ac_size * bz + ab_size * cz) * lift_d;
    const double bound = insphere_bound * magnitude;
    if (determinant > bound) return 1;
    if (determinant < -bound) return -1;
    return insphere_exactly(pa, pb, pc, pd, p);
}

bool collinear(const Vec3d& pa, const Vec3d& pb, const Vec3d& pc) {
    const ExactVector a = exact_vector(pa, pc), b = exact_vector(pb, pc);
    return (a.x * b.y - a.y * b.x).sign() == 0 && (a.y * b.z - a.z * b.y).sign() == 0 &&
           (a.z * b.x - a.x * b.z).sign() == 0;
}

bool lexicographically_less(const Vec3d& a, const Vec3d& b) {
    if (a.x != b.x) return a.x < b.x;
    if (a.y != b.y) return a.y < b.y;
    return a.z < b.z;
}

}  // namespace pliant::mesh
