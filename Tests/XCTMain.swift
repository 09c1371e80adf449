// SPDX-License-Identifier: Apache-2.0
import Testing

/// The program of all tests: Swift Testing's alone.
///
/// SwiftPM's own looks for tests of XCTest, of which there are none, in the compiler's index, which takes time to write.
@main struct EntryPoint {
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
