#include "output/opengl/context.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>

#include <utility>

#include "base/format.h"

namespace pliant::output::opengl {
namespace {

constexpr const char* place = "pictures";
constexpr const char* advice = "install the packages libegl1, libegl-mesa0 and libgl1-mesa-dri";

// EGL's own functions, from the library that is opened at run time.
struct Egl {
    PFNEGLGETPROCADDRESSPROC GetProcAddress = nullptr;
    PFNEGLGETPLATFORMDISPLAYEXTPROC GetPlatformDisplay = nullptr;
    PFNEGLGETDISPLAYPROC GetDisplay = nullptr;
    PFNEGLINITIALIZEPROC Initialize = nullptr;
    PFNEGLBINDAPIPROC BindAPI = nullptr;
    PFNEGLCHOOSECONFIGPROC ChooseConfig = nullptr;
    PFNEGLCREATECONTEXTPROC CreateContext = nullptr;
    PFNEGLDESTROYCONTEXTPROC DestroyContext = nullptr;
    PFNEGLMAKECURRENTPROC MakeCurrent = nullptr;
    PFNEGLGETERRORPROC GetError = nullptr;
};

template <class Function>
bool find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
}

Result<Egl> open_egl() {
    // Never closed again: the library keeps threads and tables for as long as the program runs.
    void* library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return Error{place, fmt::format("libEGL.so.1 is missing: {}", advice)};
    Egl egl;
    const bool complete =
        find(library, "eglGetProcAddress", egl.GetProcAddress) &&
        find(library, "eglGetDisplay", egl.GetDisplay) && find(library, "eglInitialize", egl.Initialize) &&
        find(library, "eglBindAPI", egl.BindAPI) && find(library, "eglChooseConfig", egl.ChooseConfig) &&
        find(library, "eglCreateContext", egl.CreateContext) &&
        find(library, "eglDestroyContext", egl.DestroyContext) &&
        find(library, "eglMakeCurrent", egl.MakeCurrent) && find(library, "eglGetError", egl.GetError);
    if (!complete) return Error{place, fmt::format("libEGL.so.1 is not a complete EGL library: {}", advice)};
    egl.GetPlatformDisplay =
        reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(egl.GetProcAddress("eglGetPlatformDisplayEXT"));
    return egl;
}

// Without a screen if EGL offers that, else whatever it takes for the default.
EGLDisplay open_display(const Egl& egl) {
    if (egl.GetPlatformDisplay != nullptr) {
        const EGLDisplay display = egl.GetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
        if (display != EGL_NO_DISPLAY && egl.Initialize(display, nullptr, nullptr)) return display;
    }
    const EGLDisplay display = egl.GetDisplay(EGL_DEFAULT_DISPLAY);
    if (display != EGL_NO_DISPLAY && egl.Initialize(display, nullptr, nullptr)) return display;
    return EGL_NO_DISPLAY;
}

}  // namespace

struct Context::Implementation {
    Egl egl;
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLContext context = EGL_NO_CONTEXT;
    Functions functions;
};

void Context::Delete::operator()(Implementation* implementation) const {
    // The display is the process's: other contexts may still use it.
    implementation->egl.DestroyContext(implementation->display, implementation->context);
    delete implementation;
}

Result<Context> Context::create() {
    const Result<Egl> egl = open_egl();
    if (!egl) return egl.error();
    const EGLDisplay display = open_display(*egl);
    if (display == EGL_NO_DISPLAY) return Error{place, fmt::format("EGL finds no driver: {}", advice)};
    const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (!egl->BindAPI(EGL_OPENGL_API) || !egl->ChooseConfig(display, wanted, &config, 1, &count) ||
        count == 0) {
        return Error{place, fmt::format("the EGL driver offers no OpenGL: {}", advice)};
    }
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                              3,
                              EGL_CONTEXT_MINOR_VERSION,
                              3,
                              EGL_CONTEXT_OPENGL_PROFILE_MASK,
                              EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                              EGL_NONE};
    const EGLContext context = egl->CreateContext(display, config, EGL_NO_CONTEXT, version);
    if (context == EGL_NO_CONTEXT) {
        return Error{place, fmt::format("the driver offers no OpenGL 3.3 (EGL error 0x{:x}): {}",
                                        egl->GetError(), advice)};
    }
    Context made;
    made.implementation_.reset(new Implementation{*egl, display, context, {}});
    Functions& functions = made.implementation_->functions;
    const Use use(made);
    if (!use) return Error{place, "the driver cannot draw without a window (EGL_KHR_surfaceless_context)"};
    const char* missing = nullptr;
#define PLIANT_FIND(TYPE, name)                                                            \
    functions.name = reinterpret_cast<PFNGL##TYPE##PROC>(egl->GetProcAddress("gl" #name)); \
    if (functions.name == nullptr) missing = "gl" #name;
    PLIANT_OPENGL_FUNCTIONS(PLIANT_FIND)
#undef PLIANT_FIND
    if (missing != nullptr) return Error{place, fmt::format("the driver has no {}: {}", missing, advice)};
    return made;
}

const Functions& Context::functions() const { return implementation_->functions; }

std::string Context::description() const {
    const Use use(*this);
    const GLubyte* name = use ? implementation_->functions.GetString(GL_RENDERER) : nullptr;
    return name == nullptr ? "" : reinterpret_cast<const char*>(name);
}

Context::Use::Use(const Context& context) : context_(*context.implementation_) {
    current_ = context_.egl.MakeCurrent(context_.display, EGL_NO_SURFACE, EGL_NO_SURFACE, context_.context) ==
               EGL_TRUE;
}

Context::Use::~Use() {
    if (current_) context_.egl.MakeCurrent(context_.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

}  // namespace pliant::output::opengl
