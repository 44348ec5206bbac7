# Find the headers of libclang, the newest of the versions that strop knows; the library itself is loaded at run time
# by plugin/libclang.c. Sets STROP_LIBCLANG_INCLUDE and STROP_LLVM_VERSION.
set(STROP_LLVM_VERSIONS 22 21 20 19)
foreach(version ${STROP_LLVM_VERSIONS})
  if(EXISTS /usr/lib/llvm-${version}/include/clang-c/Index.h)
    set(STROP_LIBCLANG_INCLUDE /usr/lib/llvm-${version}/include)
    set(STROP_LLVM_VERSION ${version})
    break()
  endif()
endforeach()
if(NOT STROP_LIBCLANG_INCLUDE)
  message(FATAL_ERROR "libclang's headers are missing: install libclang-22-dev or libclang-19-dev")
endif()
message(STATUS "libclang headers of LLVM ${STROP_LLVM_VERSION}")
