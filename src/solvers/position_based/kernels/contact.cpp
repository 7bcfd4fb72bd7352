#include "solvers/position_based/contact/contact_kernels.h"
#include "solvers/position_based/contact/crossing_kernels.h"
#include "solvers/position_based/contact/safe_kernels.h"
#include "solvers/position_based/kernels/give.h"

namespace pliant::PLIANT_TARGET {

void give_contact_kernels(Kernels& kernels) {
    kernels.find_starts = find_starts;
    kernels.move_patch = move_patch;
    kernels.shape_patch = shape_patch;
    kernels.meet_boxes = meet_boxes;
    kernels.search_pairs = search_pairs;
    kernels.find_contacts = find_contacts;
    kernels.solve_contacts = solve_contacts;
    kernels.find_unsafe = find_unsafe;
    kernels.find_crossings = find_crossings;
}

}  // namespace pliant::PLIANT_TARGET
