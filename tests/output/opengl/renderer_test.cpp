#include <pliant/output/renderer.h>

#include "output/picture/camera.h"
#include "support/pictures.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <thread>
#include <vector>

using namespace pliant;
using namespace pliant::output;
using test::Pixels;

namespace {

Renderer make_renderer(int width, int height) {
    Result<Renderer> renderer = Renderer::create(width, height);
    REQUIRE_MESSAGE(renderer, renderer.error().text());
    return std::move(*renderer);
}

Surface triangle(Vec3 a, Vec3 b, Vec3 c) {
    Surface surface;
    surface.positions = {a, b, c};
    surface.triangles = std::make_shared<const std::vector<Triangle>>(std::vector<Triangle>{{0, 1, 2}});
    surface.color = {0.85f, 0.15f, 0.12f};
    return surface;
}

}  // namespace

TEST_CASE("a ball is drawn where the camera sees it, and nowhere else") {
    Renderer renderer = make_renderer(320, 180);
    Picture picture = test::ball_picture();
    const Pixels pixels = test::drawn(renderer, picture);
    CHECK(test::is_reddish(pixels.at(160, 90)));
    for (const auto& [x, y] : {std::pair{0, 0}, {319, 0}, {0, 179}, {319, 179}}) {
        CHECK(!test::is_reddish(pixels.at(x, y)));
    }
    // Its outline: the half angle of the ball is asin(1/6), that of the picture 15 degrees.
    const double radius = 90 * std::tan(std::asin(1.0 / 6)) / std::tan(15 * 3.14159265358979 / 180);
    int column = 160;
    while (column < 320 && test::is_reddish(pixels.at(column, 90))) ++column;
    CHECK(column - 160 == doctest::Approx(radius).epsilon(0.03));
    int row = 90;
    while (row >= 0 && test::is_reddish(pixels.at(160, row))) --row;
    CHECK(90 - row == doctest::Approx(radius).epsilon(0.03));
}

TEST_CASE("a tube is as thick in every direction, up to rounding along an axis") {
    Renderer renderer = make_renderer(160, 90);
    for (const Vec3 along : {Vec3{1, 0, 0}, Vec3{1, 1e-7f, 0}, Vec3{1, -3e-6f, 2e-6f},
                             Vec3{0.995f, 0.0998f, 0}, Vec3{1e-7f, 1, 0}}) {
        Picture picture = test::ball_picture();
        picture.surfaces.clear();
        picture.beads.clear();
        Tubes tube;
        tube.positions = {-along, along};
        tube.paths = std::make_shared<const std::vector<std::vector<std::uint32_t>>>(
            std::vector<std::vector<std::uint32_t>>{{0, 1}});
        tube.radius = 0.3f;
        tube.color = {0.85f, 0.15f, 0.12f};
        picture.tubes = {tube};
        const Pixels pixels = test::drawn(renderer, picture);
        int count = 0;
        for (int y = 0; y < 90; ++y) {
            for (int x = 0; x < 160; ++x) count += test::is_reddish(pixels.at(x, y)) ? 1 : 0;
        }
        CAPTURE(along.y);
        // 2 m × 0.6 m and two half discs, in a picture 3.2 m high at the tube's distance.
        CHECK(count == doctest::Approx((2 * 0.6 + 3.14 * 0.09) * 90 * 90 / (3.215 * 3.215)).epsilon(0.06));
    }
}

TEST_CASE("what project() says is where the renderer draws") {
    Renderer renderer = make_renderer(400, 300);
    Picture picture;
    picture.camera = {{3, 2.5, 4}, {0.2, 0.1, -0.3}, 40};
    picture.stage.add(Vec3d{-2, -2, -2});
    picture.stage.add(Vec3d{2, 2, 2});
    for (const Vec3d point : {Vec3d{0.9, 0.4, 0.3}, Vec3d{-0.8, 0.7, -0.6}}) {
        picture.beads = {
            {{{static_cast<float>(point.x), static_cast<float>(point.y), static_cast<float>(point.z)}},
             {},
             0.08f,
             {0.85f, 0.15f, 0.12f}}};
        const Pixels pixels = test::drawn(renderer, picture);
        const auto expected = project(picture.camera, 4.0 / 3, point);
        REQUIRE(expected);
        double x = 0, y = 0, count = 0;
        for (int j = 0; j < 300; ++j) {
            for (int i = 0; i < 400; ++i) {
                if (!test::is_reddish(pixels.at(i, j))) continue;
                x += i + 0.5;
                y += j + 0.5;
                ++count;
            }
        }
        REQUIRE(count > 50);
        CHECK(x / count == doctest::Approx(400 * expected->x).epsilon(0.01));
        CHECK(y / count == doctest::Approx(300 * expected->y).epsilon(0.01));
    }
}

TEST_CASE("the same picture gives the same bytes, from any renderer, thread and size before") {
    Picture picture = test::ball_picture();
    picture.ground = Plane{{0, -1, 0}, {0, 1, 0}};
    picture.captions = {{"Fjord 12 µm"}};
    Renderer first = make_renderer(200, 120), second = make_renderer(64, 64);
    const Pixels once = test::drawn(first, picture), again = test::drawn(first, picture);
    CHECK(once.rgb == again.rgb);
    REQUIRE(second.resize(200, 120));
    CHECK(second.width() == 200);
    Pixels other;
    std::thread([&] { other = test::drawn(second, picture); }).join();
    CHECK(once.rgb == other.rgb);
}

TEST_CASE("both sides of a cloth are lit, and a closed surface hides its back") {
    Renderer renderer = make_renderer(64, 64);
    Picture picture;
    picture.camera = {{0, 0, 4}, {0, 0, 0}, 30};
    picture.light = {0, 0.3f, 1};
    for (const bool front : {true, false}) {
        picture.surfaces = {front ? triangle({-1, -1, 0}, {1, -1, 0}, {0, 1, 0})
                                  : triangle({1, -1, 0}, {-1, -1, 0}, {0, 1, 0})};
        picture.surfaces[0].finish = Finish::cloth;
        CHECK(test::drawn(renderer, picture).at(32, 34)[0] > 150);
        picture.surfaces[0].finish = Finish::jelly;
        CHECK(test::is_reddish(test::drawn(renderer, picture).at(32, 34)) == front);
    }
}

TEST_CASE("a body throws a shadow on the ground") {
    Renderer renderer = make_renderer(160, 120);
    Picture picture = test::ball_picture();
    picture.ground = Plane{{0, -1.5, 0}, {0, 1, 0}};
    picture.camera = {{0, 3, 9}, {0, -1, 0}, 30};
    picture.light = {0, 1, 0};
    const auto brightness = [&](Vec3d point) {
        const auto at = project(picture.camera, 4.0 / 3, point);
        const auto c =
            test::drawn(renderer, picture).at(static_cast<int>(160 * at->x), static_cast<int>(120 * at->y));
        return c[0] + c[1] + c[2];
    };
    const int under = brightness({0.3, -1.5, 0.62}), beside = brightness({1.85, -1.5, 0.62});
    CHECK(under < 0.75 * beside);
    picture.beads.clear();
    picture.stage.add(Vec3d{-1, -1, -1});
    picture.stage.add(Vec3d{1, 1, 1});
    CHECK(brightness({0.3, -1.5, 0.62}) > 0.9 * beside);
}

TEST_CASE("values are shown in the colours of the scale, with a legend") {
    Renderer renderer = make_renderer(320, 180);
    Picture picture = test::ball_picture();
    picture.scale = Scale{"strain", 0, 0.1};
    const Pixels without = test::drawn(renderer, picture);
    picture.beads[0].values = {0.1f};
    const auto high = test::drawn(renderer, picture).at(160, 90);
    picture.beads[0].values = {0};
    const auto low = test::drawn(renderer, picture).at(160, 90);
    CHECK(high[1] > 150);
    CHECK(high[1] > 2 * high[2]);  // yellow
    CHECK(low[2] > 1.5 * low[1]);  // violet
    picture.beads[0].values.clear();
    picture.scale.reset();
    CHECK(test::drawn(renderer, picture).rgb != without.rgb);
}

TEST_CASE("numbers that are none, and corners that do not exist, leave the rest visible") {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN(), huge = std::numeric_limits<float>::max();
    Renderer renderer = make_renderer(64, 64);
    Picture picture = test::ball_picture();
    picture.surfaces = {
        triangle({nan, 0, 0}, {1, 0, 0}, {0, 1, 0}), triangle({huge, 0, 0}, {-huge, 0, 0}, {0, huge, 0}), {}};
    picture.surfaces.push_back(triangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0}));
    picture.surfaces[3].triangles =
        std::make_shared<const std::vector<Triangle>>(std::vector<Triangle>{{0, 1, 7}});
    picture.surfaces[3].values = {nan};
    picture.stage.add(Vec3d{-1, -1, -1});
    picture.stage.add(Vec3d{1, 1, 1});
    picture.scale = Scale{"nothing", 1, 1};
    picture.beads.push_back({{{nan, nan, nan}}, {nan}, nan, {nan, 5, -1}});
    picture.tubes.push_back({{{nan, 0, 0}, {0, 0, 0}}, nullptr, {}, 1, {}});
    picture.tubes.push_back(picture.tubes[0]);
    picture.tubes[1].paths = std::make_shared<const std::vector<std::vector<std::uint32_t>>>(
        std::vector<std::vector<std::uint32_t>>{{}, {0}, {0, 9}, {1, 1}});
    picture.tubes[1].radius = 0.01f;
    CHECK(test::is_reddish(test::drawn(renderer, picture).at(32, 32)));

    picture = {};
    const Pixels empty = test::drawn(renderer, picture);
    CHECK(empty.at(32, 32)[0] > 200);  // the backdrop
    picture.camera = {{nan, 0, 0}, {0, 0, 0}, nan};
    picture.light = {0, 0, 0};
    picture.ground = Plane{{0, 0, 0}, {0, 0, 0}};
    test::drawn(renderer, picture);
}

TEST_CASE("sizes from one pixel up; more than memory holds is an error") {
    Renderer renderer = make_renderer(1, 1);
    Picture close = test::ball_picture();
    close.camera.eye.z = 3;
    CHECK(test::is_reddish(test::drawn(renderer, close).at(0, 0)));
    for (const auto& [width, height] : {std::pair{0, 10}, {10, -1}, {20000, 20000}, {8192, 8192}}) {
        const Result<Renderer> none = Renderer::create(width, height);
        REQUIRE(!none);
        CHECK(none.error().message.find("pixels") != std::string::npos);
        CHECK(!renderer.resize(width, height));
        CHECK(renderer.width() == 1);
    }
    std::vector<std::uint8_t> wrong(7);
    CHECK(!renderer.draw(test::ball_picture(), wrong));
}
