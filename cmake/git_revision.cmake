# Run at build time: cmake -DSOURCE=<root> -DHEADER=<file> -P git_revision.cmake. Touches the header only when it changes, so that
# a new commit recompiles one file. "unknown" where the sources are not a git checkout of their own.
set(revision unknown)
find_package(Git QUIET)
if(GIT_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} rev-parse --show-toplevel WORKING_DIRECTORY ${SOURCE}
                  OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  get_filename_component(source ${SOURCE} REALPATH)
  if(top STREQUAL source)
    execute_process(COMMAND ${GIT_EXECUTABLE} describe --always --dirty --abbrev=12 --exclude=* WORKING_DIRECTORY ${SOURCE}
                    OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    if(NOT failed)
      set(revision ${described})
    endif()
  endif()
endif()
set(text "#define ANSATZ_GIT_REVISION \"${revision}\"\n")
set(known "")
if(EXISTS ${HEADER})
  file(READ ${HEADER} known)
endif()
if(NOT text STREQUAL known)
  file(WRITE ${HEADER} "${text}")
endif()
