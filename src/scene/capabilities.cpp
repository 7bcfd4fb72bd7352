#include "scene/capabilities.h"

#include <string>

#include "base/format.h"
#include "scene/tables/description.h"
#include "solvers/solver.h"

namespace pliant {
namespace {

template <class Kind>
std::string methods_for() {
    std::string names;
    for (std::size_t i = 0; i < Choices<Method>::names.size(); ++i) {
        if (!solvers::can_run<Kind>(static_cast<Method>(i))) continue;
        names += (names.empty() ? "" : ", ") + std::string(Choices<Method>::names[i]);
    }
    return names;
}

}  // namespace

std::optional<Error> check_method(const model::Model& model, Method method) {
    std::optional<Error> error;
    constraints::AllKinds::for_each([&]<class Kind>() {
        const auto& list = constraints::list_of<Kind>(model.constraints);
        if (error || list.size() == 0 || solvers::can_run<Kind>(method)) return;
        error = Error{"/settings/method",
                      fmt::format("must be one of {} for constraints of kind {}, got {}", methods_for<Kind>(),
                                  Kind::name, Choices<Method>::names[static_cast<std::size_t>(method)])};
    });
    if (!error && !model.rings.empty() && method != Method::xpbd)
        error = Error{"/settings/method", "must be xpbd where there are rings"};
    return error;
}

}  // namespace pliant
