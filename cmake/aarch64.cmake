# SPDX-License-Identifier: BSD-3-Clause
# Toolchain file: builds for aarch64 on another machine and runs the unit tests under qemu-user.
#   cmake -S . -B build-aarch64 -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake && cmake --build build-aarch64
#   ctest --test-dir build-aarch64 -R unit
# Debian packages (after dpkg --add-architecture arm64 and apt-get update):
#   gcc-aarch64-linux-gnu qemu-user libboost-context-dev:arm64 libcmocka-dev:arm64 libexpat1-dev:arm64 libyajl-dev:arm64
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
# Libraries are in Debian's folder of the architecture; headers that do not depend on one are the machine's.
set(CMAKE_IGNORE_PATH /usr/lib /usr/lib64 /lib /lib64 /usr/lib/${CMAKE_HOST_SYSTEM_PROCESSOR}-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY BOTH)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE BOTH)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64)
set(PGASIM_EMULATOR qemu-aarch64 CACHE STRING "runs the test programs")
