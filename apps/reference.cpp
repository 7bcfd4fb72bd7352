// Prints docs/reference.md: every key of a scene file, from the tables that read and validate it.
#include <pliant/catalog.h>
#include <pliant/presets.h>

#include <cstdio>
#include <string>

#include "base/format.h"

int main() {
    fmt::print(
        "# Reference\n\nEvery key of a scene file ([a tour](scenes.md)), and every field of a description: "
        "they are "
        "the same.\nMade by `build/release/bin/pliant_reference` from the tables that read and validate "
        "them; do "
        "not edit.\nKeys in **bold** must be there; of keys with the same letter in the column *one of* "
        "exactly "
        "one.\n");
    for (const pliant::TableInfo& table : pliant::catalog()) {
        fmt::print("\n## {}\n{}\n", table.name, table.summary);
        if (table.fields.empty()) continue;
        fmt::print(
            "\n| key | one of | type | unit | default | range | meaning |\n|---|---|---|---|---|---|---|\n");
        std::string group;
        char letter = '`';
        for (const pliant::FieldInfo& field : table.fields) {
            if (!field.group.empty() && field.group != group) ++letter;
            group = field.group;
            const char* mark = field.required ? "**" : "";
            fmt::print("| {}`{}`{} | {} | {} | {} | {} | {} | {} |\n", mark, field.name, mark,
                       field.group.empty() ? "" : std::string(1, letter), field.type, field.unit,
                       field.default_value.empty() ? "" : fmt::format("`{}`", field.default_value),
                       field.range, field.summary);
        }
    }
    fmt::print(
        "\n## Presets\nOf soft materials, by the key `preset`. Their energy is the default one. The source "
        "is that of "
        "Young's modulus; the other values are usual ones, rounded.\n\n"
        "| preset | density (kg/m³) | Young's modulus (Pa) | Poisson's ratio | damping (s) | what it is, and "
        "its "
        "source |\n|---|---|---|---|---|---|\n");
    for (const pliant::SoftPreset& preset : pliant::soft_presets()) {
        const pliant::SoftMaterial& m = preset.material;
        fmt::print("| `{}` | {:g} | {:g} | {:g} | {:.2g} | {} |\n", preset.name, m.density, m.young_modulus,
                   m.poisson_ratio, m.damping, preset.source);
    }
    fmt::print(
        "\n## Fabrics\nOf cloth, by the key `fabric`: orthotropic membranes with isometric bending. Values "
        "of "
        "one fabric differ from cloth to cloth by factors.\n\n"
        "| fabric | kg/m² | warp, weft, shear (N/m) | Poisson's ratio | bending of warp, weft (N·m) | strain "
        "limit | what it is, and its source |\n|---|---|---|---|---|---|---|\n");
    for (const pliant::Fabric& fabric : pliant::fabrics()) {
        const pliant::ClothMaterial& m = fabric.material;
        fmt::print("| `{}` | {:g} | {:g}, {:g}, {:g} | {:g} | {:g}, {:g} | {:g} | {} |\n", fabric.name,
                   m.area_density, m.membrane.warp, m.membrane.weft, m.membrane.shear,
                   m.membrane.poisson_ratio, m.bending.warp, m.bending.weft, m.strain_limit, fabric.source);
    }
}
