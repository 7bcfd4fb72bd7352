// What a host program sets for floating point changes no byte of what is written or drawn up. WebAssembly has
// nothing to set.
#if !defined(__EMSCRIPTEN__)

#include <doctest/doctest.h>
#include <pliant/output/page.h>
#include <pliant/output/picture_maker.h>
#include <pliant/output/plot.h>
#include <pliant/output/sequence.h>
#include <pliant/output/statistics.h>
#include <pliant/output/video.h>

#include <cfenv>
#include <string>
#include <vector>

#include "support/files.h"
#include "support/golden_scenes.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace pliant;
using namespace pliant::test;

namespace {

// A run in text: statistics, their plot, a page, sequences of every format, a scene file.
std::vector<std::string> all_texts(const Scene& scene, const Directory& directory) {
    using namespace output;
    std::vector<std::string> texts;
    auto player = Player::create(scene, on_threads(1));
    REQUIRE_MESSAGE(player, player.error().text());
    std::vector<StatisticsRow> rows;
    PictureMaker strain(player->view(), {.quantity = Quantity::strain});
    PictureMaker tetrahedra(player->view(), {.tetrahedra = true});
    PageWriter page({.caption = "rounding", .interval = 0.1, .panes = {2, 1}});
    std::vector<SequenceWriter> writers;
    for (const auto format : {SequenceFormat::obj, SequenceFormat::ply, SequenceFormat::usda,
                              SequenceFormat::vtu, SequenceFormat::pc2, SequenceFormat::glb}) {
        auto writer = SequenceWriter::create(directory.path, "run", format);
        REQUIRE_MESSAGE(writer, writer.error().text());
        writers.push_back(std::move(*writer));
    }
    for (int frame = 0; frame < 3; ++frame) {
        succeed(player->step());
        const View view = player->view();
        rows.push_back(statistics_row(view.frame, view.time, player->diagnostics(), 0.1));
        succeed(page.add({strain.make(view), tetrahedra.make(view)}));
        for (SequenceWriter& writer : writers) succeed(writer.frame(view));
    }
    texts.push_back(to_csv(rows));
    const auto parsed = parse_statistics(texts.back(), "run");
    REQUIRE_MESSAGE(parsed, parsed.error().text());
    texts.push_back(to_csv(*parsed));
    texts.push_back(plot_svg(rows, "rounding"));
    succeed(page.write(directory.path / "page.html"));
    texts.push_back(content(directory.path / "page.html"));
    for (SequenceWriter& writer : writers) {
        const auto files = writer.finish();
        REQUIRE_MESSAGE(files, files.error().text());
        for (const auto& file : *files) texts.push_back(content(file));
    }
    texts.push_back(to_json(scene.file));
    for (const Parameter& parameter : player->parameters()) texts.back() += parameter.value;
    texts.push_back(playable_rate("a.gif", 37) == 100.0 / 3 ? "as expected" : "");
    return texts;
}

template <class Set>
void check_that_nothing_changes(Set&& set_and_return_undo) {
    const auto scene = parse_scene(events_scene, {.name = "events", .directory = {}, .changes = {}});
    REQUIRE_MESSAGE(scene, scene.error().text());
    const Directory directory("output_rounding");
    const std::vector<std::string> expected = all_texts(*scene, directory);
    const auto undo = set_and_return_undo();
    const std::vector<std::string> found = all_texts(*scene, directory);
    undo();
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        CAPTURE(i);
        CHECK(!expected[i].empty());
        CHECK((found[i] == expected[i]));
    }
}

}  // namespace

TEST_CASE("files are the same bytes in every rounding mode of the host") {
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        CAPTURE(mode);
        check_that_nothing_changes([mode] {
            std::fesetround(mode);
            return [mode] {
                const int after = std::fegetround();
                std::fesetround(FE_TONEAREST);
                CHECK(after == mode);
            };
        });
    }
}

#if defined(__x86_64__)

TEST_CASE("files are the same bytes with denormals flushed to zero by the host") {
    check_that_nothing_changes([] {
        const unsigned before = _mm_getcsr();
        _mm_setcsr(before | 0x8040);
        return [before] {
            const unsigned after = _mm_getcsr();
            _mm_setcsr(before);
            CHECK((after & 0x8040) == 0x8040);
        };
    });
}

#endif

#endif
