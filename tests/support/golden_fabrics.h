// The golden scene of cloth as a material.
#pragma once

#include <pliant/pliant.h>

#include <string>
#include <utility>

namespace pliant::test {

// A sheet of every membrane and bending, some damped, one with a limit of strain, one with a rest angle; they
// hang, and fall on a ball.
inline Description fabrics_scene() {
    Description scene;
    const auto add = [&](MembraneModel membrane, BendingModel bending) {
        Cloth cloth;
        cloth.mesh = *make_sheet(0.6f, 0.5f, 18, 15);
        cloth.material.membrane = {.model = membrane, .warp = 60, .poisson_ratio = 0.2f};
        if (membrane == MembraneModel::orthotropic) {
            cloth.material.membrane.weft = 30;
            cloth.material.membrane.shear = 5;
            cloth.material.strain_limit = 0.05f;
        }
        if (membrane == MembraneModel::stvk) cloth.material.membrane.damping = 0.002f;
        if (membrane == MembraneModel::arap) cloth.material.membrane.poisson_ratio = -0.3f;
        cloth.material.bending.model = bending;
        cloth.material.bending.warp = 2e-4f;
        cloth.material.bending.weft = 1e-4f;
        if (membrane == MembraneModel::arap) cloth.material.bending.rest_angle = 0.05f;
        if (membrane == MembraneModel::dirichlet) cloth.material.bending.damping = 0.003f;
        const double x = 0.8 * static_cast<double>(scene.bodies.size());
        Body body{"", std::move(cloth), {x, 0.7, 0}, {}, {0, 18}, 0.004f};
        body.name = "sheet" + std::to_string(scene.bodies.size());
        if (membrane == MembraneModel::stvk) body.pinned = {0};
        scene.colliders.push_back({Sphere{{x, 0.4, 0.1}, 0.15f}, 0.4f, 0});
        scene.bodies.push_back(std::move(body));
    };
    add(MembraneModel::orthotropic, BendingModel::isometric);
    add(MembraneModel::stvk, BendingModel::dihedral);
    add(MembraneModel::arap, BendingModel::isometric);
    add(MembraneModel::dirichlet, BendingModel::dihedral);
    add(MembraneModel::links, BendingModel::isometric);
    return scene;
}

}  // namespace pliant::test
