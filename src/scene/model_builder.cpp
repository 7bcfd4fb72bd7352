#include "scene/model_builder.h"

#include <utility>

#include "base/convert.h"
#include "scene/assemble.h"

namespace pliant {
namespace {

template <class Element>
void append(std::vector<Element>& list, std::span<const Element> elements, std::uint32_t first) {
    for (Element element : elements) {
        for (std::uint32_t& particle : element) particle += first;
        list.push_back(element);
    }
}

}  // namespace

void ModelBuilder::begin_body(const std::string& name) {
    first_ = static_cast<std::uint32_t>(particles_.positions.size());
    name_ = name;
}

void ModelBuilder::add_particles(const Body& body, std::span<const Vec3> positions,
                                 std::span<const double> masses) {
    for (std::size_t i = 0; i < positions.size(); ++i) {
        add_particle(body.position + to_double(positions[i]), masses[i], body.velocity, true, body.radius);
    }
}

std::uint32_t ModelBuilder::add_particle(const Vec3d& position, double mass, const Vec3& velocity, bool moves,
                                         float radius) {
    particles_.positions.push_back(position);
    particles_.masses.push_back(mass);
    particles_.velocities.push_back(velocity);
    input_.moves.push_back(moves);
    input_.radii.push_back(radius);
    return static_cast<std::uint32_t>(particles_.positions.size() - 1);
}

std::uint32_t ModelBuilder::add_elasticity(const Elasticity& elasticity, const ElasticityUse& use,
                                           Part part) {
    assembly_.elasticities.push_back(elasticity);
    assembly_.parts.push_back(std::move(part));
    input_.uses.push_back(use);
    return static_cast<std::uint32_t>(assembly_.elasticities.size() - 1);
}
std::uint32_t ModelBuilder::add_elasticity(const Elasticity& elasticity, const char* part,
                                           const ElasticityUse& use) {
    return add_elasticity(elasticity, use, Part{name_, part});
}
std::uint32_t ModelBuilder::add_attachment_elasticity(const Elasticity& elasticity) {
    return add_elasticity(elasticity, {}, Part{});
}

void ModelBuilder::add_distances(std::span<const Vec3> positions, std::span<const Edge> pairs,
                                 std::uint32_t elasticity) {
    for (const Edge& e : pairs) {
        const double rest = length(to_double(positions[e[0]]) - to_double(positions[e[1]]));
        add_constraint<kinds::Distance>(e, {static_cast<float>(rest)}, elasticity);
    }
}

void ModelBuilder::add_tetrahedra(std::span<const Tetrahedron> tetrahedra) {
    append(assembly_.tetrahedra, tetrahedra, first_);
}
void ModelBuilder::add_triangles(std::span<const Triangle> triangles) {
    append(assembly_.triangles, triangles, first_);
}
void ModelBuilder::add_lines(std::span<const Edge> lines) { append(assembly_.lines, lines, first_); }

}  // namespace pliant
