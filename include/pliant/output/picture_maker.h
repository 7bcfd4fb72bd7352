// Makes pictures of a running simulation.
#pragma once

#include <pliant/output/picture.h>
#include <pliant/view.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace pliant::output {

// The meaning of the colours of the bodies.
enum class Quantity {
    none,    // which body it is
    strain,  // how much the edges at a particle have changed their lengths, on average
    speed,   // m/s
    given,   // numbers of the particles that make() is handed, from 0 to 1 if `highest` says no more
};

struct PictureOptions {
    bool wireframe = false;   // the edges of surfaces too; a body with a skin shows itself
    bool tetrahedra = false;  // each drawn by itself, a little shrunken, in place of the surface
    Quantity quantity = Quantity::none;
    double highest = 0;                    // of the quantity; 0: 0.1 for strain, 5 m/s for speed
    double aspect = 16.0 / 9;              // width over height
    std::optional<Camera> camera{};        // if not given, one that frames the action
    Vec3d direction{-0.46, -0.27, -0.85};  // in which that one looks
    std::optional<Vec3> light{};           // towards the light
    std::vector<Caption> captions{};
    std::vector<std::optional<Color>> colors{};  // of the bodies; where there is none, one of the palette
};

// A body is shown by its skin; without one, by its triangles. Particles that are no corners of those are
// beads of their radius, and the lines that end at them are tubes; a rope is one smooth tube.
class PictureMaker {
public:
    explicit PictureMaker(const View& start, PictureOptions options = {});

    PictureMaker(PictureMaker&&) noexcept;
    PictureMaker& operator=(PictureMaker&&) noexcept;
    ~PictureMaker();

    // Every view must be of the same simulation, in the order of time. Takes no longer than a copy of the
    // visible parts, and shares nothing with the view.
    // given: one number a particle, for Quantity::given.
    Picture make(const View& view, std::span<const float> given = {});

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace pliant::output
