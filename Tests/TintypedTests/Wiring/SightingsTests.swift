// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TintypeDevice
@testable import TintypeModel
@testable import tintyped

struct SightingsTests {
    private static func finding(_ number: Int, port: String) -> CameraDiscovery.Finding {
        let identity = CameraIdentity(
            path: "/dev/video\(number)",
            card: "USB Camera",
            driver: "uvcvideo",
            busInfo: "usb-\(port)",
            usb: "1bcf:2c99",
            port: port
        )
        return CameraDiscovery.Finding(identity: identity, authorization: .authorized)
    }

    private static let sightings = CameraScanner.Sightings(
        findings: [finding(0, port: "1-1"), finding(2, port: "1-2")],
        nodes: ["/dev/front": "/dev/video2"],
        access: ["/dev/other": .authorized, "/dev/video7": .absent]
    )

    private static let sources: [(Camera.Source, String?)] = [
        (.node(path: "/dev/video0"), "1-1"), (.node(path: "/dev/front"), "1-2"),
        (.node(path: "/dev/video1"), nil), (.match(CameraMatch([.port: "1-2"])), "1-2"),
        (.match(CameraMatch([.port: "1-3"])), nil), (.match(CameraMatch([.usb: "1bcf:2c99"])), nil),
    ]

    @Test(arguments: sources)
    func `finds a camera by node, link or match`(
        _ source: Camera.Source,
        _ port: String?
    ) {
        #expect(Self.sightings.finding(for: source)?.identity.port == port)
    }

    @Test func `several matches are ambiguous, none or one is not`() {
        let problem = Self.sightings.unresolved(.match(CameraMatch([.usb: "1bcf:2c99"])))
        #expect(problem?.code == .cameraAmbiguous)
        #expect(problem?.remedy.contains("/dev/video2 has {port: \"1-2\"}") == true)
        for source in [Camera.Source.match(CameraMatch([.port: "1-1"])), .match(CameraMatch([.port: "9-9"]))] {
            #expect(Self.sightings.unresolved(source)?.code != .cameraAmbiguous)
        }
        #expect(Self.sightings.unresolved(.node(path: "/dev/video0")) == nil)
    }

    @Test func `the best match of a camera matches no other`() throws {
        let second = Self.sightings.findings[1]
        let match = try #require(Self.sightings.bestMatch(for: second))
        #expect(match == CameraMatch([.usb: "1bcf:2c99", .port: "1-2"]))
        #expect(Self.sightings.finding(for: .match(match)) == second)
    }

    @Test func `lists unconfigured cameras with their best match`() {
        let (first, second) = (Self.sightings.findings[0], Self.sightings.findings[1])
        func others(_ sources: Camera.Source...) -> [CameraIdentity] {
            Self.sightings.unconfigured(besides: sources).map(\.identity)
        }
        // Two devices have this id, so it matches neither.
        let either = Camera.Source.match(CameraMatch([.usb: "1bcf:2c99"]))
        #expect(others(either, .node(path: "/dev/video9")) == [first.identity, second.identity])
        #expect(others(either, .node(path: "/dev/front")) == [first.identity])
        #expect(others(.match(CameraMatch([.port: "1-1"])), .node(path: "/dev/video2")).isEmpty)
        let match = Self.sightings.unconfigured(besides: [.node(path: "/dev/front")]).first?.match
        #expect(match == CameraMatch([.usb: "1bcf:2c99", .port: "1-1"]))
    }

    @Test func `reports access to devices without a sysfs entry`() {
        #expect(Self.sightings.access(to: .node(path: "/dev/other")) == .authorized)
        #expect(Self.sightings.access(to: .node(path: "/dev/video7")) == .absent)
        #expect(Self.sightings.access(to: .match(CameraMatch([.port: "9-9"]))) == .absent)
    }

    @Test func `access to a path that was not probed is unknown`() {
        #expect(Self.sightings.access(to: .node(path: "/dev/video8")) == nil)
    }

    @Test func `access is unknown before the first scan`() {
        let none = CameraScanner.Sightings(isKnown: false)
        #expect(none.access(to: .match(CameraMatch([.port: "9-9"]))) == nil)
    }
}
