// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Testing

/// Entry point of the tests, without XCTest.
///
/// SwiftPM's own looks for XCTest tests, of which there are none, in the compiler's index, which takes time to write.
/// Not `async`: the optimizer shares the entry of an `async` main among the modules of a program, and the tests contain
/// the modules of both programs.
@main struct EntryPoint {
    static func main() {
        Task { @MainActor in await Testing.__swiftPMEntryPoint() as Never }
        dispatchMain()
    }
}
