// The scenes that tests, benchmarks and programs share: the files in this directory and its folders, and two
// families of which benchmarks need any size.
#pragma once

#include <pliant/description.h>
#include <pliant/scene.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pliant::scenes {

// Where the scene files are: beside an installed program, else where this was built from.
std::filesystem::path directory();

std::vector<std::string> names();                                  // of the files, in the alphabet's order
std::optional<std::filesystem::path> find(std::string_view name);  // the file of a name

// What a file describes (without its events), or
//   c<N>    3 ≤ N ≤ 4096: cloth of N × N particles with inextensible links, held at two corners
//   j<N>    1 ≤ N ≤ 256: an incompressible box of N³ cells, held at its four top corners
// Nothing for any other name.
std::optional<Description> make(std::string_view name);

// One of c<N> and j<N> as a scene, of which the changes may concern "solver" and "frames". Nothing for any
// other name.
std::optional<Result<Scene>> load_family(const std::string& name, const std::vector<std::string>& changes);

}  // namespace pliant::scenes
