// The functions of OpenGL that the renderer uses, found at run time: a program that never draws starts
// without the library.
#pragma once

#include <GL/glcorearb.h>

namespace pliant::output::opengl {

// clang-format off
#define PLIANT_OPENGL_FUNCTIONS(F)                                                                        \
    F(ACTIVETEXTURE, ActiveTexture) F(ATTACHSHADER, AttachShader) F(BINDBUFFER, BindBuffer)               \
    F(BINDBUFFERBASE, BindBufferBase) F(BINDFRAMEBUFFER, BindFramebuffer)                                 \
    F(BINDRENDERBUFFER, BindRenderbuffer) F(BINDSAMPLER, BindSampler) F(BINDTEXTURE, BindTexture)         \
    F(BINDVERTEXARRAY, BindVertexArray) F(BLITFRAMEBUFFER, BlitFramebuffer) F(BUFFERDATA, BufferData)     \
    F(CHECKFRAMEBUFFERSTATUS, CheckFramebufferStatus) F(CLEAR, Clear) F(COLORMASK, ColorMask)             \
    F(COMPILESHADER, CompileShader) F(CREATEPROGRAM, CreateProgram) F(CREATESHADER, CreateShader)         \
    F(CULLFACE, CullFace) F(DEPTHFUNC, DepthFunc) F(DELETEBUFFERS, DeleteBuffers)                         \
    F(DELETEFRAMEBUFFERS, DeleteFramebuffers) F(DELETEPROGRAM, DeleteProgram)                             \
    F(DELETERENDERBUFFERS, DeleteRenderbuffers) F(DELETESAMPLERS, DeleteSamplers)                         \
    F(DELETESHADER, DeleteShader) F(DELETETEXTURES, DeleteTextures)                                       \
    F(DELETEVERTEXARRAYS, DeleteVertexArrays) F(DISABLE, Disable) F(DRAWARRAYS, DrawArrays)               \
    F(DRAWBUFFER, DrawBuffer) F(DRAWELEMENTS, DrawElements) F(ENABLE, Enable)                             \
    F(ENABLEVERTEXATTRIBARRAY, EnableVertexAttribArray) F(FRAMEBUFFERRENDERBUFFER, FramebufferRenderbuffer) \
    F(FRAMEBUFFERTEXTURE2D, FramebufferTexture2D) F(GENBUFFERS, GenBuffers)                               \
    F(GENFRAMEBUFFERS, GenFramebuffers) F(GENRENDERBUFFERS, GenRenderbuffers) F(GENSAMPLERS, GenSamplers) \
    F(GENTEXTURES, GenTextures) F(GENVERTEXARRAYS, GenVertexArrays) F(GETERROR, GetError)                 \
    F(GETINTEGERV, GetIntegerv) F(GETPROGRAMINFOLOG, GetProgramInfoLog) F(GETPROGRAMIV, GetProgramiv)     \
    F(GETSHADERINFOLOG, GetShaderInfoLog) F(GETSHADERIV, GetShaderiv) F(GETSTRING, GetString)             \
    F(GETUNIFORMBLOCKINDEX, GetUniformBlockIndex) F(GETUNIFORMLOCATION, GetUniformLocation)               \
    F(LINKPROGRAM, LinkProgram) F(PIXELSTOREI, PixelStorei) F(POLYGONOFFSET, PolygonOffset)               \
    F(READBUFFER, ReadBuffer) F(READPIXELS, ReadPixels)                                                   \
    F(RENDERBUFFERSTORAGEMULTISAMPLE, RenderbufferStorageMultisample)                                     \
    F(SAMPLERPARAMETERI, SamplerParameteri) F(SHADERSOURCE, ShaderSource) F(TEXIMAGE2D, TexImage2D)       \
    F(TEXPARAMETERI, TexParameteri) F(UNIFORM1I, Uniform1i) F(UNIFORM4F, Uniform4f)                       \
    F(UNIFORMBLOCKBINDING, UniformBlockBinding) F(USEPROGRAM, UseProgram)                                 \
    F(VERTEXATTRIBPOINTER, VertexAttribPointer) F(VIEWPORT, Viewport)
// clang-format on

struct Functions {
#define PLIANT_DECLARE(TYPE, name) PFNGL##TYPE##PROC name = nullptr;
    PLIANT_OPENGL_FUNCTIONS(PLIANT_DECLARE)
#undef PLIANT_DECLARE
};

}  // namespace pliant::output::opengl
