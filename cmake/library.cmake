# The library, pliant::pliant.

set(sources)
foreach(folder base mesh constraints model collision solvers scene)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS src/${folder}/*.cpp)
    list(APPEND sources ${found})
endforeach()
# The kernels are compiled once per instruction set, below.
list(FILTER sources EXCLUDE REGEX src/solvers/position_based/kernels/)
file(GLOB kernel_sources CONFIGURE_DEPENDS src/solvers/position_based/kernels/*.cpp)

add_library(pliant ${sources})
add_library(pliant::pliant ALIAS pliant)
target_compile_features(pliant PUBLIC cxx_std_20)
target_compile_definitions(pliant PUBLIC $<$<CONFIG:Debug>:PLIANT_ASSERTIONS>)
target_include_directories(pliant
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE src)
set_target_properties(pliant PROPERTIES
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

# Only its headers (base/format.h): an installed pliant does not need fmt.
find_path(FMT_INCLUDE_DIR fmt/format.h REQUIRED)
target_include_directories(pliant SYSTEM PRIVATE ${FMT_INCLUDE_DIR})

# g++ adds x and y of a normal as a pair: the next triangle then reads, in one piece, what was written in two,
# and waits. One by one is three times as fast.
set_source_files_properties(src/mesh/geometry/normals.cpp PROPERTIES COMPILE_OPTIONS -fno-tree-slp-vectorize)

# What walks over the field tables is large and seldom run: not worth the time to optimize it.
set_source_files_properties(src/scene/catalog.cpp src/scene/parameters.cpp src/scene/file/schema.cpp src/scene/file/scene_text.cpp
    PROPERTIES
    COMPILE_OPTIONS $<IF:$<CONFIG:Release>,-O1,-O0>)

if(NOT EMSCRIPTEN)
    set(THREADS_PREFER_PTHREAD_FLAG ON)
    find_package(Threads REQUIRED)
    find_package(ZLIB REQUIRED)  # WebAssembly unpacks with the decoder of stb_image
    target_link_libraries(pliant PRIVATE Threads::Threads ZLIB::ZLIB)
endif()

# Compiles the kernels for one instruction set with the flags that follow its name.
function(pliant_add_kernels set)
    set(kernels pliant_kernels_${set})
    add_library(${kernels} OBJECT ${kernel_sources})
    target_compile_definitions(${kernels} PRIVATE PLIANT_TARGET=${set})
    # Vectors wider than the set has never cross a function call that is not inlined.
    target_compile_options(${kernels} PRIVATE ${ARGN} -Wno-psabi)
    if(NOT set STREQUAL scalar)  # the same formulas; looking for undefined behaviour doubles the time to compile
        target_compile_options(${kernels} PRIVATE -fno-sanitize=undefined)
    endif()
    target_include_directories(${kernels} PRIVATE include src)
    set_target_properties(${kernels} PROPERTIES
        POSITION_INDEPENDENT_CODE $<TARGET_PROPERTY:pliant,POSITION_INDEPENDENT_CODE>)
    target_sources(pliant PRIVATE $<TARGET_OBJECTS:${kernels}>)
    string(TOUPPER ${set} name)
    set_property(SOURCE src/solvers/position_based/dispatch.cpp APPEND PROPERTY COMPILE_DEFINITIONS PLIANT_HAS_${name})
endfunction()

pliant_add_kernels(scalar)
if(EMSCRIPTEN)
    pliant_add_kernels(simd128 -msimd128)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
    set(PLIANT_INSTRUCTION_SETS sse4 avx2 avx512 CACHE STRING
        "Instruction sets to compile kernels for, beside scalar; the best that runs is chosen at start")
    set(flags_of_sse4 -msse4.2)
    set(flags_of_avx2 -mavx2 -mno-fma)
    # No -mno-fma here: clang would drop AVX-512 with it. g++ 12 warns falsely of uninitialized lanes.
    set(flags_of_avx512 -mavx512f -mavx512vl -mavx512bw -mavx512dq -mprefer-vector-width=512
        $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
    foreach(set ${PLIANT_INSTRUCTION_SETS})
        if(NOT DEFINED flags_of_${set})
            message(FATAL_ERROR "PLIANT_INSTRUCTION_SETS has ${set}; known are sse4, avx2 and avx512")
        endif()
        pliant_add_kernels(${set} ${flags_of_${set}} -falign-loops=32)
    endforeach()
else()
    # 128-bit lanes by the compiler's vector extensions.
    pliant_add_kernels(simd128 -DPLIANT_GENERIC_SIMD)
endif()
