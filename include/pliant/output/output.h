// All of pliant::output: sequences of meshes, pictures, films, figures and pages.
#pragma once

#include <pliant/output/frame_pipeline.h>
#include <pliant/output/page.h>
#include <pliant/output/picture.h>
#include <pliant/output/picture_maker.h>
#include <pliant/output/plot.h>
#include <pliant/output/renderer.h>
#include <pliant/output/sequence.h>
#include <pliant/output/statistics.h>
#include <pliant/output/video.h>
