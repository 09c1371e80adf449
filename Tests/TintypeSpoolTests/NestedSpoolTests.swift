// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

@Suite struct NestedSpoolTests {
    @Test(arguments: ["usb", "door/usb"])
    func `pictures of a spool inside of another are left to it`(_ place: String) async throws {
        let folder = try SpoolFolder()
        let outer = try await folder.open()
        let own = try await outer.store(still(0), durability: .full, until: soon)
        let inside = Spool.Configuration(folder: "\(folder.path)/\(place)")
        let inner = try await folder.open(inside)
        _ = try await inner.store(still(1), durability: .full, until: soon)
        let report = try await outer.verify(until: soon)
        #expect(report.takenIn == 0 && report.quarantined == 0)
        #expect(try await outer.frames(FrameQuery(), until: soon).frames.map(\.id) == [own.id])
        #expect(try await inner.verify(until: soon).lost == 0)
    }
}
