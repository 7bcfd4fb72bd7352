// Makes pictures of a running simulation.
#pragma once

#include "output/camera.h"
#include "output/picture.h"
#include "output/skin.h"

#include <pliant/description.h>
#include <pliant/view.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace pliant::output {

// What the colours of the bodies show.
enum class Quantity {
    none,    // which body it is
    strain,  // how much the edges at a particle have changed their lengths, on average
    speed,   // m/s
};

struct PictureOptions {
    bool wireframe = false;
    bool tetrahedra = false;  // each drawn by itself, a little shrunken, in place of the surface
    Quantity quantity = Quantity::none;
    double highest = 0;                    // of the quantity; 0: 0.1 for strain, 5 m/s for speed
    double aspect = 16.0 / 9;              // width over height
    std::optional<Camera> camera{};        // if not given, one that frames the action
    Vec3d direction{-0.46, -0.27, -0.85};  // in which that one looks
    std::vector<Caption> captions{};
    std::vector<std::optional<Color>> colors{};  // of the bodies; where there is none, one of the palette
    // Of the bodies, or empty. Where edges or tetrahedra are asked for, the body shows itself.
    std::vector<Skin> skins{};
};

class PictureMaker {
public:
    PictureMaker(const Description& description, const View& start, PictureOptions options = {});

    // Every view must be of the same simulation, in the order of time. Takes no longer than copying what is
    // seen, and shares nothing with the view. The colliders are where the description has them, unless given.
    Picture make(const View& view);
    Picture make(const View& view, std::span<const Collider> colliders);

private:
    struct Part {
        enum class Kind { surface, tubes, beads } kind = Kind::surface;
        std::vector<std::uint32_t> particles;  // behind each vertex; of a skin, all of the body
        Skin skin;
        std::shared_ptr<const std::vector<Triangle>> triangles;
        std::shared_ptr<const std::vector<std::vector<std::uint32_t>>> paths;
        std::vector<Tetrahedron> tetrahedra;  // of vertices
        Color color;
        Finish finish = Finish::cloth;
        float radius = 0;  // m
    };
    struct RestEdge {
        std::uint32_t a = 0, b = 0;
        float length = 0;
    };

    void add_body(const Description& description, std::size_t body, const View& start);
    void add_rest_edges(const Body& body, const BodyView& view, const View& start);
    std::vector<float> values_of(const View& view) const;
    void show(const Part& part, const View& view, const std::vector<float>& values, Picture& picture) const;

    PictureOptions options_;
    std::vector<Part> parts_;
    std::vector<RestEdge> rest_edges_;
    std::vector<Collider> colliders_;
    std::optional<Plane> ground_;
    bool imaginary_ground_ = false;
    SteadyCamera camera_;
};

}  // namespace pliant::output
