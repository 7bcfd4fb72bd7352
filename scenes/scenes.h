// The scenes that tests, benchmarks and programs share.
#pragma once

#include <pliant/description.h>

#include <optional>
#include <string_view>
#include <vector>

namespace pliant::scenes {

// The scenes worth showing. make() also knows c<N> and j<N> for other sizes.
std::vector<std::string_view> names();

//   jelly   a soft block, slightly tilted, falls onto a plane
//   rope    forty links, held at one end
//   drape   a cloth falls over a ball that stands on a plane
//   c<N>    3 ≤ N ≤ 4096: cloth of N × N particles with inextensible links, held at two corners
//   j<N>    1 ≤ N ≤ 256: an incompressible box of N³ cells, held at its four top corners
// Nothing for any other name.
std::optional<Description> make(std::string_view name);

}  // namespace pliant::scenes
