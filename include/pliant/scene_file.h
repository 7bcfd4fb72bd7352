// A scene file: plain structs, one for each object of the JSON, with its defaults.
// docs/scenes.md is a tour, docs/reference.md lists every key. Units are SI throughout.
#pragma once

#include <pliant/description.h>
#include <pliant/mesh.h>
#include <pliant/panels.h>
#include <pliant/tetrahedralize.h>
#include <pliant/vector.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace pliant::scene {

// ---- Shapes: the parameters of the makers in shapes.h ----

struct BoxShape {
    Vec3 size{1, 1, 1};
    std::array<int, 3> cells{8, 8, 8};
};

struct BallShape {
    float radius = 0.5f;
    int layers = 6;
};

struct CylinderShape {
    float radius = 0.5f, height = 1;
    int rings = 4, rows = 8;
};

struct CapsuleShape {
    float radius = 0.5f, height = 1;
    int rings = 4, rows = 8;
};

struct TorusShape {
    float major_radius = 0.5f, minor_radius = 0.2f;
    int rings = 3, segments = 32;
};

struct SheetShape {
    float width = 1, depth = 1;
    int columns = 20, rows = 20;
};

struct TubeShape {
    float radius = 0.5f, height = 1;
    int segments = 32, rows = 16;
};

struct SphereShape {
    float radius = 0.5f;
    int frequency = 10;
};

struct LineShape {
    Vec3 from{}, to{1, 0, 0};
    int links = 20;
};

struct HelixShape {
    float radius = 0.2f, height = 1, turns = 5;
    int links = 100;
};

struct GrainsShape {
    Vec3 size{0.5f, 0.5f, 0.5f};
    float spacing = 0.05f, jitter = 0.1f;
    int seed = 1;
};

struct FileShape {
    std::string path{};  // relative to the scene's directory
};

struct PointsShape {
    std::vector<Vec3> points{};
};

// ---- Bodies ----

struct SoftMaterial : pliant::SoftMaterial {
    std::string preset{};  // "" or one of soft_presets(): missing values are its
};

struct Soft {
    std::variant<BoxShape, BallShape, CylinderShape, CapsuleShape, TorusShape, FileShape, TetrahedralMesh>
        shape{};
    TetrahedralizeOptions tetrahedralize{};  // how a file's surface is filled
    SoftMaterial material{};
};

struct ClothMaterial : pliant::ClothMaterial {
    std::string fabric{};  // "" or one of fabrics(): missing values are its
};

struct ClothBody {
    std::variant<SheetShape, TubeShape, SphereShape, FileShape, Panels, TriangleMesh> shape{};
    ClothMaterial material{};
};

struct RopeBody {
    std::variant<LineShape, HelixShape, PointsShape> shape{};
    RopeMaterial material{};
};

struct ParticleBody {
    std::variant<PointsShape, LineShape, GrainsShape> shape{};
    ParticleMaterial material{};
    std::vector<float> masses{};  // kg; empty, or one for each
    std::vector<Link> links{};
    std::vector<Triangle> triangles{};
    std::vector<float> radii{};  // m; empty, or one for each
};

struct DiscScalp {
    float radius = 0.1f;  // m
};
struct SphereScalp {
    float radius = 0.1f;    // m
    float coverage = 0.5f;  // 0 … 1, of its area, from the top
};
struct BodyScalp {
    std::string body{};  // a soft body or cloth that comes before; roots follow its surface
};
struct Curl {
    float radius = 0.01f, pitch = 0.03f;  // m
};
struct HairBody {
    std::variant<DiscScalp, SphereScalp, FileShape, BodyScalp> shape{};
    int strands = 1000, points = 20;
    float length = 0.2f;  // m
    std::optional<Curl> curl{};
    float clump = 0;  // 0 … 1
    std::uint32_t seed = 1;
    HairMaterial material{};
};

// ---- Which particles ----

struct Indices {
    std::vector<std::uint32_t> indices{};
};
struct Region {
    Vec3d low{}, high{};  // m, in the world at the start
};
struct Corner {
    Vec3 direction{};  // the particle that lies furthest this way
};
struct Nearest {
    Vec3d point{};  // m, in the world at the start
};
struct Roots {};  // of hair: the first two points of each strand
struct Selection {
    std::variant<Indices, Region, Corner, Nearest, Roots> which{};
};
struct BodySelection {
    std::string body{};
    Selection particles{};
};

struct Body {
    std::string name{};
    std::string material{};    // "" or a name among the materials
    pliant::Body placement{};  // position, velocity and radius; the rest comes from here
    Quaternion rotation{};
    Vec3 scale{1, 1, 1};
    std::optional<Vec3> color{};  // sRGB, 0 … 1
    std::vector<Selection> pins{};
    std::variant<Soft, ClothBody, RopeBody, ParticleBody, HairBody> kind{};
};

// Values that several bodies share.
struct Material {
    std::string name{};
    std::optional<SoftMaterial> soft{};
    std::optional<ClothMaterial> cloth{};
    std::optional<RopeMaterial> rope{};
    std::optional<ParticleMaterial> particles{};
    std::optional<HairMaterial> hair{};
};

// ---- Motion and attachments ----

struct Keyframe {
    double time = 0;        // s
    Vec3d offset{};         // m, from where it starts
    Quaternion rotation{};  // on top of its own, about its own centre, or the middle of the points
};

// Carries joints, colliders and what is attached to it. At the start its axes are those of the world.
struct Joint {
    std::string name{};
    std::string parent{};            // "" or a joint that comes before
    Vec3d position{};                // m, at the start
    std::vector<Keyframe> motion{};  // about its position, on top of its parent's
};

struct Skeleton {
    std::string name{};
    std::vector<Joint> joints{};
    // In place of joints: the first skin of a .gltf or .glb file, and its animation of that name, or the
    // first.
    std::string file{}, animation{};
    Vec3d position{};  // m, of the file's origin
};

struct OnJoint {
    std::string skeleton{}, joint{};
};

struct Collider {
    pliant::Collider collider{};
    std::vector<Keyframe> motion{};
    std::optional<OnJoint> on_joint{};  // which carries it, in place of a motion
};

struct ToPoint {
    Vec3d point{};  // m
};
struct ToPlace {};  // where each particle is at the start
struct ToParticles {
    BodySelection particles{};
};

struct ToCollider {
    std::uint32_t collider = 0;  // which of the scene's; the ties move along with it
};

// Each particle moves with the joints whose bones are nearest to it at the start: with one, or, where the
// next is farther by less than `blend`, in between. Where the skeleton's file has a mesh with weights, as the
// nearest of its vertices does.
struct ToSkeleton {
    std::string skeleton{};
    float blend = 0;  // m; 0: a quarter of the mean length of its bones
};

// Ties particles to a point, to where they are, one by one to particles of a body, to a collider or to a
// skeleton.
struct Attachment {
    BodySelection particles{};
    std::variant<ToPoint, ToPlace, ToParticles, ToCollider, ToSkeleton> to{};
    Elasticity elasticity{};         // m/N
    float rest_length = 0;           // m, at which it is held from the target
    bool clamp = false;              // of ends of ropes and hair: holds their direction too
    std::vector<Keyframe> motion{};  // of the point or the places
};

// Particles that slide along a rope: beads, or, if they are pinned, pulleys.
struct Ring {
    BodySelection particles{};
    std::string on{};  // a rope
};

// ---- Events ----

struct Squash {
    std::string body{};
    double height = 0;   // m, every particle's y
    double seconds = 0;  // how long it is held so
};
struct Translate {
    std::string body{};
    Vec3d offset{};  // m
};
struct Grab {
    std::string hand{};
    Vec3d point{};  // m; takes the particle nearest to it
};
struct Drag {
    std::string hand{};
    Vec3d to{};          // m
    double seconds = 1;  // on the way
};
struct Release {
    std::string hand{};
};
struct Pin {
    BodySelection particles{};
};
struct Unpin {
    BodySelection particles{};
};
struct ChangeSolver {
    double seconds = 0;   // how long the change takes
    Settings settings{};  // missing values are those of the scene's solver
};
struct ChangeElasticity {
    std::string body{};
    std::string part{};       // "edges", "volumes"; "stretch", "bending", "seam"; "stretch"; "link"
    double seconds = 0;       // how long the change takes
    Elasticity elasticity{};  // missing values are the body's
};

// Of a soft body that is not of springs. Missing values are the preset's, else the body's.
struct ChangeMaterial {
    std::string body{};
    std::string preset{};        // "" or one of soft_presets(); its density is not taken
    double seconds = 0;          // how long the change takes
    float young_modulus = 1e5f;  // Pa
    float poisson_ratio = 0.4f;
    float damping = 0;  // s
};

struct Event {
    double time = 0;  // s
    std::variant<Squash, Translate, Grab, Drag, Release, Pin, Unpin, ChangeSolver, ChangeElasticity,
                 ChangeMaterial>
        action{};
};

// ---- The picture ----

struct Camera {
    Vec3d position{2, 1.5, 3};  // m
    Vec3d target{0, 0.5, 0};    // m
    float field_of_view = 35;   // degrees, from bottom to top
};

struct Light {
    Vec3 direction{-0.3f, 1, 0.52f};  // towards the light
};

// ---- Expectations ----

enum class When { end, always };

struct VolumeRatio {
    double low = 0, high = 1e9;
};
struct Inverted {
    std::uint32_t at_most = 0;
};
struct Crossings {
    std::uint32_t at_most = 0;  // pairs of triangles that meet, of bodies that may touch
};
struct ConstraintError {
    double at_most = 0;
};
struct EnergyRise {
    double at_most = 0;  // J above the start
};
struct Speed {
    double at_most = 0;  // m/s, of the fastest particle
};
struct Height {
    std::string body{};
    double low = -1e9, high = 1e9;  // m, of the mean of its particles
};
struct Center {
    std::string body{};
    Vec3d near{};       // m
    double within = 0;  // m
};
struct Spin {
    std::string body{};
    double low = 0, high = 1e9;  // rad/s, of the rigid motion with the momenta of its particles
};
struct Stretch {
    std::string body{};
    double at_most = 0;  // of the worst of its triangles' edges, over its length at the start
};
struct StateHash {
    std::string hash{};  // 16 hexadecimal digits
};

struct Expectation {
    When when = When::end;
    std::variant<VolumeRatio, Inverted, Crossings, ConstraintError, EnergyRise, Speed, Height, Center, Spin,
                 Stretch, StateHash>
        what{};
};

struct File {
    std::string about{};
    int frames = 300;
    Settings solver{};
    std::vector<Material> materials{};
    std::vector<Body> bodies{};
    std::vector<Skeleton> skeletons{};
    std::vector<Attachment> attachments{};
    std::vector<Ring> rings{};
    std::vector<Collider> colliders{};
    std::vector<Event> events{};
    std::optional<Camera> camera{};
    std::optional<Light> light{};
    std::vector<std::string> compare{};  // "solver/iterations=1,5,20": runs that are shown side by side
    std::vector<Expectation> expect{};
};

}  // namespace pliant::scene
