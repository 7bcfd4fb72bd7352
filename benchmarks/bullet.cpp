// Bullet's soft body on the same particles: rigid links only, as many position iterations in one step
// as the description has substeps. It has no volume constraint of a tetrahedron.
#include "engine.h"

#ifdef PLIANT_WITH_BULLET

#include "problem.h"

#include <BulletSoftBody/btSoftBody.h>
#include <BulletSoftBody/btSoftBodyHelpers.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

// Debian ships both precisions; the comparison is in float.
static_assert(sizeof(btScalar) == sizeof(float));

namespace pliant::benchmarks {
namespace {

btVector3 convert(const Vec3& a) { return {a.x, a.y, a.z}; }

class BulletEngine final : public Engine {
public:
    explicit BulletEngine(Problem problem) : problem_(std::move(problem)) {
        const btVector3 gravity = convert(problem_.settings.gravity);
        world_.setGravity(gravity);
        btSoftBodyWorldInfo& information = world_.getWorldInfo();
        information.m_gravity = gravity;
        information.air_density = 0;

        // Nodes, which are pinned if they have mass 0
        std::vector<btVector3> positions;
        std::vector<btScalar> masses;
        for (const Vec3& position : problem_.positions) positions.push_back(convert(position));
        for (const float inverse : problem_.inverse_masses) masses.push_back(inverse == 0 ? 0 : 1 / inverse);
        auto body = std::make_unique<btSoftBody>(&information, static_cast<int>(positions.size()),
                                                 positions.data(), masses.data());
        for (int i = 0; i < body->m_nodes.size(); ++i) {
            body->m_nodes[i].m_v = convert(problem_.velocities[static_cast<std::size_t>(i)]);
        }
        body->m_materials[0]->m_kLST = 1;

        // Links, which take the present distance for rest length until told otherwise
        for (const auto& [particles, rest] : problem_.distances) {
            body->appendLink(static_cast<int>(particles[0]), static_cast<int>(particles[1]));
            btSoftBody::Link& link = body->m_links[body->m_links.size() - 1];
            link.m_rl = rest;
            link.m_c1 = rest * rest;
        }

        // Bullet's own remedy against waiting for the link before: the same result, up to a third faster
        btSoftBodyHelpers::ReoptimizeLinkOrder(body.get());

        body->m_cfg.piterations = problem_.settings.substeps;
        body->m_cfg.collisions = 0;
        body->setActivationState(DISABLE_DEACTIVATION);
        world_.addSoftBody(body.get());
        body_ = std::move(body);
    }

    ~BulletEngine() override { world_.removeSoftBody(body_.get()); }

    void frame() override { world_.stepSimulation(problem_.settings.time_step, 0); }

    double residual() const override {
        std::vector<Vec3> positions;
        positions.reserve(problem_.positions.size());
        for (int i = 0; i < body_->m_nodes.size(); ++i) {
            const btVector3& at = body_->m_nodes[i].m_x;
            positions.push_back({at.x(), at.y(), at.z()});
        }
        return benchmarks::residual(problem_.distances, {}, positions);
    }

    std::size_t constraints() const override { return problem_.distances.size(); }

private:
    Problem problem_;
    btSoftBodyRigidBodyCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_{&configuration_};
    btDbvtBroadphase broadphase_;
    btSequentialImpulseConstraintSolver solver_;
    btSoftRigidDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
    std::unique_ptr<btSoftBody> body_;
};

}  // namespace

std::unique_ptr<Engine> make_bullet(const Description& description) {
    auto problem = make_problem(description);
    if (!problem || problem->distances.empty() || problem->distance_compliance != 0) return nullptr;
    return std::make_unique<BulletEngine>(std::move(*problem));
}

}  // namespace pliant::benchmarks

#else

namespace pliant::benchmarks {

std::unique_ptr<Engine> make_bullet(const Description&) { return nullptr; }

}  // namespace pliant::benchmarks

#endif
