// Soft materials and fabrics by name, with values from the literature.
#pragma once

#include <pliant/description.h>
#include <pliant/error.h>

#include <span>
#include <string_view>

namespace pliant {

struct SoftPreset {
    std::string_view name{};
    SoftMaterial material{};
    std::string_view source{};  // a description, and the source of its Young's modulus
};

std::span<const SoftPreset> soft_presets();
Result<SoftMaterial> soft_preset(std::string_view name);  // an unknown name is an Error that suggests

struct Fabric {
    std::string_view name{};
    ClothMaterial material{};
    std::string_view source{};  // a description, and the sources of its stiffnesses
};

std::span<const Fabric> fabrics();
Result<ClothMaterial> fabric(std::string_view name);  // an unknown name is an Error that suggests

}  // namespace pliant
