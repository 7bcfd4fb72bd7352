// SIMD lanes over the compiler's vector extensions: one formula, every width, the same bits.
//
// A translation unit that uses lanes is compiled once per instruction set, with the macro
// PLIANT_TARGET naming it. Everything here lives in a namespace of that name and is always inlined:
// otherwise the linker could merge two instantiations and hand AVX-512 code to a CPU without it.
//
// Every operation is IEEE-exact (+, −, ×, ÷, √, comparison), so lane i of any width computes what one
// float would. No fused multiply-add (SSE4 and WebAssembly have none), no approximate reciprocals.
#pragma once

#include <cfloat>
#include <cstdint>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

#ifndef PLIANT_TARGET
#define PLIANT_TARGET scalar
#endif

#if defined(__FAST_MATH__)
#error "Pliant's results depend on IEEE arithmetic: build without -ffast-math"
#endif
static_assert(FLT_EVAL_METHOD == 0, "float arithmetic must be done in float");

#define PLIANT_INLINE [[gnu::always_inline]] inline

namespace pliant::PLIANT_TARGET {

// The vector types stand apart from the templates that use them (g++ 12 loses attributes otherwise).
template <int N>
struct Vec;
template <>
struct Vec<1> {
    using Float = float;
    using Int = std::int32_t;
};
template <>
struct Vec<4> {
    typedef float Float __attribute__((vector_size(16)));
    typedef std::int32_t Int __attribute__((vector_size(16)));
};
template <>
struct Vec<8> {
    typedef float Float __attribute__((vector_size(32)));
    typedef std::int32_t Int __attribute__((vector_size(32)));
};
template <>
struct Vec<16> {
    typedef float Float __attribute__((vector_size(64)));
    typedef std::int32_t Int __attribute__((vector_size(64)));
};

template <int N>
struct Mask {
    typename Vec<N>::Int bits;  // all ones or all zeros in each lane

    PLIANT_INLINE friend Mask operator&(Mask a, Mask b) { return {a.bits & b.bits}; }
    PLIANT_INLINE friend Mask operator|(Mask a, Mask b) { return {a.bits | b.bits}; }
    PLIANT_INLINE friend Mask operator!(Mask a) { return {~a.bits}; }
};

template <int N>
struct Lane {
    using Float = typename Vec<N>::Float;
    Float v;

    Lane() = default;
    // Not trivial, on purpose: structs of lanes are then copied lane by lane. As one block of memory they
    // would go through the stack, in pieces that the CPU cannot forward from store to load.
    PLIANT_INLINE Lane(const Lane& other) : v(other.v) {}
    PLIANT_INLINE Lane& operator=(const Lane& other) {
        v = other.v;
        return *this;
    }
    PLIANT_INLINE Lane(float s) : v(broadcast(s, std::make_integer_sequence<int, N>())) {}
    PLIANT_INLINE static Lane from(Float f) {
        Lane lane;
        lane.v = f;
        return lane;
    }

    PLIANT_INLINE friend Lane operator+(Lane a, Lane b) { return from(a.v + b.v); }
    PLIANT_INLINE friend Lane operator-(Lane a, Lane b) { return from(a.v - b.v); }
    PLIANT_INLINE friend Lane operator*(Lane a, Lane b) { return from(a.v * b.v); }
    PLIANT_INLINE friend Lane operator/(Lane a, Lane b) { return from(a.v / b.v); }
    PLIANT_INLINE friend Lane operator-(Lane a) { return from(-a.v); }
    PLIANT_INLINE friend Mask<N> operator<(Lane a, Lane b) { return mask(a.v < b.v); }
    PLIANT_INLINE friend Mask<N> operator>(Lane a, Lane b) { return mask(a.v > b.v); }
    PLIANT_INLINE friend Mask<N> operator<=(Lane a, Lane b) { return mask(a.v <= b.v); }
    PLIANT_INLINE friend Mask<N> operator>=(Lane a, Lane b) { return mask(a.v >= b.v); }

private:
    template <int... I>
    PLIANT_INLINE static Float broadcast(float s, std::integer_sequence<int, I...>) {
        if constexpr (N == 1) {
            return s;
        } else {
            return Float{((void)I, s)...};
        }
    }
    template <class Bits>
    PLIANT_INLINE static Mask<N> mask(Bits bits) {
        if constexpr (N == 1) {
            return {bits ? -1 : 0};
        } else {
            return {bits};
        }
    }
};

template <int N>
PLIANT_INLINE Lane<N> select(Mask<N> m, Lane<N> a, Lane<N> b) {
    return Lane<N>::from(m.bits ? a.v : b.v);
}

// a > b ? a : b, also for NaN and signed zeros: what MAXPS does, and what every width must do.
template <int N>
PLIANT_INLINE Lane<N> max(Lane<N> a, Lane<N> b) {
    return select(a > b, a, b);
}
template <int N>
PLIANT_INLINE Lane<N> min(Lane<N> a, Lane<N> b) {
    return select(a < b, a, b);
}
template <int N>
PLIANT_INLINE Lane<N> abs(Lane<N> a) {
    if constexpr (N == 1) {
        return Lane<N>::from(__builtin_fabsf(a.v));
    } else {
        using Int = typename Vec<N>::Int;
        return Lane<N>::from((typename Vec<N>::Float)((Int)a.v & 0x7fffffff));
    }
}

template <int N>
PLIANT_INLINE Lane<N> sqrt(Lane<N> a) {
    if constexpr (N == 1) {
        return Lane<N>::from(__builtin_sqrtf(a.v));
#if defined(__x86_64__)
    } else if constexpr (N == 4) {
        return Lane<N>::from((typename Vec<N>::Float)_mm_sqrt_ps((__m128)a.v));
#if defined(__AVX__)
    } else if constexpr (N == 8) {
        return Lane<N>::from((typename Vec<N>::Float)_mm256_sqrt_ps((__m256)a.v));
#endif
#if defined(__AVX512F__)
    } else if constexpr (N == 16) {
        return Lane<N>::from((typename Vec<N>::Float)_mm512_sqrt_ps((__m512)a.v));
#endif
#elif defined(__wasm_simd128__)
    } else if constexpr (N == 4) {
        return Lane<N>::from((typename Vec<N>::Float)wasm_f32x4_sqrt((v128_t)a.v));
    } else if constexpr (N == 8) {  // two registers
        using Half = Vec<4>::Float;
        const Half low = __builtin_shufflevector(a.v, a.v, 0, 1, 2, 3);
        const Half high = __builtin_shufflevector(a.v, a.v, 4, 5, 6, 7);
        return Lane<N>::from(__builtin_shufflevector(
            (Half)wasm_f32x4_sqrt((v128_t)low), (Half)wasm_f32x4_sqrt((v128_t)high), 0, 1, 2, 3, 4, 5, 6, 7));
#endif
    } else {
        for (int i = 0; i < N; ++i) a.v[i] = __builtin_sqrtf(a.v[i]);
        return a;
    }
}

// a/b, and 0 where that is not a number of reasonable size: b = 0, overflow, NaN. The test does not wait
// for the division.
template <int N>
PLIANT_INLINE Lane<N> divide_or_zero(Lane<N> a, Lane<N> b) {
    Lane<N> quotient = a / b;
#if defined(__AVX512F__)
    asm("" : "+v"(quotient.v));  // else the test becomes a mask of the division, which then waits for it
#endif
    return select(abs(a) < abs(b) * Lane<N>(1e30f), quotient, Lane<N>(0.0f));
}

template <int N>
PLIANT_INLINE bool any(Mask<N> m) {
    if constexpr (N == 1) {
        return m.bits != 0;
#if defined(__x86_64__)
    } else if constexpr (N == 4) {
        return _mm_movemask_ps((__m128)m.bits) != 0;
#if defined(__AVX__)
    } else if constexpr (N == 8) {
        return _mm256_movemask_ps((__m256)m.bits) != 0;
#endif
#if defined(__AVX512F__)
    } else if constexpr (N == 16) {
        return _mm512_test_epi32_mask((__m512i)m.bits, (__m512i)m.bits) != 0;
#endif
#elif defined(__wasm_simd128__)
    } else if constexpr (N == 4) {
        return wasm_v128_any_true((v128_t)m.bits);
#endif
    } else {
        std::int32_t some = 0;
        for (int i = 0; i < N; ++i) some |= m.bits[i];
        return some != 0;
    }
}

// Bit i: lane i.
template <int N>
PLIANT_INLINE unsigned bits_of(Mask<N> m) {
    if constexpr (N == 1) {
        return m.bits != 0;
#if defined(__x86_64__)
    } else if constexpr (N == 4) {
        return static_cast<unsigned>(_mm_movemask_ps((__m128)m.bits));
#if defined(__AVX__)
    } else if constexpr (N == 8) {
        return static_cast<unsigned>(_mm256_movemask_ps((__m256)m.bits));
#endif
#if defined(__AVX512F__)
    } else if constexpr (N == 16) {
        return _mm512_test_epi32_mask((__m512i)m.bits, (__m512i)m.bits);
#endif
#elif defined(__wasm_simd128__)
    } else if constexpr (N == 4) {
        return static_cast<unsigned>(wasm_i32x4_bitmask((v128_t)m.bits));
#endif
    } else {
        unsigned result = 0;
        for (int i = 0; i < N; ++i) result |= m.bits[i] != 0 ? 1u << i : 0u;
        return result;
    }
}

template <int N>
PLIANT_INLINE Lane<N> load(const float* p) {
    Lane<N> lane;
    __builtin_memcpy(&lane.v, p, sizeof(lane.v));
    return lane;
}
template <int N>
PLIANT_INLINE void store(float* p, Lane<N> lane) {
    __builtin_memcpy(p, &lane.v, sizeof(lane.v));
}

}  // namespace pliant::PLIANT_TARGET
