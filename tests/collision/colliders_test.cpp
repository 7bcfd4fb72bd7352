// What holds for every collider shape of the list.
#include <doctest/doctest.h>
#include <algorithm>
#include <cmath>
#include <string>

#include "support/random_colliders.h"

using namespace pliant;
using namespace pliant::test;

TEST_CASE("the surface of every shape is where the distance is 0, and faces outward") {
    for_many_shapes([]<class Kind>(const typename Kind::Shape& shape, RandomSource& random) {
        const Vec3d center = random.point(100);
        const TriangleMesh mesh = Kind::surface(shape, center, 10);
        REQUIRE(mesh.normals.size() == mesh.triangles.size());
        double worst = 0, least = 1;
        for (const Vec3& p : mesh.positions) {
            worst = std::max(worst, std::abs(distance_at<Kind>(shape, in_double(p) + center)));
        }
        for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
            const Triangle& t = mesh.triangles[i];
            const Vec3d a = in_double(mesh.positions[t[0]]), b = in_double(mesh.positions[t[1]]),
                        c = in_double(mesh.positions[t[2]]);
            const Vec3d n = cross(b - a, c - a);
            for (const Vec3& given : mesh.normals[i]) {
                CHECK(std::abs(size_of(in_double(given)) - 1) < 1e-5);
                least = std::min(least, dot(n, in_double(given)) / size_of(n));
            }
            // A little outside, the normal of the contact is that of the corner.
            const Vec3d out = (a + b + c) * (1.0 / 3) + center + n * (0.01 / size_of(n));
            const Vec3d mean = in_double(mesh.normals[i][0] + mesh.normals[i][1] + mesh.normals[i][2]);
            const Vec3d normal = contact_at<Kind>(shape, out).normal;
            if (std::is_base_of_v<MeshBase, Kind>) {  // drawn smoother than it is
                CHECK(dot(normal, n) > 0.999 * size_of(n));
            } else {
                CHECK(dot(normal, mean) > 2.9);
            }
        }
        CHECK(worst < 3e-5 + skin_of<Kind>(shape));  // floats at a distance of 100
        CHECK(least > 0.9);
    });
}

TEST_CASE("the distance of every shape is that to the nearest point of its surface") {
    for_many_shapes([]<class Kind>(const typename Kind::Shape& shape, RandomSource& random) {
        const TriangleMesh mesh = Kind::surface(shape, {}, 5);
        for (int k = 0; k < 5; ++k) {
            const Vec3d x = random.point(2);
            const double distance = distance_at<Kind>(shape, x);
            const Vec3d foot = x - contact_at<Kind>(shape, x).normal * distance;
            CHECK(std::abs(distance_at<Kind>(shape, foot)) < 1e-5 + 2 * skin_of<Kind>(shape));
            double nearest = 100;
            for (const Triangle& t : mesh.triangles) {
                for (const auto& [u, v] : {std::pair{0.0, 0.0}, {1.0, 0.0}, {0.3, 0.3}, {0.5, 0.1}}) {
                    const Vec3d a = in_double(mesh.positions[t[0]]), b = in_double(mesh.positions[t[1]]),
                                c = in_double(mesh.positions[t[2]]);
                    nearest = std::min(nearest, size_of(a + (b - a) * u + (c - a) * v - x));
                }
            }
            CHECK(std::abs(distance) < nearest + 0.01);  // facets lie a little inside round shapes
        }
    });
}

TEST_CASE("the distance to a capsule agrees with the least one to points of its segment") {
    RandomSource random(3);
    for (int i = 0; i < 300; ++i) {
        Capsule capsule;
        randomize(capsule, random);
        const Vec3d x = random.point(2);
        const double r = random.real(0, 0.2);
        double least = 100;
        constexpr int count = 4000;
        for (int k = 0; k <= count; ++k) {
            const double t = double(k) / count;
            least = std::min(least, size_of(capsule.a * (1 - t) + capsule.b * t - x));
        }
        CHECK(std::abs(contact_at<CapsuleCollider>(capsule, x, {}, r).distance -
                       (least - double(capsule.radius) - r)) < 1e-4);
    }
}

TEST_CASE("the normal of every shape is the gradient of its distance") {
    for_many_shapes([]<class Kind>(const typename Kind::Shape& shape, RandomSource& random) {
        constexpr double h = 1e-5;
        for (int k = 0; k < 10; ++k) {
            const Vec3d x = random.point(2), axes[3] = {{h, 0, 0}, {0, h, 0}, {0, 0, h}};
            double forward[3], backward[3], kink = 0;
            for (int c = 0; c < 3; ++c) {
                const double here = distance_at<Kind>(shape, x);
                forward[c] = (distance_at<Kind>(shape, x + axes[c]) - here) / h;
                backward[c] = (here - distance_at<Kind>(shape, x - axes[c])) / h;
                kink = std::max(kink, std::abs(forward[c] - backward[c]));
            }
            if (kink > 1e-2) continue;  // the nearest point jumps there
            const Vec3d gradient{(forward[0] + backward[0]) / 2, (forward[1] + backward[1]) / 2,
                                 (forward[2] + backward[2]) / 2};
            CHECK(size_of(gradient - contact_at<Kind>(shape, x).normal) < 1e-3);
        }
    });
}

TEST_CASE("inside of every shape there is a way out, even from its very middle") {
    for_many_shapes([]<class Kind>(const typename Kind::Shape& shape, RandomSource&) {
        const typename Kind::Local local = Kind::localize(shape, middle_of<Kind>(shape));
        // In a hollow of a field a ball touches other slopes too.
        const double r = std::is_same_v<Kind, HeightFieldCollider> ? 0 : 0.1;
        const Contact<double> middle = Kind::template contact<double>(local, {}, {}, r);
        CHECK(std::abs(size_of(middle.normal) - 1) < 1e-5);
        CHECK(middle.distance <= -r);
        const Vec3d out = middle.normal * -middle.distance;
        CHECK(std::abs(Kind::template contact<double>(local, out, {}, r).distance) <
              1e-5 + skin_of<Kind>(shape));
    });
}

TEST_CASE("a long step into any shape gives the plane at which it enters") {
    int entered = 0, missed = 0;
    for_many_shapes([&]<class Kind>(const typename Kind::Shape& shape, RandomSource& random) {
        if (std::is_same_v<Kind, HeightFieldCollider>) return;  // what enters a hollow meets several planes
        for (int k = 0; k < 20; ++k) {
            const Vec3d from = random.point(4);
            const Vec3d step = (Kind::point(shape) + random.point(1.5) - from) * random.real(1, 3);
            if (distance_at<Kind>(shape, from) <= 0.01 || size_of(step) < 2) continue;
            // March, then halve.
            constexpr int steps = 3000;
            double t = 0, least = 100;
            for (int i = 1; i <= steps && t == 0; ++i) {
                const double distance = distance_at<Kind>(shape, from + step * (double(i) / steps));
                least = std::min(least, distance);
                if (distance < 0) t = double(i) / steps;
            }
            const Contact<double> swept = contact_at<Kind>(shape, from + step, step);
            if (t == 0) {
                missed += 1;
                if (least > 0.01) CHECK(swept.distance > 0);
                continue;
            }
            double low = t - 1.0 / steps;
            for (int i = 0; i < 40; ++i) {
                const double middle = (low + t) / 2;
                (distance_at<Kind>(shape, from + step * middle) < 0 ? t : low) = middle;
            }
            const Vec3d n = contact_at<Kind>(shape, from + step * (t - 1e-7)).normal;
            if (dot(n, step) > -0.2 * size_of(step)) continue;  // grazing
            entered += 1;
            CAPTURE(t);
            CHECK(std::abs(swept.distance - dot(n, step) * (1 - t)) < 1e-3);
            CHECK(size_of(swept.normal - n) < 1e-3);
        }
    });
    CHECK(entered > 1000);
    CHECK(missed > 500);
}

TEST_CASE("the bounds of every shape touch its surface on all sides") {
    for_many_shapes([]<class Kind>(const typename Kind::Shape& shape, RandomSource&) {
        const Bounds bounds = Kind::bounds(shape);
        if (!std::isfinite(bounds.low.x)) return;
        Bounds seen{{1e9, 1e9, 1e9}, {-1e9, -1e9, -1e9}};
        for (const Vec3& p : Kind::surface(shape, {}, 1).positions) {
            for (double Vec3d::*c : {&Vec3d::x, &Vec3d::y, &Vec3d::z}) {
                seen.low.*c = std::min(seen.low.*c, in_double(p).*c);
                seen.high.*c = std::max(seen.high.*c, in_double(p).*c);
            }
        }
        for (double Vec3d::*c : {&Vec3d::x, &Vec3d::y, &Vec3d::z}) {
            CHECK(seen.low.*c > bounds.low.*c - 1e-5);
            CHECK(seen.low.*c < bounds.low.*c + 0.02);
            CHECK(seen.high.*c < bounds.high.*c + 1e-5);
            CHECK(seen.high.*c > bounds.high.*c - 0.02);
        }
    });
}

TEST_CASE("what rides on a moving shape keeps its distance") {
    for_many_shapes([]<class Kind>(const typename Kind::Shape& before, RandomSource& random) {
        constexpr float small = 1e-3f;
        const Vec3 turn = random.point_float(small);
        const Pose pose{random.point(0.01), {turn.x, turn.y, turn.z, 1}};
        const typename Kind::Shape after = Kind::moved(before, pose);
        const Vec3d origin = random.point(10);
        const Collider start{before, 0, 0}, end{after, 0, 0};
        LocalColliders colliders;
        colliders.place({&start, 1}, {&end, 1}, origin);
        const ColliderSet set = colliders.set();
        const LocalSpan<Kind>& span = span_of<Kind>(set);
        REQUIRE(span.count == 1);
        REQUIRE(span.first[0].moves);
        for (int k = 0; k < 10; ++k) {
            const Vec3d x = random.point(2);
            const Vec3d came_from = x - motion_at<double>(span.first[0], x - origin);
            CHECK(std::abs(distance_at<Kind>(after, x) - distance_at<Kind>(before, came_from)) < 3e-5);
        }
        // Half of the way is half of the motion.
        const Pose half{pose.offset * 0.5, {turn.x / 2, turn.y / 2, turn.z / 2, 1}};
        const auto middle = std::get<typename Kind::Shape>(between(before, after, 0.5));
        for (int k = 0; k < 10; ++k) {
            const Vec3d x = random.point(2);
            CHECK(std::abs(distance_at<Kind>(middle, x) - distance_at<Kind>(Kind::moved(before, half), x)) <
                  3e-5);
        }
    });
}

TEST_CASE("a capsule keeps its length on the way round, and may become a ball") {
    const Capsule lying{{-1, 0, 0}, {1, 0, 0}, 0.1f}, standing{{0, -1, 0}, {0, 1, 0}, 0.3f};
    const Capsule half = CapsuleCollider::mix(lying, standing, 0.5);
    CHECK(std::abs(size_of(half.b - half.a) - 2) < 1e-12);
    CHECK(half.radius == doctest::Approx(0.2));
    const Capsule back = CapsuleCollider::mix(lying, {{1, 0, 0}, {-1, 0, 0}, 0.1f}, 0.5);
    CHECK(std::abs(size_of(back.b - back.a) - 2) < 1e-12);
    const Capsule ball = CapsuleCollider::mix(lying, {{0, 0, 0}, {0, 0, 0}, 0.1f}, 0.5);
    CHECK(size_of(ball.b - Vec3d{0.5, 0, 0}) < 1e-12);
}

TEST_CASE("no collider that particles touch is left out as too far") {
    RandomSource random(11);
    int near = 0, far = 0;
    for (int i = 0; i < 400; ++i) {
        CAPTURE(i);
        std::vector<Collider> before, after;
        AllColliders::for_each([&]<class Kind>() {
            for (int k = 0; k < 3; ++k) {
                typename Kind::Shape shape;
                randomize(shape, random);
                const Pose far_away{random.point(8), {}};
                before.push_back({Kind::moved(shape, far_away)});
                after.push_back(before.back());
                if (random.chance(0.3))
                    after.back().shape = Kind::moved(shape, {far_away.offset + random.point(0.1), {}});
            }
        });
        LocalColliders all, found;
        all.place(before, after, {});
        LocalBounds bounds;
        bounds.center = random.point(2);
        bounds.half = {random.real(0.01, 0.5), random.real(0.01, 0.5), random.real(0.01, 0.5)};
        const double radius = random.chance(0.5) ? 0 : 0.1;
        found.keep_near(all, bounds, radius);
        near += static_cast<int>(found.size());
        far += static_cast<int>(all.size() - found.size());
        const auto in_bounds = [&] {
            const Vec3d a = random.point(1);
            return bounds.center + Vec3d{a.x * bounds.half.x, a.y * bounds.half.y, a.z * bounds.half.z};
        };
        for (int k = 0; k < 50; ++k) {
            const Vec3d x = in_bounds(), step = x - in_bounds();
            AllColliders::for_each([&]<class Kind>() {
                const auto touched = [&](const ColliderSet& set) {
                    int count = 0;
                    const LocalSpan<Kind>& span = span_of<Kind>(set);
                    for (std::size_t c = 0; c < span.count; ++c) {
                        const auto& local = span.first[c];
                        const Vec3d relative = step - motion_at<double>(local, x);
                        count += Kind::template contact<double>(local, x, relative, radius).distance < 0;
                    }
                    return count;
                };
                CHECK(touched(found.set()) == touched(all.set()));
            });
        }
    }
    CHECK(near > 500);
    CHECK(far > 300);
}
