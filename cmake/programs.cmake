# Scenes, what writes files and pictures, the programs and the examples.

file(GLOB scenes CONFIGURE_DEPENDS scenes/*.cpp)
add_library(pliant_scenes STATIC ${scenes})
target_include_directories(pliant_scenes PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(pliant_scenes PUBLIC pliant::pliant)

file(GLOB output CONFIGURE_DEPENDS src/output/*.cpp)
add_library(pliant_output STATIC ${output})
target_include_directories(pliant_output PUBLIC src)
target_include_directories(pliant_output SYSTEM PUBLIC ${FMT_INCLUDE_DIR})
target_compile_definitions(pliant_output PUBLIC FMT_HEADER_ONLY=1)
target_link_libraries(pliant_output PUBLIC pliant::pliant)

if(EMSCRIPTEN)
    return()
endif()

# apps/demo.cpp becomes bin/pliant_demo.
file(GLOB apps CONFIGURE_DEPENDS apps/*.cpp)
foreach(file ${apps})
    cmake_path(GET file STEM name)
    add_executable(pliant_${name} ${file})
    target_link_libraries(pliant_${name} PRIVATE pliant::pliant pliant_scenes pliant_output)
endforeach()

# The command line, bin/pliant.
find_package(CLI11 QUIET)
if(CLI11_FOUND)
    file(GLOB commands CONFIGURE_DEPENDS apps/pliant/*.cpp)
    add_executable(pliant_program ${commands})
    set_target_properties(pliant_program PROPERTIES OUTPUT_NAME pliant)
    target_include_directories(pliant_program PRIVATE apps)
    target_link_libraries(pliant_program PRIVATE pliant::pliant pliant_scenes pliant_output CLI11::CLI11)
    install(TARGETS pliant_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
else()
    message(STATUS "CLI11 is missing: no command line")
endif()

# An example is a test too: it must run and exit with 0.
file(GLOB examples CONFIGURE_DEPENDS examples/*.cpp)
foreach(file ${examples})
    cmake_path(GET file STEM name)
    add_executable(example_${name} ${file})
    target_link_libraries(example_${name} PRIVATE pliant::pliant pliant_scenes pliant_output)
    add_test(NAME example.${name} COMMAND example_${name} WORKING_DIRECTORY ${CMAKE_BINARY_DIR})
endforeach()
