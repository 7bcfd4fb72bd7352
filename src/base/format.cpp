#include "base/format.h"

#include <fmt/format-inl.h>

// The templates that the headers declare to be compiled elsewhere.
namespace fmt::detail {
template void vformat_to(buffer<char>&, string_view, format_args, locale_ref);
template thousands_sep_result<char> thousands_sep_impl(locale_ref);
template char decimal_point_impl(locale_ref);
}  // namespace fmt::detail
