#include "mesh/io/gltf_skin.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/format.h"
#include "base/suggest.h"
#include "mesh/io/gltf_document.h"
#include "mesh/io/gltf_track.h"

namespace pliant::mesh {
namespace {

using namespace gltf;

constexpr std::size_t none = GltfDocument::none;
constexpr double most_samples = 1e6;  // of all joints together

class SkinReader {
public:
    explicit SkinReader(const std::filesystem::path& file) : document_(file) {}

    Result<GltfSkin> run(std::string_view animation) {
        if (!document_.ok()) return document_.error();
        find_parents();
        find_joints();
        read_rest();
        read_animation(animation);
        sample();
        read_vertices();
        if (!document_.ok()) return document_.error();
        return std::move(skin_);
    }

private:
    struct Node {
        std::size_t parent = none, joint = none;
        Vec3d translation{};
        Quaternion rotation{};
        double scale = 1;
        std::optional<Track> moves{}, turns{};
    };

    static std::string node_place(std::size_t node) { return fmt::format("/nodes/{}", node); }

    void find_parents() {
        const auto& nodes = document_.list("nodes");
        nodes_.resize(nodes.size());
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const auto& children = document_.items(nodes[i], node_place(i), "children");
            for (std::size_t k = 0; k < children.size(); ++k) {
                const std::string place = fmt::format("{}/children/{}", node_place(i), k);
                const std::size_t child = document_.as_index(children[k], place, nodes.size());
                if (!document_.ok()) return;
                if (nodes_[child].parent != none || child == i)
                    return document_.fail(place, "has a parent already");
                nodes_[child].parent = i;
            }
        }
    }

    // Gives a node a joint, after those above it.
    void add_joint(std::size_t node) {
        std::vector<std::size_t> way;
        for (std::size_t i = node; i != none && nodes_[i].joint == none; i = nodes_[i].parent) {
            way.push_back(i);
            if (way.size() > nodes_.size()) return document_.fail(node_place(node), "is its own ancestor");
        }
        for (auto at = way.rbegin(); at != way.rend(); ++at) {
            Node& one = nodes_[*at];
            one.joint = skin_.joints.size();
            const json::Value& name = GltfDocument::member(document_.list("nodes")[*at], "name");
            std::string text = name.text.empty() ? fmt::format("joint{}", *at) : name.text;
            const auto is_taken = [&](const GltfSkin::Joint& joint) { return joint.name == text; };
            if (std::any_of(skin_.joints.begin(), skin_.joints.end(), is_taken))
                text += fmt::format(".{}", *at);
            const std::size_t parent = one.parent == none ? GltfSkin::no_parent : nodes_[one.parent].joint;
            skin_.joints.push_back({text, parent, {}});
            node_of_.push_back(*at);
        }
    }

    void find_joints() {
        const auto& skins = document_.list("skins");
        if (document_.ok() && skins.empty()) return document_.fail("/skins", "there is no skin");
        if (!document_.ok()) return;
        const auto& joints = document_.items(skins[0], "/skins/0", "joints");
        if (joints.empty()) return document_.fail("/skins/0/joints", "must have at least one joint");
        for (std::size_t i = 0; i < joints.size() && document_.ok(); ++i) {
            const std::size_t node =
                document_.as_index(joints[i], fmt::format("/skins/0/joints/{}", i), nodes_.size());
            if (document_.ok()) add_joint(node);
            joint_nodes_.push_back(node);
        }
    }

    void read_rest() {
        for (const std::size_t i : node_of_) {
            const json::Value& node = document_.list("nodes")[i];
            const std::string place = node_place(i);
            const auto t = document_.numbers(node, place, "translation", {0, 0, 0});
            const auto r = document_.numbers(node, place, "rotation", {0, 0, 0, 1});
            const auto s = document_.numbers(node, place, "scale", {1, 1, 1});
            nodes_[i].translation = {t[0], t[1], t[2]};
            nodes_[i].rotation = quaternion_of(r);
            if (!(squared_length(nodes_[i].rotation) > 0))
                document_.fail(place + "/rotation", "must not have length 0");
            if (GltfDocument::member(node, "matrix").kind != json::Kind::null) {
                read_matrix(node, place, nodes_[i]);
            } else {
                nodes_[i].scale = even_scale(s[0], s[1], s[2], place + "/scale");
            }
            if (!document_.ok()) return;
        }
    }

    double even_scale(double x, double y, double z, const std::string& place) {
        if (!(x > 0) || std::abs(y - x) > 1e-3 * x || std::abs(z - x) > 1e-3 * x)
            document_.fail(
                place,
                fmt::format("must be above 0 and the same along all axes, got {:g}, {:g}, {:g}", x, y, z));
        return x;
    }

    void read_matrix(const json::Value& node, const std::string& place, Node& to) {
        const auto m = document_.numbers(node, place, "matrix", std::vector<double>(16, 0.0));
        const Vec3d x{m[0], m[1], m[2]}, y{m[4], m[5], m[6]}, z{m[8], m[9], m[10]};
        to.scale = even_scale(sqrt(dot(x, x)), sqrt(dot(y, y)), sqrt(dot(z, z)), place + "/matrix");
        if (!document_.ok()) return;
        const double s = 1 / to.scale;
        if (std::abs(dot(cross(x, y), z) * s * s * s - 1) > 1e-3)
            return document_.fail(place + "/matrix", "must turn, not mirror or shear");
        to.translation = {m[12], m[13], m[14]};
        to.rotation = quaternion_of(x * s, y * s, z * s);
    }

    void read_animation(std::string_view name) {
        const auto& animations = document_.list("animations");
        if (!document_.ok() || (animations.empty() && name.empty())) return;
        std::size_t chosen = 0;
        std::vector<std::string_view> known;
        for (const json::Value& one : animations) known.push_back(GltfDocument::member(one, "name").text);
        if (!name.empty()) {
            while (chosen < known.size() && known[chosen] != name) ++chosen;
            if (chosen == known.size())
                return document_.fail("/animations", fmt::format("there is no animation \"{}\"; {}", name,
                                                                 suggestion(name, known)));
        }
        const std::string place = fmt::format("/animations/{}", chosen);
        const json::Value& animation = animations[chosen];
        const auto& channels = document_.items(animation, place, "channels");
        for (std::size_t i = 0; i < channels.size() && document_.ok(); ++i)
            read_channel(animation, place, channels[i], fmt::format("{}/channels/{}", place, i));
    }

    void read_channel(const json::Value& animation, const std::string& owner, const json::Value& channel,
                      const std::string& place) {
        const auto& samplers = document_.items(animation, owner, "samplers");
        const std::size_t sampler = document_.index(channel, place, "sampler", samplers.size());
        const json::Value& target = GltfDocument::member(channel, "target");
        const std::size_t node = document_.index(target, place + "/target", "node", nodes_.size(), false);
        const std::string path = document_.text(target, place + "/target", "path");
        if (!document_.ok() || node == none || nodes_[node].joint == none || path == "weights") return;
        const bool turns = path == "rotation";
        if (!turns && path != "translation" && path != "scale")
            return document_.fail(
                place + "/target/path",
                fmt::format("must be \"translation\", \"rotation\", \"scale\" or \"weights\", "
                            "got \"{}\"",
                            path));
        Track track = read_track(samplers[sampler], fmt::format("{}/samplers/{}", owner, sampler), turns);
        if (!document_.ok()) return;
        if (path == "scale") {
            for (const double value : track.values) {
                if (std::abs(value - nodes_[node].scale) > 1e-3 * nodes_[node].scale)
                    return document_.fail(place, "changes a scale: joints move and turn, but do not grow");
            }
            return;
        }
        duration_ = std::max(duration_, track.times.back());
        (turns ? nodes_[node].turns : nodes_[node].moves) = std::move(track);
    }

    Track read_track(const json::Value& sampler, const std::string& place, bool turns) {
        Track track;
        track.each = turns ? 4 : 3;
        const json::Value& between = GltfDocument::member(sampler, "interpolation");
        if (between.text == "STEP") track.between = Track::Between::step;
        if (between.text == "CUBICSPLINE") track.between = Track::Between::cubic;
        if (between.kind != json::Kind::null && between.text != "STEP" && between.text != "CUBICSPLINE" &&
            between.text != "LINEAR")
            document_.fail(place + "/interpolation",
                           "must be \"LINEAR\", \"STEP\" or \"CUBICSPLINE\", got " + json::describe(between));
        const std::size_t input = document_.index(sampler, place, "input", none);
        const std::size_t output = document_.index(sampler, place, "output", none);
        track.times = document_.read(input, "SCALAR", false);
        track.values = document_.read(output, turns ? "VEC4" : "VEC3", false);
        if (!document_.ok()) return track;
        const std::size_t per_key = track.each * (track.between == Track::Between::cubic ? 3 : 1);
        if (track.values.size() != track.times.size() * per_key)
            document_.fail(place + "/output", fmt::format("must have as many elements as there are times, {}",
                                                          track.times.size()));
        for (std::size_t i = 1; i < track.times.size(); ++i) {
            if (!(track.times[i] > track.times[i - 1]))
                document_.fail(place + "/input", fmt::format("time {} must be above that before it", i));
        }
        return track;
    }

    void sample() {
        if (!document_.ok()) return;
        const double samples = std::floor(duration_ * GltfSkin::samples_per_second) + 2;
        if (samples * static_cast<double>(skin_.joints.size()) > most_samples)
            return document_.fail("/animations", fmt::format("lasts too long: {:g} s", duration_));
        const std::size_t count = duration_ > 0 ? static_cast<std::size_t>(samples) : 1;
        for (std::size_t j = 0; j < skin_.joints.size(); ++j) {
            const Node& node = nodes_[node_of_[j]];
            for (std::size_t i = 0; i < count; ++i) {
                const double time = static_cast<double>(i) / GltfSkin::samples_per_second;
                Similarity local{node.scale, unit(node.rotation), node.translation};
                if (node.moves) {
                    const auto t = node.moves->at(time);
                    local.offset = {t[0], t[1], t[2]};
                }
                if (node.turns) {
                    const Quaternion q = quaternion_of(node.turns->at(time));
                    if (!(squared_length(q) > 0))
                        return document_.fail("/animations", "has a rotation of length 0");
                    local.rotation = unit(q);
                }
                skin_.joints[j].locals.push_back(local);
            }
        }
    }

    void read_vertices() {
        if (!document_.ok()) return;
        std::vector<Similarity> starts;
        for (const GltfSkin::Joint& joint : skin_.joints) {
            const Similarity& local = joint.locals.front();
            starts.push_back(joint.parent == GltfSkin::no_parent ? local
                                                                 : product(starts[joint.parent], local));
        }
        const json::Value& skin = document_.list("skins")[0];
        std::vector<double> inverses;
        if (const std::size_t i = document_.index(skin, "/skins/0", "inverseBindMatrices", none, false);
            i != none) {
            inverses = document_.read(i, "MAT4", false);
            if (document_.ok() && inverses.size() < 16 * joint_nodes_.size())
                document_.fail(
                    "/skins/0/inverseBindMatrices",
                    fmt::format("must have one matrix for each of {} joints", joint_nodes_.size()));
        }
        const auto& nodes = document_.list("nodes");
        for (std::size_t i = 0; i < nodes.size() && document_.ok(); ++i) {
            if (document_.index(nodes[i], node_place(i), "skin", none, false) != 0) continue;
            const auto& meshes = document_.list("meshes");
            const std::size_t mesh = document_.index(nodes[i], node_place(i), "mesh", meshes.size());
            if (!document_.ok()) return;
            const std::string place = fmt::format("/meshes/{}", mesh);
            const auto& primitives = document_.items(meshes[mesh], place, "primitives");
            for (std::size_t k = 0; k < primitives.size() && document_.ok(); ++k)
                read_primitive(primitives[k], fmt::format("{}/primitives/{}/attributes", place, k), starts,
                               inverses);
        }
    }

    void read_primitive(const json::Value& primitive, const std::string& place,
                        const std::vector<Similarity>& starts, const std::vector<double>& inverses) {
        const json::Value& attributes = GltfDocument::member(primitive, "attributes");
        if (GltfDocument::member(attributes, "JOINTS_1").kind != json::Kind::null)
            return document_.fail(place + "/JOINTS_1", "is not supported: at most four joints per vertex");
        const auto read = [&](const char* key, const char* type, bool whole) {
            const std::size_t accessor = document_.index(attributes, place, key, none);
            return document_.ok() ? document_.read(accessor, type, whole) : std::vector<double>();
        };
        const auto positions = read("POSITION", "VEC3", false), joints = read("JOINTS_0", "VEC4", true),
                   weights = read("WEIGHTS_0", "VEC4", false);
        if (!document_.ok()) return;
        const std::size_t count = positions.size() / 3;
        if (joints.size() != 4 * count || weights.size() != 4 * count)
            return document_.fail(place, "must have as many joints and weights as positions");
        for (std::size_t i = 0; i < count && document_.ok(); ++i) {
            const Vec3d x{positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]};
            GltfSkin::Vertex vertex;
            double sum = 0;
            for (std::size_t k = 0; k < 4; ++k) sum += weights[4 * i + k];
            for (std::size_t k = 0; k < 4; ++k) {
                const double weight = weights[4 * i + k];
                const auto joint = static_cast<std::size_t>(joints[4 * i + k]);
                if (weight < 0 || !(sum > 0))
                    return document_.fail(place + "/WEIGHTS_0",
                                          fmt::format("vertex {} must have weights ≥ 0, not all 0", i));
                if (joint >= joint_nodes_.size())
                    return document_.fail(place + "/JOINTS_0",
                                          fmt::format("vertex {} must have joints below {}, got {}", i,
                                                      joint_nodes_.size(), joint));
                vertex.joints[k] = static_cast<std::uint32_t>(nodes_[joint_nodes_[joint]].joint);
                vertex.weights[k] = weight / sum;
                const Vec3d bound = inverses.empty() ? x : transformed(inverses.data() + 16 * joint, x);
                vertex.position = vertex.position + starts[vertex.joints[k]](bound) * vertex.weights[k];
            }
            skin_.vertices.push_back(vertex);
        }
    }

    // By a matrix, column after column.
    static Vec3d transformed(const double* m, const Vec3d& x) {
        return Vec3d{m[0], m[1], m[2]} * x.x + Vec3d{m[4], m[5], m[6]} * x.y +
               Vec3d{m[8], m[9], m[10]} * x.z + Vec3d{m[12], m[13], m[14]};
    }

    GltfDocument document_;
    GltfSkin skin_{};
    std::vector<Node> nodes_{};
    std::vector<std::size_t> node_of_{};      // of each joint
    std::vector<std::size_t> joint_nodes_{};  // as the skin lists them
    double duration_ = 0;                     // s
};

}  // namespace

Similarity product(const Similarity& a, const Similarity& b) {
    return {a.scale * b.scale, product(a.rotation, b.rotation), a(b.offset)};
}

Result<GltfSkin> read_gltf_skin(const std::filesystem::path& file, std::string_view animation) {
    return SkinReader(file).run(animation);
}

}  // namespace pliant::mesh
