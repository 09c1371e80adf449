// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing
internal import TintypeModel
internal import TintypeSpool

/// Disks whose power is cut at every flush: Tests/VirtualMachine/power-cut records, cuts and judges, and has spools opened
/// here, as the daemon opens them.
@Suite(.requiresDisks, .serialized) struct DiskCutTests {
    @Test(arguments: ["ext4", "xfs", "btrfs"])
    func `what each durability promises, and what was deleted, outlasts a power cut at any flush`(
        _ kind: String
    ) async throws {
        let folder = try #require(Disks.folder) + "/\(kind)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let arguments = [kind, folder, Programs.folder]
        let judge = try Conversation("\(Programs.repository)/Tests/VirtualMachine/power-cut", arguments)
        var said: [String] = []
        while let line = judge.next() {
            guard line.hasPrefix("open ") else {
                said.append(line)
                // At once, for whoever looks at how far it is: how many states there are, and where the time goes.
                print(line)
                fflush(nil)
                continue
            }
            do {
                try await restart(String(line.dropFirst(5)))
                judge.answer("done")
            } catch {
                judge.answer("\(error)")
            }
        }
        let (status, errors) = judge.end()
        #expect(status == 0, "\(said.joined(separator: "\n"))\n\(errors)")
    }

    /// What a start of the daemon does with a spool, and its stop.
    private func restart(_ path: String) async throws {
        // In an emulated machine.
        let late = MonotonicTime.now() + .seconds(300)
        let spool = try await Spool.open(Spool.Configuration(folder: path), logger: quiet, until: late)
        do {
            try await spool.keep()
        } catch {
            await spool.close(until: late)
            throw error
        }
        await spool.close(until: late)
    }
}
