// A camera that frames the action by itself.
#pragma once

#include <pliant/output/picture.h>
#include <pliant/view.h>

#include <optional>
#include <span>
#include <vector>

namespace pliant::output {

// A point of the picture: x from left to right and y from top to bottom, both from 0 to 1, if the point is
// in front of the camera.
struct PicturePoint {
    double x = 0, y = 0;
};
std::optional<PicturePoint> project(const Camera& camera, double aspect, Vec3d point);

// The camera that looks along the direction and just shows the whole box, with some air around it.
Camera frame(const Bounds& box, double aspect, Vec3d direction, double field_of_view = 30);

// For a picture narrower than 4 : 3, a wider field of view: as much is seen from left to right as there.
Camera widened(Camera camera, double aspect);

// The points that hold the body in the world.
std::vector<Vec3d> anchors_of(const View& view, const BodyView& body);

// Where the bodies will be as far as one can tell at the start: what is held stays within reach of its
// anchors, and what is free falls until it meets the ground. Colliders are in it too, planes are not.
Bounds expected_bounds(const View& start);

// The plane that points up most, if one does.
std::optional<Plane> ground_of(std::span<const Collider> colliders);

// Shows the expected box at first, backs off with what leaves it, and comes nearer, slowly, when less of it
// has been used for a while.
class SteadyCamera {
public:
    SteadyCamera(const Bounds& expected, double aspect, Vec3d direction = {-0.46, -0.27, -0.85});

    // Once per frame, with what must be in the picture.
    void follow(const Bounds& now);

    Camera camera() const { return frame(framed_, aspect_, direction_); }
    // All that was ever in the picture, so that the stage does not change with every step of the camera.
    const Bounds& stage() const { return stage_; }

private:
    Bounds framed_, stage_;
    Bounds now_used_, used_before_;  // what was there in this period and in the one before
    int frames_ = 0;                 // of this period
    double usual_size_ = 0;
    double aspect_ = 1;
    Vec3d direction_;
};

}  // namespace pliant::output
