// The input of a simulation: plain structs with defaults. Units are SI throughout.
// (Every field has an initializer: naming only some of them gives no warning.)
#pragma once

#include <pliant/collider_shapes.h>
#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <variant>
#include <vector>

namespace pliant {

// How a material part gives way. XPBD reads compliance and damping, PBD reads stiffness.
struct Elasticity {
    float compliance = 0;  // inverse stiffness; each use names the unit; 0 is rigid
    float damping = 0;     // s, retardation time (viscosity over stiffness); 0 is none
    float stiffness = 1;   // PBD's k in [0, 1], the same at any number of iterations

    friend bool operator==(const Elasticity&, const Elasticity&) = default;
};

// Bodies are geometry and a material.

// How a tetrahedron resists deformation. All but springs need the method xpbd.
enum class Energy {
    arap,         // as rigid as possible: the way back from any state; the default
    neo_hookean,  // rubber, the cheapest; best from a Poisson's ratio of 0.4 on
    stvk,         // Saint Venant–Kirchhoff, with the volume of arap
    dirichlet,    // shrinks whatever is not held
    springs,      // a distance per edge and a volume per tetrahedron
};

struct SoftMaterial {
    Energy energy = Energy::arap;
    float density = 1000;        // kg/m³
    float young_modulus = 1e5f;  // Pa
    float poisson_ratio = 0.4f;  // −1 … 0.5, without the ends
    float damping = 0;           // s, retardation time (viscosity over stiffness)
    // Of springs alone, in place of the three above.
    Elasticity edges{.compliance = 1e-5f};  // 1/Pa: about the inverse of Young's modulus
    Elasticity volumes{};                   // 1/Pa: the inverse of the bulk modulus
};

// A mesh of tetrahedra.
struct SoftBody {
    TetrahedralMesh mesh{};
    SoftMaterial material{};
};

// How cloth resists stretching. All but links need the method xpbd.
enum class MembraneModel {
    links,        // a distance per edge, with the compliance ClothMaterial::stretch; the default
    orthotropic,  // woven cloth: warp, weft and shear have stiffnesses of their own
    stvk,         // Saint Venant–Kirchhoff, the same in all directions
    arap,         // as rigid as possible, the same in all directions
    dirichlet,    // shrinks whatever is not held: a soap film
};
// How cloth resists bending.
enum class BendingModel {
    links,      // a distance across each inner edge, with the compliance of ClothBending; the default
    isometric,  // the cheapest in N·m: linear in positions; folds of the rest shape are dihedral
    dihedral,   // the signed angle between triangles
};

// How warp and weft cross. Of woven cloth with elements: where yarns pass over more than one other, they
// slide more easily. Factors on the stiffnesses of a plain weave of the same yarns (docs/theory/fabrics.md).
enum class Weave {
    none,         // the stiffnesses are as given
    plain,        // over one, under one: the reference
    twill,        // over two, under two, one further in each row: diagonal lines
    satin,        // over four, under one
    herringbone,  // a twill that turns back every eight yarns
};

// Of elements: forces per width, the same at any resolution.
struct ClothMembrane {
    MembraneModel model = MembraneModel::links;
    float warp = 1000;           // N/m, pulled along the warp: force over width and strain
    float weft = 0;              // N/m, along the weft; 0: as the warp. Of orthotropic alone
    float shear = 0;             // N/m; 0: warp/2(1 + ν). Of orthotropic alone
    float poisson_ratio = 0.3f;  // how much it narrows along the weft, pulled along the warp
    float damping = 0;           // s, retardation time
};

struct ClothBending {
    // Of links, m/N per pair of opposite vertices; damping and PBD's stiffness, see Elasticity, of all.
    float compliance = 10, damping = 0, stiffness = 1;
    BendingModel model = BendingModel::links;
    float warp = 1e-4f;  // N·m, bent along the warp: moment per width over curvature
    float weft = 0;      // N·m, along the weft; 0: as the warp
    // rad, of every edge, within ±π; NaN: as in the rest shape, and 0 across seams
    float rest_angle = std::numeric_limits<float>::quiet_NaN();

    Elasticity elasticity() const { return {compliance, damping, stiffness}; }
};

struct ClothMaterial {
    float area_density = 0.2f;  // kg/m²
    Elasticity stretch{};       // m/N per edge, of links
    ClothBending bending{};
    Elasticity seam{};            // m/N per pair of particles that are sewn together
    float sewing_seconds = 0.5f;  // s, from the start: until then the gaps of seams close, and then stay so
    ClothMembrane membrane{};
    Weave weave = Weave::none;
    float strain_limit = 0;  // of orthotropic membranes: no more strain along warp and weft; 0: no limit
    // Of the warp, in the coordinates of the mesh; what lies in the plane of a triangle counts. 0: as
    // Cloth::warp_directions say, else along v of the texture coordinates, else along y, or z where y is
    // normal to the cloth.
    Vec3 warp_direction{};
};

// Triangles that resist stretching and bending.
struct Cloth {
    TriangleMesh mesh{};
    ClothMaterial material{};
    std::vector<Edge> seams{};            // pairs of particles that are sewn together
    std::vector<Vec3> warp_directions{};  // empty, or one for each triangle
};

// How a rope resists bending.
enum class RopeBending {
    rod,     // curvature and twist of frames, solved directly: the default
    angles,  // a spring at each joint: how much it bends, to whatever side; no twist
    links,   // distances to second neighbours, RopeMaterial::second_neighbours: swept, for few segments
};

struct RopeMaterial {
    float linear_density = 0.1f;  // kg/m
    Elasticity stretch{};         // 1/N: strain per newton, the same at any number of links
    float bending = 0;            // N·m², bending stiffness; 0: limp
    RopeBending bending_model = RopeBending::rod;
    Elasticity second_neighbours{};  // 1/N, of links: strain per newton
    float twisting = 0;        // N·m², twisting stiffness, if it has bending; 0: three quarters of bending
    float curl = 1;            // share of the curvature of its first shape that it keeps; 0: straight
    float rest_curvature = 0;  // 1/m, on top of that, over `side`: at rest, a straight rope is an arc
    float twist = 0;           // turns from end to end that it starts with; at rest it has none
    // Of a round rod, in place of bending, twisting and the compliance of stretch: these are then
    // E·π·r⁴/4, G·π·r⁴/2 and 1/(E·π·r²).
    float radius = 0;         // m
    float young_modulus = 0;  // Pa; 0: stiffnesses are given
    float shear_modulus = 0;  // Pa; 0: three eighths of Young's modulus
    // Of a ribbon: `bending` is that over its flat side, this one that along its width; 0: round.
    float edge_bending = 0;  // N·m²
    // Of a ribbon of a material, in place of the radius: bending is E·w·t³/12, edge_bending E·w³·t/12.
    float width = 0, thickness = 0;  // m
    // Direction of the width at the first segment, in the coordinates of the points; what is across the
    // segment counts. 0: horizontal.
    Vec3 side{};
};

// A chain of distance constraints through the points.
struct Rope {
    std::vector<Vec3> positions{};  // m
    RopeMaterial material{};
};

struct ParticleMaterial {
    float mass = 1;     // kg each, unless masses says otherwise
    Elasticity link{};  // m/N
};

struct Link {
    std::uint32_t a = 0, b = 0;
    float rest_length = std::numeric_limits<float>::quiet_NaN();  // m; NaN: as far as they are apart
};

// Particles, free or joined by links.
struct Particles {
    std::vector<Vec3> positions{};  // m
    ParticleMaterial material{};
    std::vector<float> masses{};  // kg; empty, or one for each
    std::vector<Link> links{};
    std::vector<Triangle> triangles{};  // to be shown; may be empty
    std::vector<float> radii{};         // m; empty: the body's, or one for each
};

struct HairMaterial {
    float linear_density = 1e-4f;  // kg/m, of a strand
    float bending = 1e-7f;         // N·m², of a strand; 0: limp
    float twisting = 0;            // N·m², of curls; 0: three quarters of bending
};

// Many strands, which do not stretch, and at rest are as they start.
struct Hair {
    std::vector<Vec3> positions{};  // m, strand after strand, root first
    std::uint32_t points = 20;      // of each strand
    HairMaterial material{};
};

using BodyShape = std::variant<SoftBody, Cloth, Rope, Particles, Hair>;

// How a body meets others, itself and colliders. Of two bodies friction is the square root of the product of
// theirs, restitution the larger; with a collider friction is the collider's times √(body's / 0.5).
struct BodyContact {
    bool bodies = true;  // touches other bodies
    // Touches itself: costs several times the time of a cloth without it. Grains that touch others always do.
    bool self = false;
    float friction = 0.5f;  // Coulomb's coefficient
    float restitution = 0;  // share of the normal speed that comes back, in [0, 1]
    // m; 0: twice the radius of the body if it has one, else a share of the mean length of its edges: 0.3 for
    // cloth, 0.2 for ropes, 0.1 for solids.
    float thickness = 0;
    std::string group{};                 // a name that others may ignore
    std::vector<std::string> ignores{};  // groups that it does not touch
};

struct Body {
    std::string name{};
    BodyShape shape{};
    Vec3d position{};                     // m, where the origin of the shape's points is in the world
    Vec3 velocity{};                      // m/s
    std::vector<std::uint32_t> pinned{};  // these particles do not move
    float radius = 0;                     // m, of each particle, in contact
    BodyContact contact{};                // with other bodies and itself
    // A finer surface that rides on a SoftBody and is shown in its place; in the coordinates of its mesh.
    TriangleMesh skin{};
};

struct ParticleReference {
    std::uint32_t body = 0;
    std::uint32_t particle = 0;  // counted within the body
};

// Ties a particle to a point of the world (which may be moved later) or to another particle.
struct Attachment {
    ParticleReference particle{};
    std::variant<Vec3d, ParticleReference> target{};  // m
    Elasticity elasticity{};                          // m/N
    float rest_length = 0;                            // m, at which it is held from the target
};

// A particle that slides along a rope without friction: a bead, or, if it is pinned, a pulley. The rope runs
// through it from where it is nearest at the start.
struct Ring {
    ParticleReference particle{};
    std::uint32_t rope = 0;  // a body: a Rope without bending
};

// A particle that is carried by a triangle of another body, as if it were stuck to it. The triangle does not
// feel it.
struct Rider {
    ParticleReference particle{};
    std::uint32_t body = 0;
    Triangle triangle{};  // particles of that body
};

enum class Method { xpbd, pbd };

// A sweep over the elements of a solid or the edges of a cloth carries load one element far per substep. What
// is stiffer than that allows is carried by levels: cubes of a few elements; links and tethers of cloth that
// act only where it is stretched.
enum class Levels {
    automatic,  // where it is needed
    off,
};

// How bodies find that they touch each other and themselves.
enum class ContactQuality {
    off,       // they do not
    surfaces,  // vertices and triangles, edges and edges; fast cloth may cross
    safe,      // the same, and nothing crosses that did not at the start
};

// All of it may change while running.
struct Settings {
    Method method = Method::xpbd;
    // No inertia: velocities are forgotten in each substep, so everything goes where forces balance, gravity
    // pulling by g·h² per substep.
    bool quasistatic = false;
    float time_step = 1.0f / 60;  // s, one frame
    int substeps = 10;            // per frame
    int iterations = 1;           // per substep
    Vec3 gravity{0, -9.81f, 0};   // m/s²
    Vec3 wind{};                  // m/s, of the air
    float air_density = 0;        // kg/m³; 0: no air; 1.2 at the ground
    // Coefficients of a thin surface across the air and along it: of a force ½ρ·c·area·speed². Ropes and hair
    // are cylinders and have their own. Of solids one side of a surface is wet: half of it.
    float air_drag = 1.2f, air_friction = 0.02f;
    float gusts = 0;              // share of the wind by which it becomes stronger and weaker, in [0, 1]
    float gust_seconds = 3;       // s, period of the slowest gusts
    float turbulence = 0.1f;      // speed of eddies along each axis, RMS, over that of the wind
    float eddy_size = 1;          // m, of the largest; the smallest have an eighth of it
    std::uint32_t wind_seed = 1;  // of gusts and eddies
    float damping = 0;            // share of all but the rigid motion that goes, per frame, in [0, 1]
    float drag = 0;               // share of all motion that goes, per frame, in [0, 1]
    // Bodies in free flight keep linear and angular momentum; otherwise spin decays with ω²·h per second.
    bool keep_momentum = true;
    // Body sizes per second, along each axis. Constraints make no particle of a body with tetrahedra faster
    // than this, or than something in the body was in the last half second: squashed bodies come back
    // without shooting off. Half of it, for a second, where they come out of a collider.
    float correction_speed = 5;
    // 1/s: how fast what lies on something, hardly moving, loses its vibration; 0: not at all.
    float settling = 6;
    Levels levels = Levels::automatic;
    ContactQuality contact_quality = ContactQuality::safe;
    bool report_contacts = false;  // whether Simulation::contacts() says what touched
};

struct Description {
    std::vector<Body> bodies{};
    std::vector<Attachment> attachments{};
    std::vector<Collider> colliders{};
    Settings settings{};
    std::vector<Ring> rings{};
    std::vector<Rider> riders{};
};

// Runs job(0) … job(count − 1), each once, in any order, on any threads, and returns when all are done.
using ThreadRunner = std::function<void(int count, const std::function<void(int)>& job)>;

// Where it runs. None of this changes a bit of the result.
struct Execution {
    int threads = 0;        // 0: one for each core
    std::string target{};   // "scalar", "sse4", "avx2", "avx512", "simd128"; empty: the environment
                            // variable PLIANT_TARGET, else the widest that this machine has
    ThreadRunner runner{};  // if set, used instead of a thread team of our own
    // If set and true, a step ends after the iteration it is in. The simulation stays usable; its frame was
    // shorter.
    const std::atomic<bool>* interrupt = nullptr;
};

}  // namespace pliant
