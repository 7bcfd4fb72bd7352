#include <pliant/output/page.h>

#include <string_view>
#include <utility>

#include "base/files/output_file.h"
#include "base/floating_point.h"
#include "base/format.h"
#include "output/web/page.css.h"
#include "output/web/page.html.h"
#include "output/web/recording.h"
#include "output/web/script/controls.js.h"
#include "output/web/script/drawing.js.h"
#include "output/web/script/items.js.h"
#include "output/web/script/recording.js.h"
#include "output/web/script/stage.js.h"
#include "output/web/script/tubes.js.h"
#include "output/web/script/vectors.js.h"
#include "output/web/script/webgl.js.h"
#include "output/web/shaders/body_fragment.glsl.h"
#include "output/web/shaders/body_vertex.glsl.h"
#include "output/web/shaders/common.glsl.h"
#include "output/web/shaders/ground_fragment.glsl.h"
#include "output/web/shaders/ground_vertex.glsl.h"
#include "output/web/shaders/helpers.glsl.h"
#include "output/web/shaders/shadow_fragment.glsl.h"
#include "output/web/shaders/sky_fragment.glsl.h"
#include "output/web/shaders/sky_vertex.glsl.h"
#include "output/web/text.h"

namespace pliant::output {
namespace {

// Each uses what stands before it.
constexpr std::string_view scripts[] = {
    embedded::vectors_js, embedded::recording_js, embedded::stage_js,   embedded::webgl_js,
    embedded::tubes_js,   embedded::items_js,     embedded::drawing_js, embedded::controls_js,
};

struct Shader {
    std::string_view name, text;
};
constexpr Shader shaders[] = {
    {"common", embedded::common_glsl},
    {"helpers", embedded::helpers_glsl},
    {"body_vertex", embedded::body_vertex_glsl},
    {"body_fragment", embedded::body_fragment_glsl},
    {"ground_vertex", embedded::ground_vertex_glsl},
    {"ground_fragment", embedded::ground_fragment_glsl},
    {"sky_vertex", embedded::sky_vertex_glsl},
    {"sky_fragment", embedded::sky_fragment_glsl},
    {"shadow_fragment", embedded::shadow_fragment_glsl},
};

}  // namespace

struct PageWriter::Implementation {
    PageOptions options;
    std::vector<PaneRecording> panes;
    std::size_t frames = 0;
    Vec3 light{};

    std::string model() const;
    void write_page(OutputFile& out) const;
};

PageWriter::PageWriter(PageOptions options) : implementation_(std::make_unique<Implementation>()) {
    const auto count = static_cast<std::size_t>(options.panes.columns * options.panes.rows);
    implementation_->panes.resize(count);
    implementation_->options = std::move(options);
}
PageWriter::PageWriter(PageWriter&&) noexcept = default;
PageWriter& PageWriter::operator=(PageWriter&&) noexcept = default;
PageWriter::~PageWriter() = default;

std::size_t PageWriter::frames() const { return implementation_->frames; }

Status PageWriter::add(const Picture& frame) { return add(std::vector<Picture>{frame}); }

Status PageWriter::add(const std::vector<Picture>& frame) {
    const StandardFloatingPoint floating_point;
    Implementation& page = *implementation_;
    if (frame.size() != page.panes.size()) {
        return Error{"pictures", fmt::format("a frame has {}, got {}", page.panes.size(), frame.size())};
    }
    if (page.frames == 0) page.light = frame.front().light;
    for (std::size_t i = 0; i < frame.size(); ++i) {
        if (const Status added = page.panes[i].add(frame[i]); !added) return added;
    }
    ++page.frames;
    return {};
}

std::string PageWriter::Implementation::model() const {
    std::string camera = "null";
    if (options.camera) {
        camera = fmt::format(R"({{"eye":{},"target":{},"fieldOfView":{}}})", json_vector(options.camera->eye),
                             json_vector(options.camera->target), options.camera->field_of_view);
    }
    return fmt::format(R"({{"interval":{},"columns":{},"rows":{},"camera":{},"light":{},"panes":{}}})",
                       options.interval, options.panes.columns, options.panes.rows, camera,
                       json_vector(light),
                       json_list(panes, [](const PaneRecording& pane) { return pane.model(); }));
}

void PageWriter::Implementation::write_page(OutputFile& out) const {
    std::string_view rest = embedded::page_html;
    const auto copy_up_to = [&](std::string_view mark) {
        const std::size_t at = rest.find(mark);
        out.write(rest.substr(0, at));
        rest.remove_prefix(at + mark.size());
    };
    copy_up_to("{{title}}");
    out.write(html_text(std::string_view(options.caption).substr(0, options.caption.find('\n'))));
    copy_up_to("{{style}}");
    out.write(embedded::page_css);
    copy_up_to("{{caption}}");
    out.write(html_text(options.caption));
    copy_up_to("{{model}}");
    out.write(model());
    copy_up_to("{{frames}}");
    for (std::size_t frame = 0; frame < frames; ++frame) {
        for (const PaneRecording& pane : panes) out.write(pane.line(frame));
    }
    copy_up_to("{{shaders}}");
    for (const Shader& shader : shaders) {
        out.print("<script type=\"text/plain\" id=\"{}\">\n{}</script>\n", shader.name, shader.text);
    }
    copy_up_to("{{script}}");
    for (const std::string_view script : scripts) out.write(script);
    out.write(rest);
}

Status PageWriter::write(const std::filesystem::path& file) const {
    const StandardFloatingPoint floating_point;
    if (implementation_->frames == 0) return Error{file.string(), "there is no frame to write"};
    OutputFile out(file);
    implementation_->write_page(out);
    return out.commit();
}

}  // namespace pliant::output
