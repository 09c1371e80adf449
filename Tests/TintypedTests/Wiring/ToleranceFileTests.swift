// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import TintypeCapture
import TintypeModel

@testable import tintyped

struct ToleranceFileTests {
    private static let camera = ToleranceStore.Camera(
        CameraIdentity(path: "/dev/video0", card: "C270", driver: "uvcvideo", busInfo: "usb-1")
    )
    private static let surplus = PictureTolerance(
        quirk: .surplusBytes,
        since: Timestamp(microseconds: 1_790_000_000_000_000),
        frames: 30
    )
    private let temporary = TemporaryFolder()
    private let messages = MessageLog()
    private var folder: String { temporary.path + "/state" }

    private func store(isReadOnly: Bool = false) async -> ToleranceStore {
        await ToleranceFile.store(
            in: folder,
            isReadOnly: isReadOnly,
            clock: ManualClock(),
            logger: messages.logger
        )
    }

    /// Creates the state folder with this text as the file.
    private func write(_ text: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: folder + "/tolerances.json"))
    }

    @Test func `learned faults are there for the next daemon until they are reset`() async throws {
        let first = await store()
        #expect(first.tolerance(of: Self.camera).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder))
        first.set([Self.surplus], of: Self.camera)
        try await eventually("the learned fault is in the file") {
            await store(isReadOnly: true).tolerance(of: Self.camera) == [Self.surplus]
        }
        first.set([], of: Self.camera)
        try await eventually("the fault is no longer in the file") {
            await store(isReadOnly: true).tolerance(of: Self.camera).isEmpty
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names == ["tolerances.json"] && messages.loud.isEmpty)
    }

    @Test(arguments: ["", "{", "{}", "[1]", "[{\"camera\":{}}]"])
    func `a damaged file is reported and replaced by what is learned next`(_ text: String) async throws {
        try write(text)
        let empty = await store()
        #expect(messages.loud.count == 1 && messages.loud.first?.text.contains("tolerances.json") == true)
        empty.set([Self.surplus], of: Self.camera)
        try await eventually("the learned fault is in the file") {
            await store(isReadOnly: true).tolerance(of: Self.camera) == [Self.surplus]
        }
    }

    @Test(arguments: ["9223372036854775807", "-9223372036854775808", "-1", "18446744073709551616", "1e308", "1e999"])
    func `an entry with an impossible number is ignored`(_ frames: String) async throws {
        func file(_ frames: String) -> String {
            let camera = #"{"driver":"uvcvideo","card":"C270","place":"usb-1"}"#
            let known = #"{"quirk":"surplusBytes","since":"2026-11-29T00:00:00.000000Z","frames":\#(frames)}"#
            return #"[{"camera":\#(camera),"tolerance":[\#(known)]}]"#
        }
        try write(file(frames))
        #expect(await store().tolerance(of: Self.camera).isEmpty)
        try write(file("31"))
        #expect(await store().tolerance(of: Self.camera).map(\.frames) == [31])
    }
}
