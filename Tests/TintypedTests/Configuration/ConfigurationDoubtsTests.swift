// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TintypeDevice
@testable import TintypeModel
@testable import tintyped

struct ConfigurationDoubtsTests {
    private static func finding(_ number: Int, serial: String) -> CameraDiscovery.Finding {
        var identity = CameraIdentity(path: "/dev/video\(number)", card: "Camera", driver: "uvcvideo", busInfo: "usb")
        identity.serial = serial
        return CameraDiscovery.Finding(identity: identity, authorization: .authorized)
    }

    private static let seen = CameraScanner.Sightings(
        findings: [finding(0, serial: "A"), finding(2, serial: "B"), finding(4, serial: "B")],
        nodes: ["/dev/front": "/dev/video0"],
        access: ["/dev/front": .authorized, "/dev/video7": .absent, "/dev/loop": .authorized]
    )

    private func doubts(
        _ text: String,
        _ seen: CameraScanner.Sightings = seen,
        readsCodes: Bool = false
    ) throws -> [String] {
        let configuration = try ConfigurationReader.read(text, file: "f")
        return ConfigurationCheck(configuration, in: text, file: "f").doubts(seen, readsCodes: readsCodes)
            .map(\.description)
    }

    /// Expects one doubt for each of `says`, which it begins with.
    private func expect(_ text: String, _ says: String...) throws {
        let doubts = try doubts(text)
        #expect(doubts.count == says.count, "\(doubts)")
        for (doubt, start) in zip(doubts, says) { #expect(doubt.hasPrefix(start), "\(doubt)") }
    }

    @Test(arguments: ["{device: /dev/video0}", "{match: {serial: A}}", "{device: /dev/front}", "{device: /dev/loop}"])
    func `a camera that is there is not in doubt`(_ camera: String) throws {
        #expect(try doubts("cameras: {a: \(camera)}").isEmpty)
    }

    @Test func `an absent or ambiguous camera is in doubt`() throws {
        try expect("cameras: {a: {device: /dev/video7}}", "f:1:15: cameras.a.device: There is no camera at")
        try expect("cameras: {a: {match: {serial: C}}}", "f:1:15: cameras.a.match: No camera that is there matches")
        try expect("cameras: {a: {match: {serial: B}}}", "f:1:15: cameras.a.match: 2 cameras match {serial: \"B\"}:")
    }

    @Test(arguments: ["{match: {serial: A}}", "{device: /dev/video0}", "{device: /dev/front}"])
    func `cameras that share a device are in doubt, however they name it`(_ second: String) throws {
        let cameras = "cameras:\n  a: {device: /dev/video0}\n  b: \(second)\n  c: {device: /dev/loop}"
        let key = second.hasPrefix("{match") ? "match" : "device"
        try expect(cameras, "f:3:7: cameras.b.\(key): It is the device of the camera a too. Let each camera name a")
    }

    @Test func `unknown accounts of the socket and of spools are faults, those of access doubts`() throws {
        let text = """
            socket: {group: nobody-here}
            spool: {owner: nobody-here, group: root}
            spools: {a: {folder: /a, group: nobody-here}, b: {folder: /b, owner: root, group: "1"}}
            access: [{user: root, role: view}, {user: nobody-here, role: view}, {group: nobody-here, role: view}]
            """
        let found = ConfigurationCheck(try ConfigurationReader.read(text, file: "f"), in: text, file: "f").accounts()
        #expect(
            found.faults.map(\.description).map { $0.components(separatedBy: ". ")[0] } == [
                "f:1:10: socket.group: This machine has no group nobody-here",
                "f:2:9: spool.owner: This machine has no user nobody-here",
                "f:3:26: spools.a.group: This machine has no group nobody-here",
            ]
        )
        #expect(
            found.doubts.map(\.description).map { $0.components(separatedBy: ". ")[0] } == [
                "f:4:37: access[1].user: This machine has no user nobody-here",
                "f:4:70: access[2].group: This machine has no group nobody-here",
            ]
        )
    }

    @Test func `patterns share no device`() throws {
        #expect(try doubts("cameras: {a: {pattern: \"YUYV:640x480@30\"}, b: {pattern: \"YUYV:640x480@30\"}}").isEmpty)
    }

    @Test func `absent cameras with one match share it`() throws {
        let match = "{match: {serial: C}}"
        try expect(
            "cameras: {a: \(match), b: \(match)}",
            "f:1:15: cameras.a.match: No camera",
            "f:1:40: cameras.b.match: No camera",
            "f:1:40: cameras.b.match: It is the device of the camera a too."
        )
    }

    @Test func `before the first scan, no camera counts as absent`() throws {
        let text = "cameras: {a: {match: {serial: C}}, b: {device: /dev/video7}}"
        #expect(try doubts(text, CameraScanner.Sightings(isKnown: false)).isEmpty)
    }

    @Test func `a schedule without any limit of retention is in doubt`() throws {
        let camera = "device: /dev/video0, publish: {every: 60s}"
        try expect("cameras: {a: {\(camera)}}", "f:1:36: cameras.a.publish: No retention limits these pictures")
        let clips = "device: /dev/video0, record: {every: 60s}"
        try expect("cameras: {a: {\(clips)}}", "f:1:36: cameras.a.record: No retention limits these clips")
        let films = "device: /dev/video0, film: {at: \"00:10\"}"
        for limit in ["", ", retention: {maxAge: 1d, maxFrames: 9}"] {
            try expect("cameras: {a: {\(films)\(limit)}}", "f:1:36: cameras.a.film: No retention limits these films")
        }
        let other = "spools: {usb: {folder: /usb, retention: {maxAge: 1d}}}\n"
        try expect(other + "cameras: {a: {\(camera)}}", "f:2:36: cameras.a.publish: No retention")
        for text in [
            other + "cameras: {a: {\(camera), spool: usb}}", "cameras: {a: {\(camera), retention: {maxFrames: 9}}}",
            "spool: {retention: {minFree: 1G}}\ncameras: {a: {\(camera)}}",
            "cameras: {a: {\(films), retention: {films: 1d}}}", "cameras: {a: {\(clips), retention: {maxBytes: 1G}}}",
            "cameras: {a: {device: /dev/video0}}",
        ] {
            #expect(try doubts(text).isEmpty, "\(text)")
        }
    }

    @Test func `codes without their reader are in doubt`() throws {
        let text = "cameras: {a: {device: /dev/video0, codes: true}}"
        try expect(text, "f:1:36: cameras.a.codes: The program tintype-codes, which reads them, is not installed.")
        #expect(try doubts(text, readsCodes: true).isEmpty)
        #expect(try doubts("cameras: {a: {device: /dev/video0, codes: false}}").isEmpty)
    }
}
