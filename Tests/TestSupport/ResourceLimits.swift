// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TintypeSystem

/// Lowers limits of this process; for exit tests, which have a process of their own.
package enum ResourceLimits {
    /// Runs `body` while the process can open no descriptor (RLIMIT_NOFILE).
    package static func withoutDescriptors(_ body: () async throws -> Void) async throws {
        var fillers: [CInt] = []
        defer { for filler in fillers { close(filler) } }
        // Not 0, because poll(2) takes no more descriptors than the limit.
        try await lowering(RLIMIT_NOFILE, to: 64) {
            while case let filler = dup(STDERR_FILENO), filler >= 0 { fillers.append(filler) }
            try await body()
        }
    }

    /// Runs `body` while the process can start no thread, because there is no address space for a stack (RLIMIT_AS).
    ///
    /// RLIMIT_NPROC does not hold for root.
    package static func withoutThreads(_ body: () async throws -> Void) async throws {
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ").first
        let used = (pages.flatMap { UInt($0) } ?? 0) * UInt(getpagesize())
        let gate = Gate()
        defer { gate.open() }
        // Less than the smallest stack, enough for what the test allocates.
        try await lowering(RLIMIT_AS, to: used + 1 << 20) {
            // The stacks of threads that have ended are used first.
            while (try? NamedThread.start(name: "tt-stack") { _ = gate.wait() }) != nil {}
            try await body()
        }
    }

    private static func lowering(
        _ resource: __rlimit_resource,
        to value: UInt,
        _ body: () async throws -> Void
    ) async throws {
        let number = __rlimit_resource_t(resource.rawValue)
        var limit = rlimit()
        _ = unsafe getrlimit(number, &limit)
        var lowered = limit
        lowered.rlim_cur = value
        guard unsafe setrlimit(number, &lowered) == 0 else { throw POSIXError(.EPERM) }
        defer { _ = unsafe setrlimit(number, &limit) }
        try await body()
    }
}
