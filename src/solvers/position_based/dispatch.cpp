#include "solvers/position_based/dispatch.h"

#include <array>

namespace pliant {

#define PLIANT_DECLARE(set)                                \
    namespace set {                                        \
    extern const solvers::position_based::Kernels kernels; \
    }
#if defined(PLIANT_HAS_SCALAR)
PLIANT_DECLARE(scalar)
#endif
#if defined(PLIANT_HAS_SSE4)
PLIANT_DECLARE(sse4)
#endif
#if defined(PLIANT_HAS_AVX2)
PLIANT_DECLARE(avx2)
#endif
#if defined(PLIANT_HAS_AVX512)
PLIANT_DECLARE(avx512)
#endif
#if defined(PLIANT_HAS_SIMD128)
PLIANT_DECLARE(simd128)
#endif

namespace solvers::position_based {
namespace {

struct Table {
    std::array<const Kernels*, 5> entries{};
    std::size_t size = 0;

    void add(const Kernels& kernels, bool runs_here) {
        if (runs_here) entries[size++] = &kernels;
    }
};

Table make_table() {
    Table table;
    table.add(scalar::kernels, true);
#if defined(PLIANT_HAS_SIMD128)
    table.add(simd128::kernels, true);
#endif
#if defined(__x86_64__)
    __builtin_cpu_init();
#if defined(PLIANT_HAS_SSE4)
    table.add(sse4::kernels, __builtin_cpu_supports("sse4.2"));
#endif
#if defined(PLIANT_HAS_AVX2)
    table.add(avx2::kernels, __builtin_cpu_supports("avx2"));
#endif
#if defined(PLIANT_HAS_AVX512)
    table.add(avx512::kernels, __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                                   __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"));
#endif
#endif
    return table;
}

}  // namespace

std::span<const Kernels* const> usable_kernels() {
    static const Table table = make_table();
    return {table.entries.data(), table.size};
}

const Kernels* find_kernels(std::string_view name) {
    for (const Kernels* kernels : usable_kernels()) {
        if (kernels->name == name) return kernels;
    }
    return nullptr;
}

}  // namespace solvers::position_based
}  // namespace pliant
