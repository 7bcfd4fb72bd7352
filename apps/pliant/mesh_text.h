// What the mesh commands have to tell, in words and as JSON.
#pragma once

#include <pliant/tetrahedralize.h>

#include <string>
#include <string_view>
#include <vector>

namespace pliant::app {

std::string to_text(const TetrahedralQuality& quality);  // one sentence a line
std::string to_json(const TetrahedralQuality& quality);

std::string json_list(const std::vector<std::string>& texts);

// To stderr, as "pliant: warning: …".
void warn(const std::vector<std::string>& warnings);

}  // namespace pliant::app
