// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing

extension Processes {
    @Suite struct SoakTests {
        // The same program runs for longer in the virtual machine, on vivid: Tests/VirtualMachine/soak.
        @Test(.timeLimit(.minutes(5)))
        func `eighteen seconds of random faults on four cameras leaves nothing behind`() async throws {
            try await Site.with { site in
                let soak = Programs.repository.appending(path: "Tests/VirtualMachine/soak").path
                let arguments = [soak, "--pattern", Programs.folder.path, site.folder, "0.3"]
                let run = try site.start(Programs.python, arguments)
                let outcome = try await run.outcome(within: .seconds(240))
                #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
            }
        }
    }
}
