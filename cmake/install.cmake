# `cmake --install`: the program, its configurations, and a CMake package with one component a library. Components are exported one by
# one, so that a project which uses ansatz::rfm needs neither LibTorch nor OpenCV.
include(CMakePackageConfigHelpers)
set(ANSATZ_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/ansatz)

set(ANSATZ_COMPONENTS core rfm)
if(ANSATZ_NETS)
  list(APPEND ANSATZ_COMPONENTS nets)
endif()
if(ANSATZ_VIZ)
  list(APPEND ANSATZ_COMPONENTS viz)
endif()
foreach(component IN LISTS ANSATZ_COMPONENTS)
  install(TARGETS ansatz_${component} EXPORT ansatz-${component} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT ansatz-${component} NAMESPACE ansatz:: DESTINATION ${ANSATZ_PACKAGE_DIR})
  set(public_headers "/[a-z_]+\\.h$")
  if(component STREQUAL "nets")
    set(public_headers "/(mlp|trainer|checkpoint)\\.h$")  # the others include torch or serve it
  elseif(component STREQUAL "viz")
    set(public_headers "/(feature_image|figures|report)\\.h$")
  endif()
  install(DIRECTORY ${component}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ansatz/${component}
          FILES_MATCHING REGEX ${public_headers})
endforeach()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/ansatzConfig.cmake.in ${PROJECT_BINARY_DIR}/ansatzConfig.cmake
                              INSTALL_DESTINATION ${ANSATZ_PACKAGE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ansatzConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ansatzConfig.cmake ${PROJECT_BINARY_DIR}/ansatzConfigVersion.cmake
        DESTINATION ${ANSATZ_PACKAGE_DIR})

if(TARGET ansatz)
  install(TARGETS ansatz RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(DIRECTORY configs DESTINATION ${CMAKE_INSTALL_DATADIR}/ansatz)
endif()
