#include "model/model.h"

#include <pliant/assertions.h>

#include <algorithm>

#include "base/hash.h"

namespace pliant::model {

using constraints::AllKinds;

std::size_t Model::constraint_count() const {
    std::size_t sum = 0;
    constraints::for_each_list(constraints, [&](const auto& list) { sum += list.size(); });
    return sum;
}

void complete(Model& model) {
    for (const Tetrahedron& t : model.tetrahedra) model.islands[model.island_of[t[0]]].is_soft = true;
    PLIANT_VALIDATE(validate(model));
}

void validate([[maybe_unused]] const Model& model) {
    [[maybe_unused]] const std::size_t count = model.particles();
    [[maybe_unused]] const auto are_particles = [&](const auto& members) {
        return std::all_of(members.begin(), members.end(), [&](std::uint32_t p) { return p < count; });
    };
    PLIANT_ASSERT(model.visible <= count);
    PLIANT_ASSERT(model.inverse_masses.size() == count && model.is_dynamic.size() == count);
    PLIANT_ASSERT(model.radii.size() == count && model.island_of.size() == count);
    PLIANT_ASSERT(std::all_of(model.island_of.begin(), model.island_of.end(),
                              [&](std::uint32_t i) { return i < model.islands.size(); }));
    PLIANT_ASSERT(std::all_of(model.tetrahedra.begin(), model.tetrahedra.end(), are_particles));
    PLIANT_ASSERT(std::all_of(model.triangles.begin(), model.triangles.end(), are_particles));
    PLIANT_ASSERT(std::all_of(model.lines.begin(), model.lines.end(), are_particles));
    PLIANT_ASSERT(model.line_radii.empty() || model.line_radii.size() == model.bodies.size());
    PLIANT_ASSERT(model.rest_volumes.size() == model.tetrahedra.size());
    PLIANT_ASSERT(model.tetrahedron_parts.size() == model.tetrahedra.size());
    constraints::for_each_list(model.constraints, [&]([[maybe_unused]] const auto& list) {
        PLIANT_ASSERT(list.rests.size() == list.size() && list.parts.size() == list.size());
        PLIANT_ASSERT(std::all_of(list.particles.begin(), list.particles.end(), are_particles));
        PLIANT_ASSERT(std::all_of(list.parts.begin(), list.parts.end(),
                                  [&](std::uint32_t p) { return p < model.parts.size(); }));
        // Islands are what nothing joins.
        PLIANT_ASSERT(std::all_of(list.particles.begin(), list.particles.end(), [&](const auto& members) {
            return std::all_of(members.begin(), members.end(), [&](std::uint32_t p) {
                return model.island_of[p] == model.island_of[members[0]];
            });
        }));
    });
}

namespace {

void add_strand_details(const Model& model, Hash& hash) {
    for (const Rod& rod : model.rods) {
        if (rod.is_flat) hash.add(rod.side.x), hash.add(rod.side.y), hash.add(rod.side.z);
    }
    for (const Ring& ring : model.rings) hash.add(ring.particle), hash.add(ring.body);
    for (const Rider& rider : model.riders) {
        hash.add(rider.particle), hash.add(rider.a), hash.add(rider.b), hash.add(rider.c);
        for (const std::uint32_t p : rider.triangle) hash.add(p);
    }
}

}  // namespace

std::uint64_t fingerprint(const Model& model) {
    Hash hash;
    const auto add = [&](const auto& values) {
        hash.add(static_cast<std::uint32_t>(values.size()));
        for (const auto& value : values) hash.add(value);
    };
    const auto add_members = [&](const auto& elements) {
        hash.add(static_cast<std::uint32_t>(elements.size()));
        for (const auto& members : elements) {
            for (const std::uint32_t p : members) hash.add(p);
        }
    };
    const auto add_text = [&](const std::string& text) {
        hash.add(static_cast<std::uint32_t>(text.size()));
        for (const char c : text) hash.add(static_cast<std::uint32_t>(static_cast<unsigned char>(c)));
    };
    hash.add(static_cast<std::uint32_t>(model.visible));
    for (const Vec3& x : model.rest_positions) hash.add(x.x), hash.add(x.y), hash.add(x.z);
    add(model.inverse_masses);
    add(model.radii);
    for (const std::uint8_t dynamic : model.is_dynamic) hash.add(std::uint32_t(dynamic));
    add(model.island_of);
    for (const Island& island : model.islands) hash.add(island.size);
    for (const BodyView& body : model.bodies) add_text(body.name), hash.add(body.particle_count);
    for (const BodyContact& contact : model.contacts) {
        hash.add(contact.radius), hash.add(contact.friction), hash.add(contact.restitution);
        hash.add(std::uint32_t(contact.bodies)), hash.add(std::uint32_t(contact.self));
        for (const std::uint64_t bits : {contact.group, contact.ignores})
            hash.add(static_cast<std::uint32_t>(bits)), hash.add(static_cast<std::uint32_t>(bits >> 32));
    }
    add_members(model.tetrahedra);
    add_members(model.triangles);
    add_members(model.lines);
    for (const Rod& rod : model.rods) hash.add(rod.stretch), hash.add(rod.bending), hash.add(rod.twist);
    add_strand_details(model, hash);
    AllKinds::for_each([&]<class Kind>() {
        const auto& list = constraints::list_of<Kind>(model.constraints);
        add_members(list.particles);
        for (const auto& rest : list.rests) {
            for (const float value : constraints::to_array<Kind>(rest)) hash.add(value);
        }
        add(list.parts);
    });
    for (const MaterialPart& part : model.parts) {
        add_text(part.body);
        add_text(part.name);
        hash.add(part.scale.uniform);
        hash.add(part.scale.per_measure);
        hash.add(part.scale.closing_time);
    }
    add(model.attachment_parts);
    add(model.anchors);
    return hash.value();
}

}  // namespace pliant::model
