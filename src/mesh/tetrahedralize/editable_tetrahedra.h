// Tetrahedra that can be replaced, with those at each vertex at hand.
#pragma once

#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <cstdint>
#include <span>
#include <vector>

namespace pliant::mesh {

class EditableTetrahedra {
public:
    EditableTetrahedra(std::vector<Vec3d> positions, const std::vector<Tetrahedron>& tetrahedra);

    std::uint32_t size() const { return static_cast<std::uint32_t>(tetrahedra_.size()); }
    bool is_gone(std::uint32_t t) const { return quality_[t] == gone; }
    const Tetrahedron& operator[](std::uint32_t t) const { return tetrahedra_[t]; }
    double quality(std::uint32_t t) const { return quality_[t]; }
    std::span<const std::uint32_t> at(std::uint32_t vertex) const { return at_[vertex]; }
    const Vec3d& position(std::uint32_t vertex) const { return positions_[vertex]; }

    void add(const Tetrahedron& t);
    void remove(std::uint32_t t);
    void restore(std::uint32_t t);
    void move(std::uint32_t vertex, const Vec3d& to);

    double quality_of(const Tetrahedron& t) const;
    // Of the tetrahedra at a vertex, if it were there; no more than needed to see that it is below `least`.
    double quality_at(std::uint32_t vertex, const Vec3d& there, double least) const;

    bool has_edge(std::uint32_t a, std::uint32_t b) const;
    bool has_face(std::uint32_t a, std::uint32_t b, std::uint32_t c) const;

    static constexpr std::uint32_t none = 0xffffffff;
    // The tetrahedron across the face that is opposite to a corner; none on the outside.
    std::uint32_t across(std::uint32_t t, std::size_t corner) const;

    // The tetrahedra around an edge and the vertices they go through, counterclockwise seen from b.
    struct Ring {
        std::vector<std::uint32_t> tetrahedra{}, vertices{};
        bool closed = false;  // else the edge is on the outside, or there is none
    };
    Ring around(std::uint32_t a, std::uint32_t b) const;

    // The faces that a vertex sees make up a sphere, a disc, or nothing: the outside is not pinched there.
    bool has_simple_star(std::uint32_t vertex) const;

    const std::vector<Vec3d>& positions() const { return positions_; }
    std::vector<Tetrahedron> remaining() const;

private:
    static constexpr double gone = -2;

    std::vector<Vec3d> positions_;
    std::vector<Tetrahedron> tetrahedra_;
    std::vector<double> quality_;
    std::vector<std::vector<std::uint32_t>> at_;
};

bool has(const Tetrahedron& t, std::uint32_t vertex);

// The other two corners u, v of a tetrahedron with the corners a and b, such that (a, b, u, v) is turned as
// it is.
Edge other_corners(const Tetrahedron& t, std::uint32_t a, std::uint32_t b);

}  // namespace pliant::mesh
