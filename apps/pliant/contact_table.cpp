#include "pliant/contact_table.h"

#include <array>
#include <iterator>

#include "base/files/output_file.h"
#include "base/format.h"

namespace pliant::app {
namespace {

constexpr std::string_view header =
    "frame,time_s,body,other,phase,point_x_m,point_y_m,point_z_m,normal_x,normal_y,normal_z,"
    "impulse_x_Ns,impulse_y_Ns,impulse_z_Ns\n";
constexpr std::array phases{"began", "lasted", "ended"};

// A name as CSV has it, or the number of what has none.
std::string name_of(const BodyView& body, std::uint32_t number) {
    if (body.name.empty()) return fmt::format("{}", number);
    std::string quoted = "\"";
    for (const char c : body.name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

}  // namespace

void ContactTable::add_frame(const Simulation& simulation) {
    const View view = simulation.view();
    for (const ContactReport& one : simulation.contacts()) {
        const std::string other = one.is_collider ? fmt::format("collider {}", one.other)
                                                  : name_of(view.bodies[one.other], one.other);
        fmt::format_to(std::back_inserter(rows_), "{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", view.frame,
                       view.time, name_of(view.bodies[one.body], one.body), other,
                       phases[static_cast<std::size_t>(one.phase)], one.point.x, one.point.y, one.point.z,
                       one.normal.x, one.normal.y, one.normal.z, one.impulse.x, one.impulse.y, one.impulse.z);
    }
}

Status ContactTable::write(const std::filesystem::path& file) const {
    return write_file(file, std::string(header) + rows_);
}

}  // namespace pliant::app
