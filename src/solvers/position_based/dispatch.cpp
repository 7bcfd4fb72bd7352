#include "solvers/position_based/dispatch.h"

#include <array>

namespace pliant {

#define PLIANT_DECLARE(set)                          \
    namespace set {                                  \
    solvers::position_based::Kernels make_kernels(); \
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
    std::array<Kernels, 5> kernels{};
    std::array<const Kernels*, 5> entries{};  // into kernels
    std::size_t size = 0;

    Table();
    Table(const Table&) = delete;

    // Called only where they run: what makes them is compiled for their set, too.
    void add(Kernels (*make)(), bool runs_here) {
        if (!runs_here) return;
        kernels[size] = make();
        entries[size] = &kernels[size];
        ++size;
    }
};

Table::Table() {
    add(scalar::make_kernels, true);
#if defined(PLIANT_HAS_SIMD128)
    add(simd128::make_kernels, true);
#endif
#if defined(__x86_64__)
    __builtin_cpu_init();
#if defined(PLIANT_HAS_SSE4)
    add(sse4::make_kernels, __builtin_cpu_supports("sse4.2"));
#endif
#if defined(PLIANT_HAS_AVX2)
    add(avx2::make_kernels, __builtin_cpu_supports("avx2"));
#endif
#if defined(PLIANT_HAS_AVX512)
    add(avx512::make_kernels, __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                                  __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"));
#endif
#endif
}

}  // namespace

std::span<const Kernels* const> usable_kernels() {
    static const Table table;
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
