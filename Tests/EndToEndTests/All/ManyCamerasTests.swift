// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import tintype

extension Processes {
    /// Many cameras in one daemon, counted from outside.
    @Suite struct ManyCamerasTests {
        @Test(arguments: [8, 32])
        func `opening and closing cameras in any order leaks nothing`(count: Int)
            async throws
        {
            try await Site.with { site in
                let daemon = try await site.startDaemon(Array(repeating: "YUYV:256x64@10", count: count))
                let files = ProcessFiles(pid: daemon.pid)
                let names = try await site.client.cameras().cameras.map(\.name)
                #expect(names.count == count)
                #expect(files.running.isEmpty)
                // A first round creates what the daemon keeps.
                try await round(names, site, files)
                let (threads, open) = (files.threads, files.open.count)
                #expect(threads.count { $0.hasPrefix("tt-pattern") } == count)
                for _ in 0..<2 { try await round(names, site, files) }
                #expect(files.threads == threads)
                try await eventually("as few descriptors as before: \(open)") { files.open.count <= open }
            }
        }

        /// Opens all cameras at once, each in one of several ways, and closes them one by one in random order.
        private func round(_ names: [String], _ site: Site, _ files: ProcessFiles) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, name) in names.shuffled().enumerated() {
                    group.addTask {
                        switch index % 3 {
                        case 0: _ = try await site.client.start(name)
                        case 1:
                            _ = try await site.client.hold(HoldRequest(owner: "e", duration: .seconds(60)), of: name)
                        default:
                            _ = try await site.client.picture(of: name, StillRequest(deadline: .patience, keep: false))
                            // It would close before all others are open on a slow machine.
                            _ = try await site.client.start(name)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(files.running.count == names.count)
            var left = names.count
            for name in names.shuffled() {
                #expect(try await site.client.stop(name).state == .off)
                left -= 1
                #expect(files.running.count == left)
            }
        }
    }
}
