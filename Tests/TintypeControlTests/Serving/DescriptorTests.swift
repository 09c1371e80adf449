// SPDX-License-Identifier: Apache-2.0
import Foundation
import Logging
import TestSupport
import Testing

struct DescriptorTests {
    /// Opens descriptors until there are no more.
    private static func openAll() throws -> [CInt] {
        let used = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { CInt($0) }
        let limit = rlim_t((used.max() ?? 0) + 8)
        var limits = rlimit(rlim_cur: limit, rlim_max: limit)
        try #require(unsafe setrlimit(__rlimit_resource_t(7), &limits) == 0)
        var taken: [CInt] = []
        while true {
            let descriptor = dup(0)
            guard descriptor >= 0 else { return taken }
            taken.append(descriptor)
        }
    }

    /// Connects a socket that is open already, which takes no further descriptor here.
    private static func connect(_ descriptor: CInt, to path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }

    @Test func `a lack of descriptors pauses the server, which says so once and once when it is over`() async {
        // In a process of its own: the limit is the process's.
        await #expect(processExitsWith: .success) {
            let lines = MessageLog()
            try await withServer(logger: lines.logger) { path, _ in
                // So that every lazy descriptor of the runtime is there.
                let first = try await RawClient(path)
                try #require(await first.get()?.status == 200)
                let waiting = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
                var taken = try Self.openAll()
                try #require(Self.connect(waiting, to: path))
                var log = lines.stream.makeAsyncIterator()
                var failures: [String] = []
                while failures.count < 3, let line = await log.next(isolation: #isolation) {
                    if line.contains("accept(2)") { failures.append(line) }
                }
                try #require(failures[0].hasPrefix("warning ") && failures[0].contains("LimitNOFILE="))
                try #require(failures.dropFirst().allSatisfy { $0.hasPrefix("debug ") })
                // Those that are open are served meanwhile, many times between two tries, which come once a second and not
                // with each event. Not more often: libdispatch ends a process that has work waiting and no descriptor to
                // look at its threads.
                let tries = lines.count(.debug, "accept(2)")
                for _ in 0..<20 { try #require(await first.get()?.status == 200) }
                try #require(lines.count(.debug, "accept(2)") - tries < 10)
                while let descriptor = taken.popLast() { close(descriptor) }
                while let line = await log.next(isolation: #isolation), !line.contains("again") {
                    try #require(!line.hasPrefix("warning "))
                }
                let last = try await RawClient(path)
                try #require(await last.get()?.status == 200)
                close(waiting)
            }
        }
    }
}
