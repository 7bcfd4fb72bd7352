// Lanes of double precision, for what float cannot carry. As in lanes.h: every operation is IEEE-exact, so
// that lane i of any width computes what one double would.
#pragma once

#include "base/lanes.h"

namespace pliant::PLIANT_TARGET {

template <int N>
struct DoubleVec;
template <>
struct DoubleVec<1> {
    using Double = double;
    using Int = std::int64_t;
};
template <>
struct DoubleVec<4> {
    typedef double Double __attribute__((vector_size(32)));
    typedef std::int64_t Int __attribute__((vector_size(32)));
};
template <>
struct DoubleVec<8> {
    typedef double Double __attribute__((vector_size(64)));
    typedef std::int64_t Int __attribute__((vector_size(64)));
};

template <int N>
struct DoubleMask {
    typename DoubleVec<N>::Int bits;  // all ones or all zeros in each lane

    PLIANT_INLINE friend DoubleMask operator&(DoubleMask a, DoubleMask b) { return {a.bits & b.bits}; }
};

template <int N>
struct DoubleLane {
    using Double = typename DoubleVec<N>::Double;
    Double v;

    DoubleLane() = default;
    PLIANT_INLINE DoubleLane(const DoubleLane& other) : v(other.v) {}
    PLIANT_INLINE DoubleLane& operator=(const DoubleLane& other) {
        v = other.v;
        return *this;
    }
    PLIANT_INLINE DoubleLane(double s) : v(broadcast(s, std::make_integer_sequence<int, N>())) {}
    PLIANT_INLINE explicit DoubleLane(const Lane<N>& floats) {
        if constexpr (N == 1) {
            v = floats.v;
        } else {
            v = __builtin_convertvector(floats.v, Double);
        }
    }
    PLIANT_INLINE static DoubleLane from(Double d) {
        DoubleLane lane;
        lane.v = d;
        return lane;
    }

    PLIANT_INLINE friend DoubleLane operator+(DoubleLane a, DoubleLane b) { return from(a.v + b.v); }
    PLIANT_INLINE friend DoubleLane operator-(DoubleLane a, DoubleLane b) { return from(a.v - b.v); }
    PLIANT_INLINE friend DoubleLane operator*(DoubleLane a, DoubleLane b) { return from(a.v * b.v); }
    PLIANT_INLINE friend DoubleLane operator/(DoubleLane a, DoubleLane b) { return from(a.v / b.v); }
    PLIANT_INLINE friend DoubleLane operator-(DoubleLane a) { return from(-a.v); }
    PLIANT_INLINE friend DoubleMask<N> operator<(DoubleLane a, DoubleLane b) { return mask(a.v < b.v); }
    PLIANT_INLINE friend DoubleMask<N> operator>(DoubleLane a, DoubleLane b) { return mask(a.v > b.v); }

private:
    template <int... I>
    PLIANT_INLINE static Double broadcast(double s, std::integer_sequence<int, I...>) {
        if constexpr (N == 1) {
            return s;
        } else {
            return Double{((void)I, s)...};
        }
    }
    template <class Bits>
    PLIANT_INLINE static DoubleMask<N> mask(Bits bits) {
        if constexpr (N == 1) {
            return {bits ? -1 : 0};
        } else {
            return {bits};
        }
    }
};

template <int N>
PLIANT_INLINE DoubleLane<N> select(DoubleMask<N> m, DoubleLane<N> a, DoubleLane<N> b) {
    return DoubleLane<N>::from(m.bits ? a.v : b.v);
}
template <int N>
PLIANT_INLINE DoubleLane<N> max(DoubleLane<N> a, DoubleLane<N> b) {
    return select(a > b, a, b);
}
template <int N>
PLIANT_INLINE DoubleLane<N> min(DoubleLane<N> a, DoubleLane<N> b) {
    return select(a < b, a, b);
}
template <int N>
PLIANT_INLINE DoubleLane<N> abs(DoubleLane<N> a) {
    return select(a < DoubleLane<N>(0.0), -a, a);
}

template <int N>
PLIANT_INLINE DoubleLane<N> sqrt(DoubleLane<N> a) {
    if constexpr (N == 1) {
        return DoubleLane<N>::from(__builtin_sqrt(a.v));
#if defined(__AVX__)
    } else if constexpr (N == 4) {
        return DoubleLane<N>::from((typename DoubleVec<N>::Double)_mm256_sqrt_pd((__m256d)a.v));
#endif
#if defined(__AVX512F__)
    } else if constexpr (N == 8) {
        return DoubleLane<N>::from((typename DoubleVec<N>::Double)_mm512_sqrt_pd((__m512d)a.v));
#endif
    } else {
        for (int i = 0; i < N; ++i) a.v[i] = __builtin_sqrt(a.v[i]);
        return a;
    }
}

// Rounded to the nearest.
template <int N>
PLIANT_INLINE Lane<N> to_float(DoubleLane<N> a) {
    if constexpr (N == 1) {
        return Lane<N>::from(static_cast<float>(a.v));
    } else {
        return Lane<N>::from(__builtin_convertvector(a.v, typename Vec<N>::Float));
    }
}

}  // namespace pliant::PLIANT_TARGET
