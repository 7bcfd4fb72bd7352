// A camera that frames the action by itself.
#pragma once

#include "output/picture.h"

#include <optional>

namespace pliant::output {

// A point of the picture: x from left to right and y from top to bottom, both from 0 to 1, if the point is
// in front of the camera.
struct PicturePoint {
    double x = 0, y = 0;
};
std::optional<PicturePoint> project(const Camera& camera, double aspect, Vec3d point);

// The camera that looks along the direction and just shows the whole box, with some air around it.
Camera frame(const Bounds& box, double aspect, Vec3d direction, double field_of_view = 30);

// Where the bodies will be as far as one can tell beforehand: what is held stays within reach of its pins,
// and what is free falls until it meets the ground. Spheres and boxes are in it too, planes are not.
Bounds expected_bounds(const Description& description);

// The plane that points up most, if one does.
std::optional<Plane> ground_of(const std::vector<Collider>& colliders);

// Stands still while all stays within the expected box, and backs off gently when something leaves it.
class SteadyCamera {
public:
    SteadyCamera(const Bounds& expected, double aspect, Vec3d direction = {-0.5, -0.32, -0.8});

    // Once a frame, with what must be in the picture.
    void follow(const Bounds& now);

    Camera camera() const { return frame(framed_, aspect_, direction_); }
    const Bounds& stage() const { return framed_; }

private:
    Bounds framed_;
    double usual_size_ = 0;
    double aspect_ = 1;
    Vec3d direction_;
};

}  // namespace pliant::output
