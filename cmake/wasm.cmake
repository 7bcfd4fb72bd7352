# Settings for WebAssembly: programs that run under node, and the module of the page.

# Header-only libraries of the host, linked into a directory of their own: the host's whole include
# directory would shadow Emscripten's C library.
set(host_headers ${CMAKE_BINARY_DIR}/host_headers)
file(MAKE_DIRECTORY ${host_headers})
foreach(library fmt doctest nlohmann stb)
    find_path(HOST_${library} ${library} PATHS /usr/include /usr/local/include
        NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
    if(HOST_${library})
        file(CREATE_LINK ${HOST_${library}}/${library} ${host_headers}/${library} SYMBOLIC)
    endif()
endforeach()
set(FMT_INCLUDE_DIR ${host_headers} CACHE PATH "" FORCE)
set(DOCTEST_INCLUDE_DIR ${host_headers} CACHE PATH "" FORCE)

find_program(NODE node REQUIRED NO_CMAKE_FIND_ROOT_PATH)
# node's own fetch refuses the file paths that Emscripten would hand to it.
set(CMAKE_CROSSCOMPILING_EMULATOR ${NODE} --no-experimental-fetch)

# Only pages that are isolated from other origins may have threads, so the page has a module of either sort. All is
# compiled once, so that it could run on several; what starts them is compiled for each (cmake/web.cmake). In
# the module without threads a thread_local would have no memory: there is none (scripts/check_includes).
add_compile_options(-pthread)

add_link_options(-sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=64MB -sTOTAL_STACK=4MB)

# Programs that run under node.
set(pliant_node_options
    -sEXIT_RUNTIME=1  # pass main's result on as the exit code
    -sNODERAWFS=1     # files are the host's
    --pre-js=${PROJECT_SOURCE_DIR}/cmake/node_environment.js)
