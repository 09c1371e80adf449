# SPDX-License-Identifier: Apache-2.0
# The commands for working on tintype. `make` alone lists them.

PREFIX ?= /usr/local
BINARIES ?= .build-install/release
SUPPORT := Tests/Support
INSTALL ?= install

# Without symbols, which are half of a program, and without a table of all that plugins could call.
release := -c release --static-swift-stdlib --scratch-path .build-install -Xlinker -s -Xlinker --no-export-dynamic \
	-Xlinker -z -Xlinker pack-relative-relocs

bindir := $(DESTDIR)$(PREFIX)/bin
libdir := $(DESTDIR)$(PREFIX)/lib
mandir := $(DESTDIR)$(PREFIX)/share/man
etcdir := $(DESTDIR)/etc/tintype
manpages := $(wildcard man/*.[1-8])

.PHONY: help still build test check lint contract install uninstall clean

help: ## list the commands
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

still: ## take one picture, with a camera or the test pattern: the quickest try
	@$(SUPPORT)/still

build: ## build tintyped and tintype for use, in .build-install, with the Swift runtime inside
	@$(SUPPORT)/setup build
	swift build $(release) --product tintyped
	swift build $(release) --product tintype

test: ## run all tests: in process, as processes, and in a virtual machine with real drivers and systemd
	@$(SUPPORT)/test

check: lint ## run lint, a debug build, and the tests in process: some minutes, for quick work
	@$(SUPPORT)/test --only in-process

lint: ## check format, scripts, the systemd unit, and the places of unsafe code
	@$(SUPPORT)/setup test
	@$(SUPPORT)/lint

contract: ## write Sources/TintypeControl/Contract/openapi.json, which the routes and the tables of the wire make
	TINTYPE_CONTRACT=$(CURDIR)/Sources/TintypeControl/Contract/openapi.json \
		swift test --disable-xctest --filter ContractDocumentTests

# Builds only if there is no build: `make build` as yourself, then `sudo make install`. BINARIES=FOLDER installs another build.
.build-install/release/tintyped:
	@$(MAKE) build

install: $(BINARIES)/tintyped ## install below PREFIX (/usr/local), the configuration in /etc/tintype
	$(INSTALL) -d $(bindir) $(libdir)/systemd/system $(libdir)/sysusers.d $(libdir)/tmpfiles.d $(etcdir)
	$(INSTALL) -D -m 644 systemd/tintype.catalog $(libdir)/systemd/catalog/tintype.catalog
	$(INSTALL) -m 755 $(BINARIES)/tintyped $(BINARIES)/tintype $(bindir)/
	sed 's|@bindir@|$(PREFIX)/bin|' systemd/tintyped.service > $(libdir)/systemd/system/tintyped.service
	chmod 644 $(libdir)/systemd/system/tintyped.service
	$(INSTALL) -m 644 systemd/tintyped.socket systemd/tintyped-tcp.socket $(libdir)/systemd/system/
	$(INSTALL) -m 644 systemd/sysusers.d/tintype.conf $(libdir)/sysusers.d/
	$(INSTALL) -m 644 systemd/tmpfiles.d/tintype.conf $(libdir)/tmpfiles.d/
	[ -e $(etcdir)/tintyped.yaml ] || $(INSTALL) -m 644 config/tintyped.yaml $(etcdir)/
	for page in $(manpages); do $(INSTALL) -D -m 644 $$page $(mandir)/man$${page##*.}/$${page##*/} || exit 1; done

uninstall: ## remove the installed files; configuration and pictures stay
	rm -f $(bindir)/tintyped $(bindir)/tintype $(libdir)/systemd/system/tintyped.service
	rm -f $(libdir)/systemd/system/tintyped.socket $(libdir)/systemd/system/tintyped-tcp.socket
	rm -f $(libdir)/sysusers.d/tintype.conf $(libdir)/tmpfiles.d/tintype.conf $(libdir)/systemd/catalog/tintype.catalog
	for page in $(manpages); do rm -f $(mandir)/man$${page##*.}/$${page##*/}; done

clean: ## remove the builds of this clone; pictures stay, and so does the cache of all clones, ~/.cache/tintype
	rm -rf .build .build-install .build-still
