# SPDX-License-Identifier: Apache-2.0
# The commands for working on tintype. `make` alone lists them.

PREFIX ?= /usr/local
BINARIES ?= .build-install/release
SUPPORT := Tests/Support
INSTALL ?= install

# compiling.txt: each module in one pass, small code, whose functions the linker can leave out one by one. linking.txt: without
# symbols, which are half of a program, without what nobody calls, what is there twice, or a table of all that plugins could
# call, and without tables for unwinding (linking.ld); with small relocations, and with tables of addresses that nobody can
# change later.
# Tests/Support/build uses both, too.
release := -c release --static-swift-stdlib --scratch-path .build-install \
	$(shell cat $(SUPPORT)/compiling.txt $(SUPPORT)/linking.txt)

bindir := $(DESTDIR)$(PREFIX)/bin
libdir := $(DESTDIR)$(PREFIX)/lib
libexecdir := $(DESTDIR)$(PREFIX)/libexec/tintype
sharedir := $(DESTDIR)$(PREFIX)/share
mandir := $(sharedir)/man
etcdir := $(DESTDIR)/etc/tintype
manpages := $(wildcard man/*.[1-8])
units := tintyped.service tintyped@.service tintyped.socket tintyped-tcp.socket tintyped-lan.socket tintype-worker.service
# Where each shell looks for them, by the name that it looks for.
completions := $(foreach program,tintype tintyped,bash-completion/completions/$(program) \
	zsh/site-functions/_$(program) fish/vendor_completions.d/$(program).fish)
made := $(BINARIES)/completions
# The reader of QR and bar codes, where libzbar-dev is installed: the programs work without it, and say so.
codes := $(if $(shell pkg-config --exists zbar 2> /dev/null && echo found),$(BINARIES)/tintype-codes)

.PHONY: help still demo build test test-all bench check lint contract completions codes deb install uninstall clean

help: ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

still: ## take one picture, with a camera or the test pattern: the quickest try
	@$(SUPPORT)/still

# By its path, so that it finds the tintype beside it.
demo: ## show it: two drawn cameras and the page, in a temporary folder, until Ctrl-C
	@$(SUPPORT)/setup build
	@echo "Building tintyped and tintype. The first time this takes some minutes."
	@$(SUPPORT)/build debug tintyped tintype
	@exec .build/products/debug/tintyped --demo

build: ## build tintyped and tintype for use, in .build-install, with the Swift runtime inside
	@$(SUPPORT)/setup build
	swift build $(release) --product tintyped
	swift build $(release) --product tintype
	@$(MAKE) --no-print-directory completions codes

test: ## run the tests that decide: in process, as processes, and in a virtual machine with real drivers and systemd
	@$(SUPPORT)/test

test-all: ## run everything, on a release build: all virtual machines, other programs, the page, the package, fuzzers
	@$(SUPPORT)/test --all

# The build is not measured. BINARIES=FOLDER measures another build.
bench: $(if $(filter file,$(origin BINARIES)),build) ## measure speed and cost beside ustreamer, fswebcam, ffmpeg and a build of before (USTREAMER=, BEFORE=FOLDER): 10 minutes
	@Benchmarks/bench --binaries $(BINARIES) $(if $(BEFORE),--before $(BEFORE)) $(if $(USTREAMER),--ustreamer $(USTREAMER))

check: lint ## run lint and the tests in process: some minutes, for quick work
	@$(SUPPORT)/test --only in-process

lint: ## check format, scripts, the systemd unit, and the places of unsafe code
	@$(SUPPORT)/setup test
	@$(SUPPORT)/lint

contract: ## write Tests/Contract/surface.txt: a line for each path, parameter and field of the contract
	@$(SUPPORT)/build debug tests
	TINTYPE_SURFACE=$(CURDIR)/Tests/Contract/surface.txt .build/products/debug/tintypePackageTests.xctest \
		--testing-library swift-testing --filter ContractDocumentTests

# Builds only if there is no build: `make build` as yourself, then `sudo make install`. BINARIES=FOLDER installs another build.
.build-install/release/tintyped .build-install/release/tintype &:
	@$(MAKE) build

# The programs know what there is to complete.
completions: $(addprefix $(made)/,$(completions))
$(made)/bash-completion/completions/%: $(BINARIES)/%
	@mkdir -p $(@D) && $< --generate-completion-script bash | sed '1{/^#!/d}' > $@.new && mv $@.new $@
$(made)/zsh/site-functions/_%: $(BINARIES)/%
	@mkdir -p $(@D) && $< --generate-completion-script zsh > $@.new && mv $@.new $@
$(made)/fish/vendor_completions.d/%.fish: $(BINARIES)/%
	@mkdir -p $(@D) && $< --generate-completion-script fish > $@.new && mv $@.new $@

codes: $(codes)
$(BINARIES)/tintype-codes: Sources/CodeReader/tintype-codes.c
	@mkdir -p $(@D)
	$(CC) -O2 -Wall -Wextra -Werror -fPIE -fstack-protector-strong -D_FORTIFY_SOURCE=2 $(shell pkg-config --cflags zbar) \
		-o $@.new $< -pie -s -Wl,-z,relro,-z,now $(shell pkg-config --libs zbar) && mv $@.new $@

deb: $(BINARIES)/tintyped ## make a Debian package of the build, in .build-install
	@$(SUPPORT)/setup deb
	packaging/make-package $(BINARIES) .build-install

install: $(BINARIES)/tintyped completions codes ## install below PREFIX (/usr/local), the configuration in /etc/tintype
	$(INSTALL) -d $(bindir) $(libdir)/systemd/system $(libdir)/systemd/user $(libdir)/sysusers.d $(libdir)/tmpfiles.d $(etcdir)
	$(INSTALL) -m 755 $(BINARIES)/tintyped $(BINARIES)/tintype $(bindir)/
	$(if $(codes),$(INSTALL) -D -m 755 $(codes) $(libexecdir)/tintype-codes)
	sed 's|@bindir@|$(PREFIX)/bin|' systemd/tintyped.service > $(libdir)/systemd/system/tintyped.service
	sed 's|@bindir@|$(PREFIX)/bin|' systemd/tintype-worker.service > $(libdir)/systemd/system/tintype-worker.service
	sed -E -f systemd/instance.sed $(libdir)/systemd/system/tintyped.service > $(libdir)/systemd/system/tintyped@.service
	sed 's|@bindir@|$(PREFIX)/bin|' systemd/user/tintyped.service > $(libdir)/systemd/user/tintyped.service
	chmod 644 $(libdir)/systemd/*/*.service
	$(INSTALL) -m 644 systemd/tintyped*.socket $(libdir)/systemd/system/
	$(INSTALL) -m 644 systemd/sysusers.d/tintype.conf $(libdir)/sysusers.d/
	$(INSTALL) -m 644 systemd/tmpfiles.d/tintype.conf $(libdir)/tmpfiles.d/
	$(INSTALL) -D -m 644 systemd/tintype.catalog $(libdir)/systemd/catalog/tintype.catalog
	[ -e $(etcdir)/tintyped.yaml ] || $(INSTALL) -m 644 config/tintyped.yaml $(etcdir)/
	for page in $(manpages); do $(INSTALL) -D -m 644 $$page $(mandir)/man$${page##*.}/$${page##*/} || exit 1; done
	for file in $(completions); do $(INSTALL) -D -m 644 $(made)/$$file $(sharedir)/$$file || exit 1; done
	for file in packaging/examples/*; do $(INSTALL) -D -m 644 $$file $(sharedir)/doc/tintype/$${file#*/} || exit 1; done

uninstall: ## remove the installed files; configuration and pictures stay
	rm -f $(bindir)/tintyped $(bindir)/tintype $(addprefix $(libdir)/systemd/system/,$(units))
	rm -f $(libdir)/systemd/user/tintyped.service $(libdir)/systemd/catalog/tintype.catalog
	rm -f $(libdir)/sysusers.d/tintype.conf $(libdir)/tmpfiles.d/tintype.conf
	for page in $(manpages); do rm -f $(mandir)/man$${page##*.}/$${page##*/}; done
	rm -f $(addprefix $(sharedir)/,$(completions))
	rm -f $(libexecdir)/tintype-codes
	rm -rf $(sharedir)/doc/tintype

clean: ## remove the builds of this clone; pictures stay, and so does the cache of all clones, ~/.cache/tintype
	rm -rf .build .build-install .build-still
