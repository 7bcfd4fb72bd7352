// Draws four scenes at their best moment: pliant_jelly.png, pliant_drape.png, pliant_rope.png,
// pliant_c100.png in the current directory. Without an OpenGL driver it says so, and nothing else happens.
#include <pliant/output/picture_maker.h>
#include <pliant/output/renderer.h>
#include <pliant/output/video.h>
#include <pliant/pliant.h>

#include "scenes/scenes.h"

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

using namespace pliant;

namespace {

Status draw(output::Renderer& renderer, const std::string& name, int frames) {
    const auto scene = scenes::make(name);
    if (!scene) return Error{name, "no such scene"};
    auto simulation = Simulation::create(*scene);
    if (!simulation) return simulation.error();
    output::PictureMaker maker(simulation->view());
    output::Picture picture;
    for (int frame = 0; frame < frames; ++frame) {
        simulation->step();
        picture = maker.make(simulation->view());  // every frame, so that the camera follows
    }
    std::vector<std::uint8_t> rgb(renderer.bytes());
    if (const Status drawn = renderer.draw(picture, rgb); !drawn) return drawn;
    const output::VideoOptions options{.width = renderer.width(), .height = renderer.height()};
    auto file = output::Video::create("pliant_" + name + ".png", options);
    if (!file) return file.error();
    if (const Status added = file->add(std::move(rgb)); !added) return added;
    const auto written = file->finish();
    return written ? Status{} : Status{written.error()};
}

}  // namespace

int main() {
    auto renderer = output::Renderer::create(1280, 720);
    if (!renderer) return std::printf("%s\n", renderer.error().text().c_str()), 0;
    const struct {
        const char* scene;
        int frames;
    } moments[] = {{"jelly", 180}, {"drape", 58}, {"rope", 22}, {"c100", 150}};
    for (const auto& [scene, frames] : moments) {
        const Status drawn = draw(*renderer, scene, frames);
        if (!drawn) return std::fprintf(stderr, "%s\n", drawn.error().text().c_str()), 1;
    }
}
