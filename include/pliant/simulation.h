// A running simulation. Simulations share nothing: each may live in a thread of its own.
#pragma once

#include <pliant/description.h>
#include <pliant/error.h>
#include <pliant/view.h>

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace pliant {

// How the solver sees a particle: a number that pictures show. A body without it has -1.
enum class Trait {
    subdomain,  // the piece of the scene that it belongs to: pieces run side by side
    block,      // the first block that moves it: constraints of a block share no particle, and run in lanes
    level,      // the node of the coarse level, or of the first level of cloth, that moves it most
    contact,    // 1 where it touches a collider, another body, its own or a grain, else 0
};

class Simulation {
public:
    static Result<Simulation> create(const Description& description, const Execution& execution = {});

    Simulation(Simulation&&) noexcept;
    Simulation& operator=(Simulation&&) noexcept;
    ~Simulation();

    void step();   // one frame: settings().time_step seconds
    void reset();  // back to the description; changed settings and materials stay

    View view() const;
    const std::vector<Collider>& colliders() const;  // where they are now
    Diagnostics diagnostics() const;
    // Of every body of tetrahedra that asks for a modulus; none with PBD, whose stiffness is no modulus.
    std::vector<Stiffness> stiffness() const;
    // Bodies that are in each other, themselves or colliders, among those that may touch: what contact must
    // part, which takes time and changes shapes. Looks at all triangles.
    std::vector<Overlap> overlaps() const;
    // What touched in the last frame, if settings().report_contacts: by body, colliders after bodies.
    const std::vector<ContactReport>& contacts() const;
    std::vector<float> traits(Trait trait) const;  // of every particle, as in view().positions
    std::uint64_t state_hash() const;              // over the bits of every particle
    std::string_view target() const;               // the instruction set in use
    int threads() const;

    // Change parameters while it runs.
    const Settings& settings() const;
    Status configure(const Settings& settings);
    // part: "edges" or "volumes" of a SoftBody, "stretch", "bending" or "seam" of a Cloth, "stretch" of a
    // Rope, "link" of Particles.
    Status set_elasticity(std::string_view body, std::string_view part, const Elasticity& elasticity);
    // Of a SoftBody: its modulus, ratio and damping, or edges and volumes of springs. Energy and density stay
    // as they are; another one is an Error.
    Status set_material(std::string_view body, const SoftMaterial& material);
    Status set_attachment_elasticity(std::uint32_t attachment, const Elasticity& elasticity);
    // A constant of a part's material: "curl" of the "bending" of a Rope.
    Status set_material_constant(std::string_view body, std::string_view part, std::string_view name,
                                 float value);
    // Materials, friction and restitution of another description, where they differ from those of the one
    // before. False, and nothing changes, if that cannot be done while it runs (other shapes, masses,
    // energies), or if nothing differs.
    Result<bool> adopt(const Description& description);
    // A value of one constraint's rest: set_rest("distance", 3, "rest_length", 0.5f). Constraints of a kind
    // are counted body after body, attachments last; catalog() lists kinds and names. NaN takes the
    // constraint away. reset() brings everything back.
    Status set_rest(std::string_view kind, std::uint32_t constraint, std::string_view name, float value);

    // Particles are counted as in view().positions.
    Status set_force(std::uint32_t particle, Vec3 force);  // N, acts until changed
    void clear_forces();
    Status pin(std::uint32_t particle);
    Status unpin(std::uint32_t particle);
    Status set_velocity(std::uint32_t particle, Vec3 velocity);      // m/s
    Status move_attachment(std::uint32_t attachment, Vec3d target);  // reached at the end of the next step
    // The same kind of shape elsewhere, turned or resized; it is there at the end of the next step, pushes
    // and drags particles on its way, and then rests.
    Status move_collider(std::uint32_t collider, const ColliderShape& shape);

    // Edit bodies.
    Status translate(std::string_view body, Vec3d offset);
    Status squash(std::string_view body, double height);  // every particle to this y, at rest

    // Take hold of the particle nearest to a point, or to where a ray meets the surface; it then
    // follows drag() and flies on with the drag's velocity after release().
    Result<std::uint32_t> grab(Vec3d point);
    Result<std::uint32_t> grab_ray(Vec3d origin, Vec3 direction);
    Status drag(std::uint32_t grabbed, Vec3d point);
    Status release(std::uint32_t grabbed);

    // Everything that moves, settings and materials, as a value: restoring it and stepping on repeats the
    // run bit by bit.
    class Snapshot;
    std::shared_ptr<const Snapshot> save() const;
    Status restore(const std::shared_ptr<const Snapshot>& snapshot);

private:
    struct Implementation;
    explicit Simulation(std::unique_ptr<Implementation> implementation);
    std::unique_ptr<Implementation> implementation_;
};

// Instruction sets that this machine can run, narrowest first.
std::vector<std::string_view> available_targets();

}  // namespace pliant
