# `make` alone lists the targets. On a fresh machine, `make demo` and `make test` do all the setup.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PREFIX ?= /usr/local
DESTDIR ?=
SHARE = $(DESTDIR)$(PREFIX)/share
# Units are installed only where systemd looks for them: not below a home directory.
UNIT_DIRECTORY ?= $(if $(filter /usr /usr/local,$(PREFIX)),$(PREFIX)/lib/systemd/system)
MANUAL = $(wildcard Documentation/*.1 Documentation/man/*.[1-9])
# What building a Debian package needs besides a compiler.
PACKAGERS := debhelper dpkg-dev fakeroot lintian
SWIFT ?= swift
# One binary without Swift's shared libraries starts in half the time and needs no toolchain.
RELEASE := -c release --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker -s
# Export no symbols, so that the linker drops unused code: 1.2 MB per program.
RELEASE += -Xlinker --no-export-dynamic
# Resolve library functions at startup, then make their table read-only.
RELEASE += -Xlinker -z -Xlinker now
# Link the C++ and compiler runtimes statically where their archives are installed: two libraries fewer to load. The
# linker finds the archive first in a folder that holds nothing else.
CXX_ARCHIVE := $(shell ls -d /usr/lib/gcc/$$(uname -m)-*linux*/*/libstdc++.a 2>/dev/null | sort -V | tail -n 1)
ARCHIVES := $(CURDIR)/.build/archives
RELEASE += $(if $(CXX_ARCHIVE),-Xswiftc '-L$(ARCHIVES)' -Xswiftc -Xclang-linker -Xswiftc -static-libgcc)
# Libraries are the system's: do not search beside the program.
RELEASE += --disable-local-rpath
# Debug information would be stripped anyway; without it, programs are 0.6 MB smaller and build faster.
RELEASE += -debug-info-format none
# The compiler orders some instructions by the addresses of its own data: without their randomization, where that is
# permitted, a commit gives the same bytes each time.
REPEATABLY := $(shell setarch -R true 2> /dev/null && echo setarch -R)
# One build for all tests and checks: other flags would compile everything again.
TESTED := -c release -Xswiftc -enable-testing --scratch-path .build/tests
BUILD_TESTS := QUAKES_TESTS=1 $(SWIFT) build --build-tests $(TESTED) --explicit-target-dependency-import-check error
RUN_TESTS := test $(TESTED) --disable-testable-imports --disable-xctest
BUILT := .build/tests/release
TESTFLAGS ?=
# How long each run of `make soak` lasts, in seconds.
SOAK_SECONDS ?= 120
# Compiler jobs for sanitizer builds, which need more memory each.
SANITIZE_JOBS ?= 2
# Number of tests to run at once: one that waits for a server or a process leaves its core to another.
TESTS_AT_ONCE ?= $(shell expr $$(nproc) + 1)
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH = $(TESTS_AT_ONCE)
# Number of documents `make fuzz` tries, and more flags for libFuzzer.
FUZZ_RUNS ?= 1000000
FUZZFLAGS ?=
FORMATTED := Sources Tests Package.swift Benchmarks/Micro/Benchmarks Benchmarks/Micro/Package.swift Benchmarks/QuakeSteps Benchmarks/Library/Sources Benchmarks/Library/Package.swift

.PHONY: help setup build built demo test test-client test-long test-browser fuzz soak sanitize check lint format docs install install-built uninstall deb dist test-dist test-package test-arm bench clean

help:
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Installs missing C libraries that the build needs (Debian, Ubuntu).
setup:
	@./Scripts/setup

build: setup ## Build the release programs: .build/release/quakes and quakes-fetch.
	@mkdir -p '$(ARCHIVES)'
	$(if $(CXX_ARCHIVE),@ln -sf $(CXX_ARCHIVE) '$(ARCHIVES)/')
	QUAKES_PROGRAMS=1 $(REPEATABLY) $(SWIFT) build $(RELEASE)

demo: build ## Build, then try quakes on the bundled feeds, without network.
	@./Scripts/demo

test: setup ## Run the tests, with samples of random and exhaustive ones.
	QUAKES_TESTS=1 $(SWIFT) $(RUN_TESTS) $(TESTFLAGS)

# The programs and libraries that tests and scripts use. Fails if a target imports what it does not declare.
built: setup
	$(BUILD_TESTS)

test-browser: built ## Type-check the map's page and test it in headless Chromium; installs what is missing (Debian).
	./Scripts/test-browser

# With a build folder of its own: in that of the tests, each of the two builds would replace the other.
test-client: setup ## Test the libraries as another package uses them.
	$(SWIFT) test -c release -Xswiftc -Onone --package-path Tests/ClientPackage --scratch-path .build/client --disable-xctest $(TESTFLAGS)

# A long test that computes holds one of the threads for asynchronous work, of which there are as many as cores. With
# more tests than threads, one that waits for a process may not go on before its time limit.
test-long: TESTS_AT_ONCE = $(shell nproc)
test-long: setup ## Run every test with all seeds and repetitions, before a release or after a change to the rules.
	./Scripts/setup libxml2-utils
	QUAKES_LONG_TESTS=1 QUAKES_TESTS=1 $(SWIFT) $(RUN_TESTS) $(TESTFLAGS)

fuzz: setup ## Compare the scanner and decoder with JSONDecoder on FUZZ_RUNS (1,000,000) generated documents.
	cd Tests/Fuzz && $(SWIFT) build -c release -Xswiftc -sanitize=fuzzer -Xswiftc -enable-testing -Xswiftc -use-ld=lld --product Fuzz
	mkdir -p Tests/Fuzz/.build/corpus Tests/Fuzz/.build/finds
	cp Fixtures/feeds/*.csv Tests/Fuzz/.build/corpus
	Tests/Fuzz/.build/release/Fuzz -runs=$(FUZZ_RUNS) -max_len=8192 -timeout=1 -rss_limit_mb=200 -print_final_stats=1 \
		-dict=Tests/Fuzz/geojson.dict -artifact_prefix=Tests/Fuzz/.build/finds/ $(FUZZFLAGS) \
		Tests/Fuzz/.build/corpus Fixtures/malformed

soak: built ## Run many processes on one cache for SOAK_SECONDS (120), kill writers at every system call, cut the power.
	./Scripts/setup strace
	./Scripts/soak $(BUILT)/quakes $(SOAK_SECONDS)
	$(if $(filter 0,$(shell id -u)),./Scripts/soak $(BUILT)/quakes $(SOAK_SECONDS) --two-users,@echo 'Skipped: two users on one cache (needs root)')
	QUAKES_LONG_TESTS=1 QUAKES_TESTS=1 $(SWIFT) $(RUN_TESTS) --skip-build --filter 'KilledWriterTests|PowerCutTests'

sanitize: setup ## Run the tests under the thread sanitizer, then the address sanitizer (45 minutes).
	TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/thread-sanitizer.supp QUAKES_TESTS=1 $(SWIFT) \
		$(subst .build/tests,.build/tsan,$(RUN_TESTS)) --sanitize=thread --jobs $(SANITIZE_JOBS) $(TESTFLAGS)
	ASAN_OPTIONS=detect_leaks=0 QUAKES_TESTS=1 $(SWIFT) \
		$(subst .build/tests,.build/asan,$(RUN_TESTS)) --sanitize=address --jobs $(SANITIZE_JOBS) $(TESTFLAGS)

check: lint built test ## Check format, structure and imports, and run the tests, before a commit.

lint: ## Check format and structure, and the man pages where mandoc is installed.
	$(SWIFT) format lint --strict --parallel --recursive $(FORMATTED)
	./Scripts/house
	$(if $(shell command -v mandoc),mandoc -T lint -W warning Documentation/man/*.[1-9],@echo 'Skipped: man pages (needs mandoc)')

format: ## Format every source file.
	$(SWIFT) format --in-place --parallel --recursive $(FORMATTED)

docs: built ## Build the library documentation into .build/docs; any warning is an error.
	./Scripts/docs $(BUILT)

install: build ## Install under PREFIX (default /usr/local); below /usr and /usr/local with systemd units.
	$(MAKE) install-built

# Installs what is built; the archive and the Debian package use it too.
install-built:
	install -d $(SHARE)/bash-completion/completions $(SHARE)/zsh/site-functions $(SHARE)/fish/vendor_completions.d
	install -D -s -m 755 .build/release/quakes $(DESTDIR)$(PREFIX)/bin/quakes
	install -D -s -m 755 .build/release/quakes-fetch $(DESTDIR)$(PREFIX)/libexec/quakes/quakes-fetch
	for page in $(MANUAL); do install -D -m 644 $$page $(SHARE)/man/man$${page##*.}/$${page##*/} || exit 1; done
	.build/release/quakes --generate-completion-script bash | sed '1{/^#!/d;}' > $(SHARE)/bash-completion/completions/quakes
	.build/release/quakes --generate-completion-script zsh > $(SHARE)/zsh/site-functions/_quakes
	.build/release/quakes --generate-completion-script fish > $(SHARE)/fish/vendor_completions.d/quakes.fish
ifneq ($(UNIT_DIRECTORY),)
	install -d $(DESTDIR)$(UNIT_DIRECTORY)
	for unit in refresh watch; do sed 's|@PREFIX@|$(PREFIX)|' Packaging/systemd/quakes-$$unit.service \
		> $(DESTDIR)$(UNIT_DIRECTORY)/quakes-$$unit.service || exit 1; done
	install -m 644 Packaging/systemd/quakes-refresh.timer $(DESTDIR)$(UNIT_DIRECTORY)/quakes-refresh.timer
	install -D -m 644 Packaging/systemd/quakes.sysusers $(DESTDIR)$(PREFIX)/lib/sysusers.d/quakes.conf
	install -D -m 644 Packaging/systemd/quakes.preset $(DESTDIR)$(PREFIX)/lib/systemd/system-preset/50-quakes.preset
endif

uninstall: ## Remove what `make install` put under PREFIX; caches stay.
	rm -rf $(DESTDIR)$(PREFIX)/bin/quakes $(DESTDIR)$(PREFIX)/libexec/quakes \
		$(SHARE)/man/man*/quakes.* $(SHARE)/man/man*/quakes-* \
		$(SHARE)/bash-completion/completions/quakes \
		$(SHARE)/zsh/site-functions/_quakes \
		$(SHARE)/fish/vendor_completions.d/quakes.fish
ifneq ($(UNIT_DIRECTORY),)
	rm -f $(DESTDIR)$(UNIT_DIRECTORY)/quakes-refresh.* $(DESTDIR)$(UNIT_DIRECTORY)/quakes-watch.service $(DESTDIR)$(PREFIX)/lib/sysusers.d/quakes.conf \
		$(DESTDIR)$(PREFIX)/lib/systemd/system-preset/50-quakes.preset
endif

deb: build ## Build the Debian package, .build/deb/quakes_VERSION_ARCHITECTURE.deb, and check it with lintian.
	./Scripts/setup $(PACKAGERS)
	lintian --allow-root --fail-on error,warning,info --display-info "$$(./Scripts/package)"

dist: build ## Pack .build/dist/quakes-VERSION-linux-MACHINE.tar.gz with install.sh, SBOM and checksums.
	./Scripts/dist

test-dist: dist ## Install, use and remove the archive in a bare Debian (root; 1 minute).
	./Scripts/setup mmdebstrap
	./Scripts/test-dist

test-package: deb ## Install, use, upgrade and remove the package in a clean Debian, even a booted one (root; 3 minutes).
	./Scripts/setup $(PACKAGERS) mmdebstrap systemd systemd-container
	./Scripts/test-package

test-arm: setup ## Compile the C sources for 64-bit ARM and check them under emulation (root).
	./Scripts/test-arm

bench: build ## Compare with other programs (Benchmarks/README.md).
	cd Benchmarks && ./bench.py

clean: ## Remove build products.
	rm -rf .build Benchmarks/Micro/.build Tests/Fuzz/.build
