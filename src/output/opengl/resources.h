// What the driver holds for us: programs, textures and frames to draw into.
#pragma once

#include "output/opengl/functions.h"

#include <pliant/error.h>

#include <string_view>

namespace pliant::output::opengl {

struct Program {
    GLuint id = 0;
    GLint material = -1, view = -1;
};

// Texture units.
enum Unit : GLint { lamp_depths_unit, lamp_shades_unit, sky_shades_unit, ground_sky_unit, lamp_marks_unit };

Result<Program> make_program(const Functions& gl, std::string_view vertex, std::string_view fragment);

struct Target {
    GLuint frame = 0, texture = 0;
};

Target make_depth_target(const Functions& gl, int size);
Target make_gray_target(const Functions& gl, int size);

// Many samples a pixel, and one frame to average them into.
struct Screen {
    int width = 0, height = 0;
    GLuint samples_frame = 0, samples_color = 0, samples_depth = 0;
    GLuint frame = 0, color = 0;
};

Status make_screen(const Functions& gl, Screen& screen, int width, int height);
void free_screen(const Functions& gl, Screen& screen);

}  // namespace pliant::output::opengl
