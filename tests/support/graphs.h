// Constraint graphs to cut, pack and lay out.
#pragma once

#include <pliant/description.h>
#include <pliant/mesh.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "model/model.h"
#include "scenes/scenes.h"
#include "solvers/position_based/plan.h"
#include "support/random_source.h"

namespace pliant::test {

using namespace constraints;

// What a plan is made from. add() gives each constraint a rest of its own, its number in the list, so that
// every one can be told from every other.
struct Graph {
    std::string name;
    model::Model model;

    std::uint32_t add_particle(Vec3 position, std::uint32_t island = 0, bool is_dynamic = true) {
        model.rest_positions.push_back(position);
        model.inverse_masses.push_back(1);
        model.is_dynamic.push_back(is_dynamic);
        model.radii.push_back(0);
        model.island_of.push_back(island);
        while (model.islands.size() <= island) model.islands.emplace_back();
        model.visible = model.particles();
        return static_cast<std::uint32_t>(model.particles() - 1);
    }
    template <class Kind>
    void add(const std::array<std::uint32_t, Kind::arity>& particles, std::uint32_t part = 0) {
        auto& list = list_of<Kind>(model.constraints);
        const auto number = static_cast<float>(list.size());
        list.add(particles, make_rest<Kind, float>([&](std::size_t) { return number; }), part);
        while (model.parts.size() <= part) model.parts.emplace_back();
    }
    std::size_t particles() const { return model.particles(); }
    solvers::position_based::Plan plan() const {
        return solvers::position_based::make_plan(model, model.is_dynamic);
    }
};

// Of a scene with one body.
inline Graph graph_of_scene(const std::string& name) {
    const Body body = scenes::make(name)->bodies.at(0);
    Graph graph{name, {}};
    const auto add_particles = [&](const std::vector<Vec3>& positions) {
        for (const Vec3& p : positions) graph.add_particle(p);
        for (const std::uint32_t p : body.pinned) graph.model.is_dynamic[p] = 0;
    };
    if (const auto* shape = std::get_if<Particles>(&body.shape)) {
        add_particles(shape->positions);
        for (const Link& link : shape->links) graph.add<kinds::Distance>({link.a, link.b});
    } else if (const auto* block = std::get_if<SoftBody>(&body.shape)) {
        add_particles(block->mesh.positions);
        for (const Edge& e : unique_edges(block->mesh.tetrahedra)) graph.add<kinds::Distance>(e);
        for (const Tetrahedron& t : block->mesh.tetrahedra) graph.add<kinds::Volume>(t, 1);
    } else {
        add_particles(std::get<Rope>(body.shape).positions);
        for (std::uint32_t i = 0; i + 1 < graph.particles(); ++i) graph.add<kinds::Distance>({i, i + 1});
    }
    return graph;
}

inline Graph chain(std::uint32_t links) {
    Graph graph{"chain", {}};
    for (std::uint32_t i = 0; i <= links; ++i) graph.add_particle({static_cast<float>(i), 0, 0});
    for (std::uint32_t i = 0; i < links; ++i) graph.add<kinds::Distance>({i, i + 1});
    return graph;
}

// Bodies of two particles, each with an origin of its own.
inline Graph many_pairs(std::uint32_t count) {
    Graph graph{"many pairs", {}};
    for (std::uint32_t i = 0; i < count; ++i) {
        const float x = static_cast<float>(i);
        const std::uint32_t a = graph.add_particle({x, 0, 0}, i), b = graph.add_particle({x, 1, 0}, i);
        graph.add<kinds::Distance>({a, b}, i);
    }
    return graph;
}

// One particle joined to all others.
inline Graph hub(std::uint32_t spokes, bool pinned) {
    Graph graph{pinned ? "pinned hub" : "moving hub", {}};
    graph.add_particle({0, 0, 0}, 0, !pinned);
    for (std::uint32_t i = 1; i <= spokes; ++i) {
        graph.add_particle({static_cast<float>(i), 1, 0});
        graph.add<kinds::Distance>({0, i});
    }
    return graph;
}

inline Graph free_particles(std::uint32_t count, std::uint32_t islands) {
    Graph graph{"free particles", {}};
    for (std::uint32_t i = 0; i < count; ++i)
        graph.add_particle({static_cast<float>(i), 0, 0}, i * islands / count);
    return graph;
}

// Constraints of every kind between random particles of random islands; some particles are pinned, some
// belong to nothing.
inline Graph random_graph(std::uint64_t seed, std::uint32_t particles, std::uint32_t constraints) {
    RandomSource random(seed);
    Graph graph{"random graph " + std::to_string(seed), {}};
    const std::size_t islands = 1 + random.below(4);
    for (std::uint32_t i = 0; i < particles; ++i) {
        const std::uint32_t island = i < islands ? i : random.index(islands);
        graph.add_particle(random.point_float(), island, !random.chance(0.1));
    }
    std::vector<std::vector<std::uint32_t>> members(islands);
    for (std::uint32_t i = 0; i < particles; ++i) members[graph.model.island_of[i]].push_back(i);
    // Neighbours in the list are near each other, so that there are many levels.
    const std::size_t reach = 5 + random.below(40);
    AllKinds::for_each([&]<class Kind>() {
        for (std::uint32_t i = 0; i < constraints; ++i) {
            const auto& from = members[random.below(islands)];
            if (from.size() < reach) continue;
            const std::size_t first = random.below(from.size() - reach + 1);
            std::array<std::uint32_t, Kind::arity> chosen{};
            for (std::size_t k = 0; k < Kind::arity; ++k) {
                do {
                    chosen[k] = from[first + random.below(reach)];
                } while (std::find(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(k),
                                   chosen[k]) != chosen.begin() + static_cast<std::ptrdiff_t>(k));
            }
            graph.add<Kind>(chosen, random.index(3));
        }
    });
    return graph;
}

inline std::vector<Graph> all_graphs() {
    std::vector<Graph> graphs;
    for (const char* name : {"c40", "c100", "j8", "j20", "rope"}) graphs.push_back(graph_of_scene(name));
    graphs.push_back(chain(60000));
    graphs.push_back(many_pairs(500));
    graphs.push_back(hub(5000, false));
    graphs.push_back(hub(5000, true));
    graphs.push_back(hub(40000, false));
    graphs.push_back(free_particles(1, 1));
    graphs.push_back(free_particles(16, 1));
    graphs.push_back(free_particles(3000, 7));
    for (std::uint64_t seed = 1; seed <= 6; ++seed)
        graphs.push_back(random_graph(seed, 2000, seed % 2 ? 500 : 12000));
    for (Graph& graph : graphs) {
        if (graph.model.parts.empty()) graph.model.parts.emplace_back();
    }
    return graphs;
}

}  // namespace pliant::test
