# Scenes, the programs and the examples.

file(GLOB scenes CONFIGURE_DEPENDS scenes/*.cpp)
add_library(pliant_scenes STATIC ${scenes})
target_include_directories(pliant_scenes PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(pliant_scenes PUBLIC pliant::pliant)
file(RELATIVE_PATH installed_scenes ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DATADIR}/pliant/scenes)
target_compile_definitions(pliant_scenes PRIVATE
    PLIANT_INSTALLED_SCENES="${installed_scenes}" PLIANT_SOURCE_SCENES="${PROJECT_SOURCE_DIR}/scenes")

# Cases with closed forms: what pliant validate measures.
file(GLOB validation CONFIGURE_DEPENDS apps/pliant/validate/*.cpp)
add_library(pliant_validation STATIC ${validation})
target_include_directories(pliant_validation PUBLIC apps PRIVATE src)
target_include_directories(pliant_validation SYSTEM PRIVATE ${FMT_INCLUDE_DIR})
target_link_libraries(pliant_validation PUBLIC pliant::pliant pliant::output)

if(EMSCRIPTEN)
    return()
endif()

# Prints docs/reference.md.
add_executable(pliant_reference apps/reference.cpp)
target_include_directories(pliant_reference PRIVATE src)
target_include_directories(pliant_reference SYSTEM PRIVATE ${FMT_INCLUDE_DIR})
target_link_libraries(pliant_reference PRIVATE pliant::pliant)

# The command line, bin/pliant.
find_package(CLI11 QUIET)
if(CLI11_FOUND)
    file(GLOB commands CONFIGURE_DEPENDS apps/pliant/*.cpp apps/pliant/server/*.cpp)
    add_executable(pliant_program ${commands})
    # In few pieces: most of the time goes into the header of CLI11.
    set_target_properties(pliant_program PROPERTIES OUTPUT_NAME pliant UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 7)
    target_include_directories(pliant_program PRIVATE apps src)
    target_include_directories(pliant_program SYSTEM PRIVATE ${FMT_INCLUDE_DIR})
    target_link_libraries(pliant_program PRIVATE pliant_validation pliant_scenes CLI11::CLI11)
    set(built_page ${PROJECT_SOURCE_DIR}/build/web)  # by scripts/build_web
    target_compile_definitions(pliant_program PRIVATE PLIANT_BUILT_PAGE="${built_page}")
    install(TARGETS pliant_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(DIRECTORY scenes/ DESTINATION ${CMAKE_INSTALL_DATADIR}/pliant/scenes FILES_MATCHING PATTERN "*.json")
    install(DIRECTORY ${built_page}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/pliant/page OPTIONAL)
    install(DIRECTORY assets DESTINATION ${CMAKE_INSTALL_DATADIR}/pliant)
else()
    message(STATUS "CLI11 is missing: no command line")
endif()

# An example is a test too: it must run and exit with 0.
file(GLOB examples CONFIGURE_DEPENDS examples/*.cpp)
foreach(file ${examples})
    cmake_path(GET file STEM name)
    add_executable(example_${name} ${file})
    target_link_libraries(example_${name} PRIVATE pliant::pliant pliant::output pliant_scenes)
    add_test(NAME example.${name} COMMAND example_${name} WORKING_DIRECTORY ${CMAKE_BINARY_DIR})
endforeach()
