// pliant view: the page, live, in a browser on this machine.
#include <pliant/scene.h>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "base/format.h"
#include "base/json.h"
#include "pliant/commands.h"
#include "pliant/page_files.h"
#include "pliant/server/folder_server.h"
#include "pliant/terminal.h"
#include "scenes/scenes.h"

namespace pliant::app {
namespace {

constexpr int usual_port = 8765;

struct ViewOptions {
    std::string scene{};
    std::filesystem::path page{};  // empty: the one that comes with the program
    int port = usual_port;
    bool port_given = false, open_browser = true;
};

Result<FolderServer> open_server(const ViewOptions& options) {
    const std::filesystem::path folder = options.page.empty() ? page_folder() : options.page;
    std::error_code ignored;
    if (!std::filesystem::exists(folder / "index.html", ignored))
        return Error{folder.string(), "there is no page; ./demo --web builds and serves it"};
    auto server = FolderServer::open(folder, options.port);
    if (server || options.port_given) return server;
    for (int next = options.port + 1; next < options.port + 100; ++next) {
        auto other = FolderServer::open(folder, next);
        if (!other) continue;
        fmt::print(stderr, "{} port {}\n", styled("pliant: note:", Style::warning), server.error().message);
        return other;
    }
    return server;
}

// Hands a scene file and the meshes that it names to the page.
Status hand_over(const std::filesystem::path& file, FolderServer& server) {
    const auto scene = load_scene(file);  // with all its Errors
    if (!scene) return scene.error();
    json::Value all = json::make_object(), meshes = json::make_list();
    all.add("name", json::make_string(file.stem().string()));
    all.add("text", json::make_string(file_content(file)));
    for (const std::filesystem::path& path : mesh_files_of(scene->file)) {
        const std::string place = fmt::format("opened/{}", meshes.items.size());
        json::Value mesh = json::make_object();
        mesh.add("path", json::make_string(path.string()));
        mesh.add("file", json::make_string(place));
        meshes.items.push_back(std::move(mesh));
        server.add("/" + place, "application/octet-stream", file_content(file.parent_path() / path));
    }
    all.add("meshes", std::move(meshes));
    server.add("/opened/scene.json", "application/json; charset=utf-8", json::print_compact(all));
    return {};
}

// What follows the address: which scene.
Result<std::string> fragment_of(const ViewOptions& options, FolderServer& server) {
    if (options.scene.empty()) return std::string();
    const bool known = scenes::find(options.scene) || scenes::load_family(options.scene, {});
    if (known) return "#scene=" + options.scene;
    if (const Status status = hand_over(options.scene, server); !status) return status.error();
    return std::string("#open=opened/scene.json");
}

void open_browser(const std::string& address) {
    const bool screen = std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr;
    if (!screen) return;
    const pid_t child = fork();
    if (child != 0) return;  // it may well fail: the address is told anyway
    std::freopen("/dev/null", "w", stderr);
    execlp("xdg-open", "xdg-open", address.c_str(), static_cast<char*>(nullptr));
    _exit(127);
}

ExitCode serve(const ViewOptions& options) {
    auto server = open_server(options);
    if (!server) return complain(server.error());
    const auto fragment = fragment_of(options, *server);
    if (!fragment) return complain(fragment.error());
    const std::string address = fmt::format("http://127.0.0.1:{}/{}", server->port(), *fragment);
    fmt::print("{}\nCtrl-C ends it.\n", address);
    std::fflush(stdout);
    if (options.open_browser) open_browser(address);
    server->run(interrupt_flag());
    return success;
}

}  // namespace

void add_view(CLI::App& program, ExitCode& exit_code) {
    CLI::App* command =
        program.add_subcommand("view", "Shows scenes in a browser: grab them, change them, while they run");
    command->footer(
        "The page is served to this machine alone. ./demo --web builds it.\nExample: pliant view jelly");
    const auto options = std::make_shared<ViewOptions>();
    command->add_option("SCENE", options->scene,
                        "A scene file, a name that pliant scenes lists, or c<N> or j<N>");
    CLI::Option* port = command->add_option("--port", options->port,
                                            "Where it is served (default: 8765; 0: any that is free)");
    command->add_option("--page", options->page, "The folder of another built page");
    command->add_flag("!--no-browser", options->open_browser, "Only print the address");
    command->callback([options, port, &exit_code] {
        options->port_given = port->count() > 0;
        exit_code = serve(*options);
    });
}

}  // namespace pliant::app
