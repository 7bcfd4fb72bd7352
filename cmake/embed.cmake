# Text files that a program carries in itself.
#
#   pliant_embed(target folder file...)
#
# Of each file folder/a/name.ext the target can include "a/name.ext.h", which holds its text as
# pliant::output::embedded::name_ext. The header is made anew when the file changes.

set(pliant_embed_script ${CMAKE_CURRENT_LIST_FILE})

if(CMAKE_SCRIPT_MODE_FILE)  # cmake -D INPUT=… -D OUTPUT=… -P embed.cmake
    file(READ ${INPUT} text)
    cmake_path(GET INPUT FILENAME name)
    string(MAKE_C_IDENTIFIER ${name} name)
    # Not inline: texts of one name in two folders stay two.
    # Compilers need not take longer literals than 65,536 characters; g++ and clang do.
    file(WRITE ${OUTPUT} "#pragma once\n\n#include <string_view>\n\nnamespace pliant::output::embedded {\n\n"
        "constexpr std::string_view ${name} = R\"~~~(${text})~~~\";\n\n"
        "}  // namespace pliant::output::embedded\n")
    return()
endif()

function(pliant_embed target folder)
    set(headers ${CMAKE_CURRENT_BINARY_DIR}/embedded)
    foreach(file ${ARGN})
        cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${folder} OUTPUT_VARIABLE path)
        set(header ${headers}/${path}.h)
        add_custom_command(OUTPUT ${header}
            COMMAND ${CMAKE_COMMAND} -D INPUT=${file} -D OUTPUT=${header} -P ${pliant_embed_script}
            DEPENDS ${file} ${pliant_embed_script} VERBATIM)
        target_sources(${target} PRIVATE ${header})
    endforeach()
    target_include_directories(${target} PRIVATE ${headers})
endfunction()
