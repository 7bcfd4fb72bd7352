// Points by the lattice sites that they lie in: is there one near?
#pragma once

#include <pliant/vector.h>

#include <array>
#include <cstdint>
#include <vector>

#include "base/scalar.h"
#include "mesh/tetrahedralize/lattice.h"

namespace pliant::mesh {

class PointGrid {
public:
    explicit PointGrid(const Lattice& lattice) : lattice_(lattice), first_(lattice.size(), none) {}

    void add(const Vec3d& p) {
        const auto cell = cell_of(p);
        std::uint32_t& first = first_[lattice_.site(cell[0], cell[1], cell[2])];
        entries_.push_back({p, first});
        first = static_cast<std::uint32_t>(entries_.size() - 1);
    }
    // Nearer than a distance of at most the lattice's spacing. Points beyond the lattice may be missed.
    bool any_within(const Vec3d& p, double distance) const {
        const auto cell = cell_of(p);
        if (holds_near(lattice_.site(cell[0], cell[1], cell[2]), p, distance * distance)) return true;
        for (std::uint32_t k = cell[2] - 1; k <= cell[2] + 1; ++k) {
            for (std::uint32_t j = cell[1] - 1; j <= cell[1] + 1; ++j) {
                for (std::uint32_t i = cell[0] - 1; i <= cell[0] + 1; ++i) {
                    if (holds_near(lattice_.site(i, j, k), p, distance * distance)) return true;
                }
            }
        }
        return false;
    }

private:
    static constexpr std::uint32_t none = 0xffffffff;

    struct Entry {
        Vec3d position;
        std::uint32_t next;  // of the same site
    };

    // Never one of the outermost.
    std::array<std::uint32_t, 3> cell_of(const Vec3d& p) const {
        const Vec3d q = (p - lattice_.origin) * (1 / lattice_.spacing);
        const auto along = [&](double x, std::size_t d) {
            return static_cast<std::uint32_t>(min(max(x, 1.0), lattice_.sites[d] - 2.0));
        };
        return {along(q.x, 0), along(q.y, 1), along(q.z, 2)};
    }
    bool holds_near(std::uint32_t site, const Vec3d& p, double squared) const {
        for (std::uint32_t e = first_[site]; e != none; e = entries_[e].next) {
            const Vec3d d = entries_[e].position - p;
            if (dot(d, d) < squared) return true;
        }
        return false;
    }

    const Lattice& lattice_;
    std::vector<std::uint32_t> first_;  // entry of each site
    std::vector<Entry> entries_;
};

}  // namespace pliant::mesh
