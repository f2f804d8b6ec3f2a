# Flags of the whole tree: one architecture for every target (mixing them breaks Eigen's alignment), warnings ours only.
if(ANSATZ_NATIVE)
  add_compile_options(-march=native)
endif()
if(ANSATZ_SANITIZE)
  # What the address sanitizer, or a fault of the processor that it catches, reports in any case is not checked twice: that takes a
  # quarter of the compile time.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=null,alignment,object-size,vptr -fno-sanitize-recover=undefined
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(ANSATZ_SANITIZE_THREADS)
  add_compile_options(-fsanitize=thread)
  add_link_options(-fsanitize=thread)
endif()
if(ANSATZ_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)  # which inputs reach new code
endif()
add_library(ansatz_warnings INTERFACE)
# -Wswitch-enum: a switch over a closed set names every member, so that a new one is found wherever it must be handled.
target_compile_options(ansatz_warnings INTERFACE -Wall -Wextra -Wswitch-enum $<$<BOOL:${ANSATZ_WERROR}>:-Werror>)
if(ANSATZ_NATIVE AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # GCC's own AVX-512 intrinsics begin with a value left undefined on purpose, and it warns of that wherever Eigen inlines them.
  include(CheckCXXSymbolExists)
  set(CMAKE_REQUIRED_FLAGS -march=native)
  check_cxx_symbol_exists(__AVX512F__ cstddef ANSATZ_HOST_HAS_AVX512)
  unset(CMAKE_REQUIRED_FLAGS)
  if(ANSATZ_HOST_HAS_AVX512)
    target_compile_options(ansatz_warnings INTERFACE -Wno-uninitialized -Wno-maybe-uninitialized)
  endif()
endif()

find_program(ANSATZ_CCACHE ccache)
if(ANSATZ_CCACHE)
  # What its manual asks for where headers are precompiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${ANSATZ_CCACHE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    add_compile_options(-fpch-preprocess)
  else()
    add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
  endif()
endif()

# ansatz_library(core SOURCES ... PRECOMPILE <header>...): the library target ansatz_core, alias ansatz::core, headers included from the
# root. PRECOMPILE only saves time (a third of the whole build): each source includes what it uses, as the debug preset checks.
function(ansatz_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;PRECOMPILE" ${ARGN})
  add_library(ansatz_${name} STATIC ${arg_SOURCES})
  add_library(ansatz::${name} ALIAS ansatz_${name})
  set_target_properties(ansatz_${name} PROPERTIES EXPORT_NAME ${name})
  target_precompile_headers(ansatz_${name} PRIVATE ${arg_PRECOMPILE})
  target_compile_features(ansatz_${name} PUBLIC cxx_std_17)
  target_include_directories(ansatz_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                                   $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/ansatz>)
  target_link_libraries(ansatz_${name} PRIVATE $<BUILD_INTERFACE:ansatz_warnings>)
endfunction()
