// What a kind of body is: one struct with all that the scene asks of it.
//
//   struct SomeBody {
//       using Shape = …;     // the plain struct of description.h: geometry, and a member `material`
//       using Material = …;  // what bodies of one stuff share; each Elasticity in its table is a part
//       using Form = …;      // as it stands in a scene file: shapes to choose from, and a member `material`,
//                            // which may say more than Material (presets)
//       static constexpr const char* name;                        // its key in scene files
//       static constexpr auto in_material;                        // its member of scene::Material
//       static constexpr const char* in_material_summary;
//       static auto& positions(Shape&);                           // m, relative to the body's; also const
//       static std::optional<Error> check(const Shape&, const std::string& path);
//       static void build(const Body&, const Shape&, ModelBuilder&);
//       static Result<Shape> resolve(const Form&, MeshSource&);   // geometry only
//   };
//
// check says what the table of the material cannot; build may rely on it. An Error of resolve has the path
// within the shape of the form, or none.
#pragma once

#include <pliant/description.h>
#include <pliant/error.h>
#include <pliant/scene_file.h>

#include <concepts>
#include <optional>
#include <string>
#include <type_traits>

#include "base/fields.h"
#include "scene/assemble/model_builder.h"
#include "scene/bodies/geometry_checks.h"
#include "scene/file/mesh_sources.h"
#include "scene/tables/description.h"
#include "scene/tables/shapes.h"

namespace pliant::bodies {

template <class K>
concept BodyKind = HasTable<typename K::Material> && HasTable<typename K::Form> &&
    requires(typename K::Shape& shape, const typename K::Shape& constant, const typename K::Form& form,
             scene::Material& material, const Body& body, ModelBuilder& builder, MeshSource& source,
             const std::string& path) {
    { K::name } -> std::convertible_to<const char*>;
    { K::in_material_summary } -> std::convertible_to<const char*>;
    { (material.*K::in_material).value() } -> std::convertible_to<const typename K::Material&>;
    { shape.material } -> std::same_as<typename K::Material&>;
    { form.material } -> std::convertible_to<const typename K::Material&>;
    { K::positions(shape) } -> std::same_as<std::vector<Vec3>&>;
    { K::positions(constant) } -> std::same_as<const std::vector<Vec3>&>;
    { K::check(constant, path) } -> std::same_as<std::optional<Error>>;
    { K::build(body, constant, builder) } -> std::same_as<void>;
    { K::resolve(form, source) } -> std::same_as<Result<typename K::Shape>>;
};

}  // namespace pliant::bodies
