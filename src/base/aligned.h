// A vector whose data starts on a cache line, which is also what the widest lanes want. Large ones lie on
// large pages where the system has them, so that a sweep over a big body waits less for address translation
// (1 % of a frame of c300).
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace pliant {

template <class T>
struct CacheLineAllocator {
    using value_type = T;

    CacheLineAllocator() = default;
    template <class U>
    CacheLineAllocator(const CacheLineAllocator<U>&) {}

    T* allocate(std::size_t n) {
        const Layout layout(n * sizeof(T));
        void* memory = ::operator new(layout.bytes, layout.alignment);
#if defined(__linux__)
        if (layout.is_large) madvise(memory, layout.bytes, MADV_HUGEPAGE);  // advice: it may fail
#endif
        return static_cast<T*>(memory);
    }
    void deallocate(T* p, std::size_t n) { ::operator delete(p, Layout(n * sizeof(T)).alignment); }
    friend bool operator==(const CacheLineAllocator&, const CacheLineAllocator&) { return true; }

private:
    static constexpr std::size_t cache_line = 64, large_page = std::size_t(1) << 21;

    struct Layout {
        explicit Layout(std::size_t wanted)
            : is_large(wanted >= large_page / 2),
              bytes(is_large ? (wanted + large_page - 1) / large_page * large_page : wanted),
              alignment{is_large ? large_page : cache_line} {}
        bool is_large;
        std::size_t bytes;
        std::align_val_t alignment;
    };
};

template <class T>
using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

}  // namespace pliant
