// A project of its own that uses the installed pliant::output: it writes a sequence, a picture, a plot and a
// page of a jelly cube that falls.
#include <pliant/output/output.h>
#include <pliant/pliant.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

using namespace pliant;

namespace {

Status write_picture(const std::filesystem::path& file, const output::Picture& picture) {
    auto renderer = output::Renderer::create(320, 180);
    if (!renderer) {
        std::printf("no picture: %s\n", renderer.error().text().c_str());
        return {};
    }
    std::vector<std::uint8_t> rgb(renderer->bytes());
    if (const Status drawn = renderer->draw(picture, rgb); !drawn) return drawn;
    auto video = output::Video::create(file, {.width = 320, .height = 180});
    if (!video) return video.error();
    if (const Status added = video->add(std::move(rgb)); !added) return added;
    const auto files = video->finish();
    return files ? Status() : files.error();
}

Status run(const std::filesystem::path& directory) {
    Description description;
    description.bodies.push_back(
        {.name = "jelly", .shape = SoftBody{.mesh = *make_box({1, 1, 1}, {4, 4, 4})}});
    description.colliders.push_back({.shape = Plane{.point = {0, -2, 0}}});
    auto simulation = Simulation::create(description);
    if (!simulation) return simulation.error();
    auto meshes = output::SequenceWriter::create(directory, "jelly", output::SequenceFormat::vtu);
    if (!meshes) return meshes.error();
    output::PictureMaker maker(simulation->view());
    output::PageWriter page({.caption = "A jelly cube"});
    output::Picture picture;
    std::vector<output::StatisticsRow> rows;
    for (int frame = 0; frame < 30; ++frame) {
        simulation->step();
        const View view = simulation->view();
        picture = maker.make(view);
        if (const Status written = meshes->frame(view); !written) return written;
        if (const Status added = page.add(picture); !added) return added;
        rows.push_back(output::statistics_row(view.frame, view.time, simulation->diagnostics(), 0));
    }
    if (const auto files = meshes->finish(); !files) return files.error();
    if (const Status written = page.write(directory / "jelly.html"); !written) return written;
    if (const Status written = output::write_plot(directory / "jelly.svg", rows, "jelly"); !written)
        return written;
    return write_picture(directory / "jelly.png", picture);
}

}  // namespace

int main(int count, char** values) {
    if (count != 2) return std::fprintf(stderr, "Usage: output_consumer DIRECTORY\n"), 2;
    const Status done = run(values[1]);
    if (!done) return std::fprintf(stderr, "%s\n", done.error().text().c_str()), 1;
}
