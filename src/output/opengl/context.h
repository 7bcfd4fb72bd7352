// An OpenGL context without a window or a screen (EGL's surfaceless platform).
#pragma once

#include "output/opengl/functions.h"

#include <pliant/error.h>

#include <memory>
#include <string>

namespace pliant::output::opengl {

class Context {
public:
    static Result<Context> create();

    const Functions& functions() const;
    std::string description() const;  // what draws, e.g. "llvmpipe (LLVM 15.0.6, 256 bits)"

    struct Implementation;

    // While one of these lives, the context belongs to the calling thread. It may be another thread each
    // time, but one at a time.
    class Use {
    public:
        explicit Use(const Context& context);
        ~Use();
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;
        explicit operator bool() const { return current_; }

    private:
        const Implementation& context_;
        bool current_ = false;
    };

private:
    struct Delete {
        void operator()(Implementation* implementation) const;
    };
    std::unique_ptr<Implementation, Delete> implementation_;
};

}  // namespace pliant::output::opengl
