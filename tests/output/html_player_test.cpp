#include "output/html_player.h"

#include "support/files.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

using namespace pliant;
using output::HtmlPlayer;
using test::content;

namespace {

namespace fs = std::filesystem;

// Two tetrahedra's worth of particles, of which the surface uses 1, 2, 4; then two lone particles.
struct Example {
    std::vector<Vec3> positions{{9, 9, 9}, {0, 0, 0}, {1, 0, 0},   {9, 9, 9},
                                {0, 2, 0}, {3, 0, 4}, {3, 0.5f, 4}};
    std::vector<Vec3> velocities = std::vector<Vec3>(7);
    std::vector<Triangle> triangles{{1, 2, 4}};
    std::vector<BodyView> bodies{{"soft", 0, 5, 0, 1}, {"loose", 5, 2, 1, 0}};

    View view(std::uint64_t frame) const {
        return {positions, velocities, triangles, bodies, frame, static_cast<double>(frame) / 50};
    }
};

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

}  // namespace

TEST_CASE("a recording becomes one page that needs nothing else") {
    const test::Directory directory("html_player");
    Example example;
    HtmlPlayer player("Fish & <chips>",
                      {Collider{.shape = Sphere{}}, Collider{.shape = Box{}}, Collider{.shape = Plane{}}});
    player.add_frame(example.view(0));
    example.positions[4].y = 1;
    player.add_frame(example.view(1));
    CHECK(player.frames() == 2);
    const fs::path file = directory.path / "page.html";
    const Status written = player.write(file);
    REQUIRE(written);

    const std::string page = content(file);
    CHECK(page.starts_with("<!doctype html>"));
    CHECK(page.ends_with("</html>\n"));
    CHECK(page.find("{{") == std::string::npos);
    CHECK(page.find("http") == std::string::npos);
    CHECK(page.find("Fish &amp; &lt;chips&gt;") != std::string::npos);

    const std::string model = between(page, "id=\"model\">", "</script>");
    CHECK(model.find("\"interval\":0.02") != std::string::npos);
    CHECK(model.find("\"vertices\":5,") != std::string::npos);
    CHECK(model.find(R"({"name":"soft","vertices":[0,3],"triangles":[0,1]})") != std::string::npos);
    CHECK(model.find(R"({"name":"loose","vertices":[3,2],"triangles":[1,0]})") != std::string::npos);
    CHECK(model.find(R"({"plane":[0,0,0],"normal":[0,1,0]})") != std::string::npos);
    CHECK(decoded(between(model, "\"triangles\":\"", "\"")) == std::vector<unsigned>{0, 0, 1, 0, 2, 0});

    // Two lines of low, high and the corners between them; the particles inside are left out.
    const std::string frames = between(page, "id=\"frames\">", "</script>");
    CHECK(frames.starts_with("0,0,0,3,2,4,"));
    const std::size_t second = frames.find('\n') + 1;
    CHECK(frames.substr(second).starts_with("0,0,0,3,1,4,"));
    CHECK(decoded(between(frames, "0,0,0,3,2,4,", "\n")) ==
          std::vector<unsigned>{0, 0, 0, 21845, 0, 0, 0, 65535, 0, 65535, 0, 65535, 65535, 16384, 65535});
    CHECK(directory.entries() == 1);
}

TEST_CASE("a capsule is on the page as a surface, relative to its middle") {
    const test::Directory directory("html_player");
    const Example example;
    HtmlPlayer player("x", {Collider{.shape = Capsule{{9, 0, 0}, {11, 0, 0}, 0.5f}}});
    player.add_frame(example.view(0));
    REQUIRE(player.write(directory.path / "page.html"));
    const std::string model = between(content(directory.path / "page.html"), "id=\"model\">", "</script>");
    CHECK(model.find(R"({"center":[10,0,0],"half":[1.5,0.5,0.5],"positions":")") != std::string::npos);
    const std::size_t corners = decoded(between(model, "\"positions\":\"", "\"")).size() / 6;
    CHECK(corners > 500);
    CHECK(decoded(between(model, "\"normals\":\"", "\"")).size() == 6 * corners);
    // Each vertex once: a closed surface has V − 2 = T/2.
    CHECK(decoded(between(model, "\"triangles\":\"", "\"")).size() / 6 == 2 * (corners - 2));
}

TEST_CASE("names cannot break out of the page") {
    const test::Directory directory("html_player");
    Example example;
    example.bodies[0].name = "a\"b\\c</script>\n";
    HtmlPlayer player("x");
    player.add_frame(example.view(0));
    REQUIRE(player.write(directory.path / "page.html"));
    CHECK(content(directory.path / "page.html").find(R"("a\"b\\c\u003c/script>\u000a")") !=
          std::string::npos);
}

TEST_CASE("positions that are no numbers leave the rest visible") {
    const test::Directory directory("html_player");
    Example example;
    example.positions[4] = {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                            0};
    HtmlPlayer player("x");
    player.add_frame(example.view(0));
    REQUIRE(player.write(directory.path / "page.html"));
    const std::string frames = between(content(directory.path / "page.html"), "id=\"frames\">", "</script>");
    CHECK(frames.starts_with("0,0,0,3,0.5,4,"));
}

TEST_CASE("what cannot be written is an error that names the file and leaves nothing") {
    const test::Directory directory("html_player");
    const Example example;
    HtmlPlayer player("x");
    CHECK(!player.write(directory.path / "empty.html"));
    player.add_frame(example.view(0));

    const fs::path missing = directory.path / "missing" / "page.html";
    const Status status = player.write(missing);
    REQUIRE(!status);
    CHECK(status.error().path == missing.string());
    CHECK(status.error().message == "cannot be written: No such file or directory");

    fs::create_directories(directory.path / "taken" / "by");
    CHECK(!player.write(directory.path / "taken"));
    fs::create_symlink("/dev/null", directory.path / "device");
    CHECK(!player.write(directory.path / "device"));
    CHECK(fs::is_symlink(directory.path / "device"));
    CHECK(directory.entries() == 2);
}
