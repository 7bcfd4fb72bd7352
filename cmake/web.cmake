# The engine behind its boundary of JSON and buffers, and the module of the page.

add_library(pliant_engine STATIC web/engine/engine.cpp web/engine/drawing.cpp)
target_include_directories(pliant_engine PRIVATE web src)
target_include_directories(pliant_engine SYSTEM PRIVATE ${FMT_INCLUDE_DIR})
target_link_libraries(pliant_engine PUBLIC pliant::pliant pliant::output PRIVATE pliant_scenes)

if(EMSCRIPTEN)
    # web/pliant.mjs and web/pliant.wasm, which scripts/build_web hands to the page.
    add_executable(pliant_module web/engine/bindings.cpp)
    target_include_directories(pliant_module PRIVATE web src)
    target_link_libraries(pliant_module PRIVATE pliant_engine)
    set_target_properties(pliant_module PROPERTIES OUTPUT_NAME pliant SUFFIX .mjs
        RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/web)
    target_link_options(pliant_module PRIVATE --no-entry
        -sMODULARIZE=1 -sEXPORT_ES6=1 -sUSE_ES6_IMPORT_META=0 -sENVIRONMENT=web,worker
        $<$<BOOL:${PLIANT_WASM_THREADS}>:-sPTHREAD_POOL_SIZE=Module.extraThreads>
        -sFORCE_FILESYSTEM=1 -sMAXIMUM_MEMORY=2GB -sEXPORTED_RUNTIME_METHODS=ccall,FS)
endif()
