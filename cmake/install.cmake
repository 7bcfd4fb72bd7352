# What find_package(pliant) needs.
include(CMakePackageConfigHelpers)

set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/pliant)
install(TARGETS pliant EXPORT pliant)
install(DIRECTORY include/pliant TYPE INCLUDE FILES_MATCHING PATTERN "*.h" PATTERN output EXCLUDE)
install(EXPORT pliant NAMESPACE pliant:: DESTINATION ${package_directory} FILE pliantTargets.cmake)
if(TARGET pliant_output)
    install(TARGETS pliant_output EXPORT pliant_output)
    install(DIRECTORY include/pliant/output DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/pliant
        FILES_MATCHING PATTERN "*.h")
    install(EXPORT pliant_output NAMESPACE pliant:: DESTINATION ${package_directory}
        FILE pliantOutputTargets.cmake)
endif()

configure_package_config_file(cmake/pliantConfig.cmake.in pliantConfig.cmake
    INSTALL_DESTINATION ${package_directory})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(pliantConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/pliantConfig.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/pliantConfigVersion.cmake DESTINATION ${package_directory})
