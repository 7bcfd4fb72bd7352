// Runs every engine on a scene in turn, so that a busy moment of the machine hits them alike.
#pragma once

#include "engine.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace pliant::benchmarks {

struct Row {
    std::string scene;
    std::string engine;
    int threads = 1;
    double ms_per_frame = 0;       // the best of all rounds
    double ns_per_constraint = 0;  // and substep
    double residual = 0;           // after the last frame
    double build_seconds = 0;
    std::optional<double> bytes_per_constraint;
};

struct Plan {
    std::vector<std::string> engines;
    std::vector<int> threads;  // of Pliant; the others have one
    int runs = 5;
    int frames = 0;  // in each run; 0: chosen by the number of particles
};

// The engines that there are.
std::vector<std::string> engine_names();

using Progress = std::function<void(const std::string&)>;

// A row for each engine that can run the scene.
std::vector<Row> measure(const std::string& scene, const Description& description, const Plan& plan,
                         const Progress& progress);

}  // namespace pliant::benchmarks
