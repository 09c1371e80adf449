// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing

/// Soak test outside of `Processes`: it mostly waits and checks no time, so it runs in parallel.
@Suite struct SoakTests {
    // The same program runs in the virtual machine, on vivid: Tests/VirtualMachine/soak.
    @Test func `three minutes of faults on four cameras leak nothing`() async throws {
        try await Site.with { site in
            let soak = Programs.repository.appending(path: "Tests/VirtualMachine/soak").path
            let arguments = [soak, "--pattern", Programs.folder.path, site.folder, "3"]
            let run = try site.start(Programs.python, arguments)
            let outcome = try await run.outcome()
            #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
        }
    }
}
