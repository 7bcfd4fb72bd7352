// Prints docs/reference.md: every field of a description, from the tables that validate it.
#include <pliant/catalog.h>

#include <cstdio>

#include <fmt/format.h>

int main() {
    fmt::print(
        "# Reference\n\nMade by `build/release/bin/pliant_reference` from the tables that also validate "
        "input; do not "
        "edit. Lists\n(positions, elements, links, pinned particles) are described in "
        "[description.h](../include/pliant/description.h).\n");
    for (const pliant::TableInfo& table : pliant::catalog()) {
        fmt::print("\n## {}\n{}\n", table.name, table.summary);
        if (table.fields.empty()) continue;
        fmt::print("\n| field | type | unit | default | range | meaning |\n|---|---|---|---|---|---|\n");
        for (const pliant::FieldInfo& field : table.fields) {
            fmt::print("| `{}` | {} | {} | {} | {} | {} |\n", field.name, field.type, field.unit,
                       field.default_value, field.range, field.summary);
        }
    }
}
