# SPDX-License-Identifier: BSD-3-Clause
# The door for people: calls CMake, CTest and small scripts, and does nothing by itself.
.DEFAULT_GOAL := build
.PHONY: build demo check bench lint format asan tsan aarch64 fuzz mutants mutants-sdsm mutants-collectives mutants-files soak sat calibrate install deb deb-check clean help setup

BUILD  ?= build
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 5
SOAK_MINUTES ?= 10
SHARE  ?= 4
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)
CMAKE  := cmake -G Ninja -S . -B
# Tests wait a good deal, for one another's processes and for clocks: one more than there are processors.
TEST   := ctest --output-on-failure --no-tests=error -j $(shell expr $(JOBS) + 1) --test-dir

build: ## a release build in build/: bin/pgasim, bin/wrappers/, lib/libpgasim.so
	@$(CMAKE) $(BUILD) -DCMAKE_BUILD_TYPE=Release
	@cmake --build $(BUILD) -j $(JOBS) --target product

setup: ## install the Debian packages that building needs
	@tools/setup build

demo: setup ## set up, build, and run three programs on 64 simulated ranks
	@$(MAKE) --no-print-directory build
	@bash examples/demo.sh $(BUILD)

check: ## set up, build, and run all tests
	@tools/setup build check
	@$(CMAKE) $(BUILD) -DCMAKE_BUILD_TYPE=Release
	@cmake --build $(BUILD) -j $(JOBS)
	@$(TEST) $(BUILD)

bench: ## measure against SMPI on this machine
	@tools/setup build bench
	@$(MAKE) --no-print-directory build
	@bench/run $(BUILD)

lint: ## static checks: clang-tidy, cppcheck, layers, headers, generated files, scripts, manual pages
	@tools/setup build check
	@$(MAKE) --no-print-directory build
	@tools/lint $(BUILD) $(JOBS)

format: ## rewrite the C files in the house format
	@tools/setup check
	@git ls-files '*.c' '*.h' '*.cpp' ':!include/mpif.h' | xargs clang-format -i

asan: ## all tests under AddressSanitizer and UndefinedBehaviorSanitizer, in build-asan/; one in SHARE (4) of many cases alike
	@tools/setup build check
	@$(MAKE) --no-print-directory build
	@$(CMAKE) $(BUILD)-asan -DCMAKE_BUILD_TYPE=Debug -DPGASIM_SANITIZE=ON -DPGASIM_REFERENCE=$(abspath $(BUILD))
	@cmake --build $(BUILD)-asan -j $(JOBS)
	@TEST_SHARE=$(SHARE) $(TEST) $(BUILD)-asan

tsan: ## programs on several threads (pgasim run --jobs) under ThreadSanitizer, in build-tsan/
	@tools/setup build check
	@$(CMAKE) $(BUILD)-tsan -DCMAKE_BUILD_TYPE=Debug -DPGASIM_SANITIZE=thread -DBUILD_TESTING=OFF
	@cmake --build $(BUILD)-tsan -j $(JOBS)
	@tests/run/tsan.sh $(BUILD)-tsan

aarch64: ## cross-compile for aarch64 and run the unit tests under qemu, in build-aarch64/
	@tools/setup build aarch64
	@$(CMAKE) $(BUILD)-aarch64 -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake
	@cmake --build $(BUILD)-aarch64 -j $(JOBS)
	@$(TEST) $(BUILD)-aarch64 -R '^(unit|fuzz)'

fuzz: ## run every fuzz target for FUZZ_SECONDS (5), in build-fuzz/
	@tools/setup build check
	@CC=clang $(CMAKE) $(BUILD)-fuzz -DPGASIM_FUZZ=ON -DPGASIM_FUZZ_SECONDS=$(FUZZ_SECONDS)
	@cmake --build $(BUILD)-fuzz -j $(JOBS) --target fuzz
	@$(TEST) $(BUILD)-fuzz -R '^fuzz'

mutants: ## change the sources in 180 places, one at a time; the tests must notice 95% (two builds, then about a quarter of an hour)
	@tools/setup build check
	@tools/mutants --run --jobs $(JOBS) --copy $(abspath $(BUILD))-mutants

mutants-sdsm: ## the same with the S-DSM's protocols, homes, servers and clients (one build, then a quarter of an hour)
	@tools/setup build check
	@tools/mutants --run --of sdsm --jobs $(JOBS) --copy $(abspath $(BUILD))-mutants

mutants-collectives: ## the same with the algorithms of collectives (one build, then about ten minutes)
	@tools/setup build check
	@tools/mutants --run --of collectives --jobs $(JOBS) --copy $(abspath $(BUILD))-mutants

mutants-files: ## the same with disks, file systems and the files of MPI (two builds, then a quarter of an hour)
	@tools/setup build check
	@tools/mutants --run --of files --jobs $(JOBS) --copy $(abspath $(BUILD))-mutants

soak: ## random tests with ever new seeds for SOAK_MINUTES (10); names the seeds that fail
	@tools/setup build check
	@$(CMAKE) $(BUILD) -DCMAKE_BUILD_TYPE=Release
	@cmake --build $(BUILD) -j $(JOBS)
	@tests/soak $(BUILD) $(SOAK_MINUTES) $(JOBS)

sat: ## build libsat for another MPI: make sat MPICC=mpicc.openmpi gives build/sat-openmpi/libsat.a
	@tools/sat $(or $(MPICC),$(error make sat needs MPICC, as in: make sat MPICC=mpicc.openmpi))

calibrate: ## build the benchmark of an MPI: make calibrate MPICC=mpicc.openmpi [OSHCC=oshcc] gives build/calibrate-openmpi/calibrate
	@runtime/calibrate/build.sh $(or $(MPICC),$(error make calibrate needs MPICC, as in: make calibrate MPICC=mpicc.openmpi)) \
	    $(BUILD)/calibrate-$(patsubst mpicc.%,%,$(notdir $(MPICC))) $(OSHCC)

install: build ## install into PREFIX (/usr/local); DESTDIR is honoured
	@cmake --install $(BUILD) --prefix $(PREFIX)

deb: ## build Debian packages in build-deb/ (packaging/README.md)
	@tools/setup build deb
	@packaging/deb $(BUILD)-deb

deb-check: deb ## build them once more, for equal bytes; install, use and remove them in a fresh Debian (as root)
	@tools/setup deb-check
	@packaging/deb-check $(BUILD)-deb $(MIRROR)

clean: ## remove what was built
	@rm -rf $(BUILD) $(BUILD)-asan $(BUILD)-tsan $(BUILD)-aarch64 $(BUILD)-fuzz $(BUILD)-mutants $(BUILD)-deb

help: ## print this
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile
