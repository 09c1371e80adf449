// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing

extension Processes {
    /// Compile folder of `Tests/Support/build`, with a stub `swift` that records its calls.
    @Suite struct BuildCacheTests {
        /// Records its scratch folder and creates the products there; waits for a line if `gate` is a pipe.
        private static let swift = """
            #!/bin/bash
            set -euo pipefail
            if [ "$1" = --version ]; then echo "Swift version 9.9 (stub)"; exit; fi
            while [ $# -gt 0 ]; do
                case $1 in
                --scratch-path) scratch=$2; shift ;;
                --configuration) configuration=$2; shift ;;
                esac
                shift
            done
            mkdir -p "$scratch/any-linux/$configuration"
            ln -sfn "any-linux/$configuration" "$scratch/$configuration"
            echo "begins $PWD in $scratch" >> "$CALLS"
            if [ -p gate ]; then read -r _ < gate; fi
            for product in tintypePackageTests.xctest tintyped tintype; do echo "of $PWD" > "$scratch/$configuration/$product"; done
            echo "ends $PWD" >> "$CALLS"
            """

        /// Clone with only the script.
        private static func clone(_ name: String, _ site: Site) throws -> String {
            let folder = "\(site.folder)/\(name)"
            try FileManager.default.createDirectory(
                atPath: "\(folder)/Tests/Support",
                withIntermediateDirectories: true
            )
            let script = Programs.repository.appending(path: "Tests/Support/build").path
            try FileManager.default.copyItem(atPath: script, toPath: "\(folder)/Tests/Support/build")
            return folder
        }

        private static func start(_ clone: String, _ site: Site, cache: String) throws -> Child {
            let bin = "\(site.folder)/bin"
            if !FileManager.default.fileExists(atPath: bin) {
                try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: false)
                _ = try site.write(swift, to: "bin/swift", isProgram: true)
            }
            return try site.start(
                "\(clone)/Tests/Support/build",
                ["debug", "tests"],
                environment: ["PATH": "\(bin):/usr/bin:/bin", "XDG_CACHE_HOME": cache, "CALLS": "\(site.folder)/calls"]
            )
        }

        private static func calls(_ site: Site) -> [String] {
            let text = (try? String(contentsOfFile: "\(site.folder)/calls", encoding: .utf8)) ?? ""
            return text.split(separator: "\n").map(String.init)
        }

        private static func product(of clone: String) throws -> String {
            try String(contentsOfFile: "\(clone)/.build/products/debug/tintyped", encoding: .utf8)
        }

        @Test func `two clones compile in one folder, one at a time`() async throws {
            try await Site.with { site in
                let (one, two) = (try Self.clone("one", site), try Self.clone("two", site))
                let cache = "\(site.folder)/cache"
                #expect(try await site.shell("mkfifo '\(one)/gate'").status == 0)
                let first = try Self.start(one, site, cache: cache)
                try await eventually("the first compiles") { Self.calls(site).count == 1 }
                let second = try Self.start(two, site, cache: cache)
                let waiting = "Another clone compiles in \(cache)/tintype/build/swift-9.9-debug: waiting for it."
                try await eventually("the second waits") { second.output.contains(waiting) }
                #expect(Self.calls(site).count == 1 && second.poll() == nil)
                #expect(try await site.shell("echo > '\(one)/gate'").status == 0)
                #expect(try await first.outcome().status == 0)
                #expect(try await second.outcome().status == 0)
                let scratch = "\(cache)/tintype/build/swift-9.9-debug"
                #expect(
                    Self.calls(site) == [
                        "begins \(one) in \(scratch)", "ends \(one)", "begins \(two) in \(scratch)", "ends \(two)",
                    ]
                )
                for clone in [one, two] { #expect(try Self.product(of: clone) == "of \(clone)\n") }
            }
        }

        @Test func `compiles in the clone if the cache is not writable`() async throws {
            try await Site.with { site in
                let clone = try Self.clone("one", site)
                // A file in place of the folder stops root too.
                let outcome = try await Self.start(clone, site, cache: site.write("", to: "cache")).outcome()
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(outcome.text.contains("cannot be written: compiling in .build/scratch"), "\(outcome.text)")
                #expect(Self.calls(site) == ["begins \(clone) in \(clone)/.build/scratch", "ends \(clone)"])
                #expect(try Self.product(of: clone) == "of \(clone)\n")
            }
        }

        @Test func `removes cache folders unused for a month`() async throws {
            try await Site.with { site in
                let cache = "\(site.folder)/cache"
                let folders = ["swift-6.0-debug": 40, "swift-6.1-debug": 20, "swift-9.9-debug": 40]
                for (name, days) in folders {
                    let path = "\(cache)/tintype/build/\(name)"
                    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
                    _ = try site.write("", to: "cache/tintype/build/\(name)/object.o")
                    let time = Date(timeIntervalSinceNow: -Double(days) * 86_400)
                    try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
                }
                let outcome = try await Self.start(try Self.clone("one", site), site, cache: cache).outcome()
                #expect(outcome.status == 0, "\(outcome.errors)")
                let left = try FileManager.default.contentsOfDirectory(atPath: "\(cache)/tintype/build").sorted()
                #expect(left == ["swift-6.1-debug", "swift-9.9-debug", "swift-9.9-debug.lock"])
                // The current build uses its own folder.
                let own = "\(cache)/tintype/build/swift-9.9-debug/object.o"
                #expect(FileManager.default.fileExists(atPath: own))
            }
        }
    }
}
