#include <pliant/output/page.h>
#include <pliant/output/picture_maker.h>
#include <pliant/pliant.h>

#include "support/files.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <vector>

using namespace pliant;
using namespace pliant::output;
using test::content;

namespace {

namespace fs = std::filesystem;

// A triangle, a tube and a bead.
Picture example() {
    Picture picture;
    Surface surface;
    surface.positions = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}};
    surface.triangles = std::make_shared<const std::vector<Triangle>>(std::vector<Triangle>{{0, 1, 2}});
    surface.color = {0.25f, 0.5f, 0.75f};
    picture.surfaces = {surface};
    Tubes tubes;
    tubes.positions = {{0, 0, 4}, {0, 1, 4}};
    tubes.paths = std::make_shared<const std::vector<std::vector<std::uint32_t>>>(
        std::vector<std::vector<std::uint32_t>>{{0, 1}});
    tubes.radius = 0.125f;
    picture.tubes = {tubes};
    picture.beads = {{{{3, 0.5f, 4}}, {}, 0.25f, {1, 0, 0}}};
    return picture;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string between(const std::string& text, const std::string& before, const std::string& after) {
    const std::size_t from = text.find(before);
    REQUIRE(from != std::string::npos);
    const std::size_t start = from + before.size();
    return text.substr(start, text.find(after, start) - start);
}

std::vector<unsigned> decoded(const std::string& base64) {
    std::vector<unsigned> bytes, numbers;
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned group = 0, bits = 0;
    for (const char c : base64) {
        if (c == '=') break;
        group = group << 6 | static_cast<unsigned>(digits.find(c));
        bits += 6;
        if (bits >= 8) bytes.push_back(group >> (bits -= 8) & 255);
    }
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) numbers.push_back(bytes[i] | bytes[i + 1] << 8);
    return numbers;
}

std::string written(const PageWriter& page) {
    const test::Directory directory("page");
    const Status status = page.write(directory.path / "page.html");
    REQUIRE(status);
    CHECK(directory.entries() == 1);
    return content(directory.path / "page.html");
}

std::string model_of(const PageWriter& page) { return between(written(page), "id=\"model\">", "</script>"); }
std::string frames_of(const PageWriter& page) {
    return between(written(page), "id=\"frames\">", "</script>");
}

}  // namespace

TEST_CASE("a recording becomes one page that needs nothing else") {
    PageWriter writer({.caption = "Fish & <chips>", .interval = 0.02});
    Picture picture = example();
    REQUIRE(writer.add(picture));
    picture.surfaces[0].positions[2].y = 1;
    REQUIRE(writer.add(picture));
    CHECK(writer.frames() == 2);

    const std::string page = written(writer);
    CHECK(page.starts_with("<!doctype html>"));
    CHECK(page.ends_with("</html>\n"));
    CHECK(!has(page, "{{"));
    CHECK(!has(page, "http"));
    CHECK(has(page, "Fish &amp; &lt;chips&gt;"));

    const std::string model = model_of(writer);
    CHECK(has(model, R"("interval":0.02,"columns":1,"rows":1,"camera":null)"));
    CHECK(has(model, R"("vertices":6,)"));
    CHECK(has(model, R"("first":0,"count":3,"kind":"surface","color":[0.25,0.5,0.75],"finish":"cloth")"));
    CHECK(has(model,
              R"("first":3,"count":2,"kind":"tubes","color":[0.8,0.8,0.8],"radius":0.125,"paths":[[0,1]])"));
    CHECK(has(model, R"("first":5,"count":1,"kind":"beads","color":[1,0,0],"radius":0.25)"));
    CHECK(decoded(between(model, "\"triangles\":\"", "\"")) == std::vector<unsigned>{0, 0, 1, 0, 2, 0});

    // Two lines of low, high and the vertices between them.
    const std::string frames = frames_of(writer);
    CHECK(frames.substr(frames.find('\n') + 1).starts_with("0,0,0,3,1,4,"));
    CHECK(decoded(between(frames, "0,0,0,3,2,4,", "\n")) ==
          std::vector<unsigned>{0, 0, 0, 21845, 0, 0, 0, 65535, 0, 0, 0, 65535, 0, 32768, 65535, 65535, 16384,
                                65535});
}

TEST_CASE("a page has the camera, the colours and the runs that were asked for") {
    PageOptions options;
    options.panes = {2, 1};
    options.camera = Camera{{1, 2, 3}, {0, 0.5, 0}, 25};
    PageWriter writer(options);
    Picture left = example(), right = example();
    left.captions = {{"5 iterations"}};
    right.captions = {{"20 iterations"}};
    CHECK(!writer.add(left));
    REQUIRE(writer.add({left, right}));
    right.beads[0].positions[0].x = 6;
    REQUIRE(writer.add({left, right}));
    const std::string model = model_of(writer), frames = frames_of(writer);
    CHECK(has(model, R"("columns":2,"rows":1,"camera":{"eye":[1,2,3],"target":[0,0.5,0],"fieldOfView":25})"));
    CHECK(has(model, R"("label":"5 iterations")"));
    CHECK(has(model, R"("label":"20 iterations")"));
    // Pane after pane, frame after frame.
    std::vector<std::string> starts;
    for (std::size_t at = 0; at < frames.size(); at = frames.find('\n', at) + 1) {
        starts.push_back(frames.substr(at, 12));
    }
    CHECK(starts == std::vector<std::string>{"0,0,0,3,2,4,", "0,0,0,3,2,4,", "0,0,0,3,2,4,", "0,0,0,6,2,4,"});
}

TEST_CASE("colliders are where they were in every frame") {
    Description scene;
    Rope rope;
    rope.positions = {{0, 0, 0}, {1, 0, 0}};
    scene.bodies.push_back({.name = "rope", .shape = rope});
    scene.colliders = {{.shape = Plane{}}, {.shape = Box{}}, {.shape = Sphere{{5, 5, 5}, 0.5f}}};
    auto simulation = Simulation::create(scene);
    REQUIRE(simulation);
    PictureMaker maker(simulation->view());
    PageWriter writer({});
    REQUIRE(writer.add(maker.make(simulation->view())));
    REQUIRE(simulation->move_collider(1, Box{.center = {0, 0.25, 0}}));
    simulation->step();
    REQUIRE(writer.add(maker.make(simulation->view())));
    const std::string model = model_of(writer);
    CHECK(has(model, R"("poses":[{"center":[0,0,0],"rotation":[0,0,0,1],"scale":1},)"
                     R"({"center":[0,0.25,0],"rotation":[0,0,0,1],"scale":1}])"));
    // What rests is said once.
    CHECK(has(model, R"("poses":[{"center":[5,5,5],"rotation":[0,0,0,1],"scale":0.5}])"));
    CHECK(has(model, R"("grounds":[{"point":[0,0,0],"normal":[0,1,0]}])"));

    // Of another size it has another mesh.
    REQUIRE(simulation->move_collider(1, Box{.half_extents = {1, 1, 1}}));
    simulation->step();
    REQUIRE(writer.add(maker.make(simulation->view())));
    CHECK(has(model_of(writer), R"("frames":[0,2])"));
    CHECK(has(model_of(writer), R"("frames":[2,3])"));
}

TEST_CASE("captions cannot break out of the page") {
    PageWriter writer({});
    Picture picture = example();
    picture.captions = {{"a\"b\\c</script>\n"}};
    REQUIRE(writer.add(picture));
    CHECK(has(written(writer), R"("a\"b\\c\u003c/script>\u000a")"));
}

TEST_CASE("positions that are no numbers leave the rest visible") {
    PageWriter writer({});
    Picture picture = example();
    picture.surfaces[0].positions[2] = {std::numeric_limits<float>::quiet_NaN(),
                                        std::numeric_limits<float>::infinity(), 0};
    REQUIRE(writer.add(picture));
    CHECK(frames_of(writer).starts_with("0,0,0,3,1,4,"));
}

TEST_CASE("a frame that shows something else is an error") {
    PageWriter writer({});
    Picture picture = example();
    REQUIRE(writer.add(picture));
    picture.beads.clear();
    CHECK(!writer.add(picture));
    picture = example();
    picture.surfaces[0].positions.pop_back();
    CHECK(!writer.add(picture));
    CHECK(writer.frames() == 1);
}

TEST_CASE("what cannot be written is an error that names the file and leaves nothing") {
    const test::Directory directory("page_errors");
    PageWriter page({});
    CHECK(!page.write(directory.path / "empty.html"));
    REQUIRE(page.add(example()));

    const fs::path missing = directory.path / "missing" / "page.html";
    const Status status = page.write(missing);
    REQUIRE(!status);
    CHECK(status.error().path == missing.string());
    CHECK(status.error().message == "cannot be written: No such file or directory");

    fs::create_directories(directory.path / "taken" / "by");
    CHECK(!page.write(directory.path / "taken"));
    fs::create_symlink("/dev/null", directory.path / "device");
    CHECK(!page.write(directory.path / "device"));
    CHECK(fs::is_symlink(directory.path / "device"));
    CHECK(directory.entries() == 2);
}
