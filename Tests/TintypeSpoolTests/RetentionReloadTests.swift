// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// Rules that are changed while pictures are deleted.
@Suite struct RetentionReloadTests {
    private static let day = Duration.seconds(86_400)

    @Test func `a pass ends with the step in which the rules change, and the next goes by the new ones`() async throws {
        let folder = try SpoolFolder()
        let files = HookedFiles()
        let spool = try await folder.open(RetentionSettings(maxAge: Self.day * 10), files: files)
        try await spool.fill(0..<40)
        try await spool.fill((4 * 86_400)..<(4 * 86_400 + 3), camera: "yard")
        try folder.believeTimes()
        var configuration = folder.configuration
        configuration.retention = RetentionSettings(maxAge: Self.day * 5)
        configuration.cameraRetention = ["door": RetentionSettings(maxAge: Self.day * 365)]
        let other = configuration
        files.beforeRemoval { spool.use(other) }
        func pass(_ seconds: Int) async throws -> Int {
            let at = clocks(Self.day * 10 + .seconds(seconds))
            return try await spool.retention(dryRun: false, isQuick: true, at: at, until: soon).frames
        }
        // One step lets 16 go.
        #expect(try await pass(60) == 16)
        // What is too old by the new rules was so before the first pass.
        #expect(try await pass(70) == 3)
        #expect(try folder.sql("SELECT camera, count(*) FROM frame GROUP BY camera") == ["door|24"])
        await spool.close(until: soon)
    }
}
