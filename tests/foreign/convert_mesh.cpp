// pliant_convert_mesh IN OUT: reads a mesh and writes it, for tests by other programs.
#include <pliant/mesh_io.h>

#include <cstdio>

using namespace pliant;

namespace {

int complain(const Error& error) {
    std::fprintf(stderr, "%s\n", error.text().c_str());
    return 1;
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 3) return complain({"usage", "pliant_convert_mesh IN OUT"});
    Status status;
    if (mesh_kind(arguments[1]) == MeshKind::surface) {
        const auto file = read_surface(arguments[1]);
        if (!file) return complain(file.error());
        status = write_surface(arguments[2], file->mesh);
    } else {
        const auto file = read_tetrahedra(arguments[1]);
        if (!file) return complain(file.error());
        status = write_tetrahedra(arguments[2], file->mesh);
    }
    return status ? 0 : complain(status.error());
}
