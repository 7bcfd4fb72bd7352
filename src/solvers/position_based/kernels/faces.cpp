#include "solvers/position_based/faces/face_kernels.h"
#include "solvers/position_based/kernels/give.h"

namespace pliant::PLIANT_TARGET {

void give_face_kernels(Kernels& kernels) {
    kernels.bound_faces = bound_faces;
    kernels.find_face_contacts = find_face_contacts;
}

}  // namespace pliant::PLIANT_TARGET
