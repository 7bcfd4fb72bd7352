# The engine behind its boundary of JSON and buffers, and the module of the page.

add_library(pliant_engine STATIC web/engine/engine.cpp web/engine/drawing.cpp)
target_include_directories(pliant_engine PRIVATE web src)
target_include_directories(pliant_engine SYSTEM PRIVATE ${FMT_INCLUDE_DIR})
target_link_libraries(pliant_engine PUBLIC pliant::pliant pliant::output PRIVATE pliant_scenes)

if(NOT EMSCRIPTEN)
    return()
endif()

# folder/pliant.mjs and pliant.wasm, which scripts/build_web hands to the page.
function(pliant_add_module name folder)
    add_executable(${name} web/engine/bindings.cpp)
    target_include_directories(${name} PRIVATE web src)
    target_link_libraries(${name} PRIVATE pliant_engine)
    set_target_properties(${name} PROPERTIES OUTPUT_NAME pliant SUFFIX .mjs
        RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${folder})
    target_link_options(${name} PRIVATE --no-entry
        -sMODULARIZE=1 -sEXPORT_ES6=1 -sUSE_ES6_IMPORT_META=0 -sENVIRONMENT=web,worker
        -sFORCE_FILESYSTEM=1 -sMAXIMUM_MEMORY=2GB -sEXPORTED_RUNTIME_METHODS=ccall,FS)
endfunction()

pliant_add_module(pliant_module web)
pliant_add_module(pliant_module_threads web_threads)
# Found here first, it takes the place of the library's own.
target_sources(pliant_module_threads PRIVATE src/base/parallel.cpp)
target_compile_definitions(pliant_module_threads PRIVATE PLIANT_HAS_THREADS)
target_link_options(pliant_module_threads PRIVATE -pthread -Wno-pthreads-mem-growth
    -sPTHREAD_POOL_SIZE=Module.extraThreads)
