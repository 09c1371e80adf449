// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import TintypeDevice
@testable import TintypeModel

/// Discovery on machines made of files.
struct FakeMachineTests {
    private func scan(_ discovery: CameraDiscovery) async -> [CameraDiscovery.Finding] {
        await DeviceStage.perform { discovery.scan() }
    }

    private func plugInTwins(_ machine: FakeMachine, _ drivers: FakeDrivers) throws {
        for (number, port) in [(0, "1-1"), (2, "1-2")] {
            try machine.plugIn(port: port, vendor: "1bcf", product: "2c99", card: "USB Camera", nodes: [number])
            drivers.set(number, FakeDrivers.camera("USB Camera", busInfo: "usb-0000:00:14.0-\(number / 2 + 1)"))
            let link = "S:v4l/by-id/usb-Generic_USB_Camera-video-index0"
            try machine.note(number, link, "E:ID_V4L_CAPABILITIES=:capture:")
        }
        // Only one camera has the link.
        try machine.link("/dev/v4l/by-id/usb-Generic_USB_Camera-video-index0", to: "/dev/video2")
    }

    @Test(arguments: [
        ("uvcvideo", String?.none, StampOrigin.arrival), ("uvcvideo", "0\n", .arrival), ("uvcvideo", "1\n", .device),
        ("vivid", nil, .flagged),
    ])
    func `uvcvideo stamps the arrival of frames unless hwtimestamps is set`(
        driver: String,
        parameter: String?,
        origin: StampOrigin
    ) async throws {
        try await FakeMachine.with { machine in
            if let parameter { try machine.write(parameter, to: "/sys/module/uvcvideo/parameters/hwtimestamps") }
            #expect(machine.folders.stampOrigin(ofDriver: driver) == origin)
        }
    }

    @Test func `identifies a USB camera from sysfs, udev and the driver`() async throws {
        try await FakeMachine.withDrivers { machine, drivers, discovery in
            try machine.plugIn(
                port: "1-2.3",
                vendor: "046D\n",
                product: "082d\n",
                texts: ["serial": " AB12 \n", "manufacturer": "Logitech\n", "product": "HD Pro Webcam C920\n"]
            )
            try machine.makeNode(0, card: "HD Pro Webcam C920: HD Pro Web", port: "1-2.3")
            try machine.link("/dev/v4l/by-path/pci-0000:00:14.0-usb-0:2.3:1.0-video-index0", to: "/dev/video0")
            try machine.note(0, "S:v4l/by-id/usb-046d_C920_AB12-video-index0", "E:ID_V4L_VERSION=2")
            drivers.set(0, FakeDrivers.camera("HD Pro Webcam C920", busInfo: "usb-0000:00:14.0-2.3"))
            let identity = CameraIdentity(
                path: "/dev/video0",
                card: "HD Pro Webcam C920",
                driver: "uvcvideo",
                busInfo: "usb-0000:00:14.0-2.3",
                byID: ["/dev/v4l/by-id/usb-046d_C920_AB12-video-index0"],
                byPath: ["/dev/v4l/by-path/pci-0000:00:14.0-usb-0:2.3:1.0-video-index0"],
                serial: "AB12",
                usb: "046d:082d",
                port: "1-2.3",
                manufacturer: "Logitech",
                product: "HD Pro Webcam C920",
                sysfsPath: "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-2/1-2.3/1-2.3:1.0/video4linux/video0"
            )
            let finding = CameraDiscovery.Finding(identity: identity, authorization: .authorized)
            #expect(await scan(discovery) == [finding])
        }
    }

    @Test func `identifies a camera without permission to open it from sysfs`() async throws {
        try await FakeMachine.withDrivers { machine, drivers, discovery in
            try machine.plugIn(port: "1-2.3", texts: ["serial": "AB12"], card: "C920", nodes: [0, 1])
            for number in 0...1 { drivers.set(number, .fails(.denied(path: "/dev/video\(number)"))) }
            let findings = await scan(discovery)
            // The second node carries metadata. It cannot be queried, but is not a second camera.
            #expect(findings.map(\.identity.path) == ["/dev/video0"])
            let identity = try #require(findings.first?.identity)
            #expect(identity.serial == "AB12")
            #expect(identity.driver == "uvcvideo")
            #expect(identity.busInfo == "usb-0000:00:14.0-2.3")
            #expect(findings.first?.authorization.status == .denied, "\(findings)")
            _ = await scan(discovery)
            #expect(drivers.asked(0) == 1)
            // The udev database takes precedence over the order of the nodes.
            try machine.note(0, "E:ID_V4L_CAPABILITIES=:")
            try machine.note(1, "E:ID_V4L_CAPABILITIES=:capture:")
            #expect(await scan(discovery).map(\.identity.path) == ["/dev/video1"])
            // A change of permissions triggers another query.
            drivers.set(1, FakeDrivers.camera("C920"))
            try await machine.restrict(1)
            #expect(await scan(discovery).map(\.authorization) == [.authorized])
        }
    }

    @Test func `lists only capture nodes in numeric order`() async throws {
        try await FakeMachine.withDrivers { machine, drivers, discovery in
            try machine.makePlatformDevice("vivid.0", driver: "vivid")
            for number in [10, 2, 1] {
                try machine.makeNode(number, card: "vivid", device: "vivid.0")
                drivers.set(number, FakeDrivers.camera("vivid", driver: "vivid", busInfo: "platform:vivid-\(number)"))
            }
            drivers.set(2, FakeDrivers.metadata)
            let findings = await scan(discovery)
            #expect(findings.map(\.identity.path) == ["/dev/video1", "/dev/video10"])
            #expect(findings.first?.identity.usb == nil)
            #expect(findings.first?.identity.busInfo == "platform:vivid-1")
        }
    }

    @Test func `queries each node once until it is replaced`() async throws {
        try await FakeMachine.withDrivers { machine, drivers, discovery in
            try machine.plugIn(port: "1-1", card: "A", nodes: [0, 1])
            drivers.set(0, FakeDrivers.camera("A"))
            drivers.set(1, FakeDrivers.metadata)
            for _ in 0..<5 { _ = await scan(discovery) }
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { _ = await scan(discovery) } }
            }
            #expect((0...1).map(drivers.asked) == [1, 1])
            try machine.removeNode(0)
            #expect(await scan(discovery).isEmpty)
            drivers.set(0, FakeDrivers.camera("B"))
            try machine.makeNode(0, card: "B", port: "1-1")
            #expect(await scan(discovery).map(\.identity.card) == ["B"])
            #expect((0...1).map(drivers.asked) == [2, 1])
        }
    }

    @Test func `a hanging driver does not block discovery`() async throws {
        try await FakeMachine.withDrivers { machine, drivers, discovery in
            try machine.plugIn(port: "1-1", texts: ["serial": "STUCK"], card: "Stuck", nodes: [0, 1])
            try machine.plugIn(port: "1-2", texts: ["serial": "FINE"], card: "Fine", nodes: [2])
            for number in 0...1 { drivers.set(number, .hangs) }
            drivers.set(2, FakeDrivers.camera("Fine"))
            // The hanging drivers are released only below.
            #expect(await scan(discovery).map(\.identity.serial) == ["STUCK", "FINE"])
            let found = try await DeviceStage.perform { try discovery.locate(CameraMatch([.serial: "FINE"])) }
            #expect(found.path == "/dev/video2")
            #expect((0...2).map(drivers.asked) == [1, 1, 1])
            drivers.release()
            let finding = try await eventually("the late answer") {
                await scan(discovery).first { $0.identity.card == "Late" }
            }
            #expect(finding.identity.serial == "STUCK")
        }
    }

    @Test func `finds a camera while the most probes of removed nodes hang`() async throws {
        try await FakeMachine.withDrivers { machine, drivers, discovery in
            try machine.plugIn(port: "1-1")
            for number in 0..<64 {
                try machine.makeNode(number, card: "Gone", port: "1-1")
                drivers.set(number, .hangs)
                _ = await scan(discovery)
                try machine.removeNode(number)
            }
            #expect(await scan(discovery).isEmpty)
            try machine.plugIn(port: "1-2", card: "New", nodes: [64])
            drivers.set(64, FakeDrivers.camera("New"))
            #expect(await scan(discovery).map(\.identity.path) == ["/dev/video64"])
            #expect(drivers.asked(64) == 0)
            drivers.release()
            try await eventually("the end of the abandoned probes") { discovery.asked.load(ordering: .relaxed) == 0 }
            let clock = TestClock()
            try await clock.sleep(until: clock.now + .seconds(2))
            #expect(await scan(discovery).count == 1 && drivers.asked(64) == 1)
        }
    }

    @Test func `the next scan retries a node that could not be opened`() async throws {
        try await FakeMachine.withDrivers { machine, drivers, discovery in
            try machine.plugIn(port: "1-1", card: "A", nodes: [0])
            drivers.set(0, .fails(.disconnected(path: "/dev/video0", operation: "open")))
            #expect(await scan(discovery).isEmpty)
            drivers.set(0, FakeDrivers.camera("A"))
            #expect(await scan(discovery).count == 1)
        }
    }

    @Test func `a by-id link shared by two cameras is ambiguous`() async throws {
        try await FakeMachine.withDrivers { machine, drivers, discovery in
            try plugInTwins(machine, drivers)
            let link = "/dev/v4l/by-id/usb-Generic_USB_Camera-video-index0"
            let findings = await scan(discovery)
            #expect(findings.map(\.identity.byID) == [[link], [link]])
            let errors = await DeviceStage.perform { () -> [DeviceError?] in
                [
                    #expect(throws: DeviceError.self) { try discovery.locate(CameraMatch([.byID: link])) },
                    #expect(throws: DeviceError.self) { try discovery.identity(at: link, calls: DriverCalls()) },
                ]
            }
            for error in errors {
                #expect(error?.problem.code == .cameraAmbiguous)
                #expect(error?.problem.remedy.contains("/dev/video0 has {port: \"1-1\"}") == true)
                #expect(error?.description.contains("/dev/video2 (USB Camera)") == true)
            }
            // The link is unambiguous once the other camera is gone.
            try machine.removeNode(0)
            let found = try await DeviceStage.perform { try discovery.identity(at: link, calls: DriverCalls()) }
            #expect(found?.port == "1-2")
        }
    }

    @Test func `finds a camera by its identity after its node number changes`() async throws {
        try await FakeMachine.withDrivers { machine, drivers, discovery in
            try plugInTwins(machine, drivers)
            let match = CameraMatch([.usb: "1bcf:2c99", .port: "1-1"])
            #expect(try await DeviceStage.perform { try discovery.locate(match) }.path == "/dev/video0")
            try machine.removeNode(0)
            let gone = await DeviceStage.perform { #expect(throws: DeviceError.self) { try discovery.locate(match) } }
            #expect(gone?.problem.code == .deviceLost)
            try machine.makeNode(7, card: "USB Camera", port: "1-1")
            drivers.set(7, FakeDrivers.camera("USB Camera"))
            #expect(try await DeviceStage.perform { try discovery.locate(match) }.path == "/dev/video7")
        }
    }

    @Test func `queries a static node again when another camera takes its number`() async throws {
        try await FakeMachine.withDrivers { machine, drivers, discovery in
            for (port, serial) in [("1-1", "OLD"), ("1-2", "NEW")] {
                try machine.plugIn(port: port, vendor: "1bcf", product: "2c99", texts: ["serial": serial])
            }
            try machine.makeNode(0, card: "USB Camera", port: "1-1")
            drivers.set(0, FakeDrivers.camera("USB Camera"))
            #expect(await scan(discovery).map(\.identity.serial) == ["OLD"])
            try machine.makeNode(0, card: "USB Camera", port: "1-2", isStatic: true)
            #expect(await scan(discovery).map(\.identity.serial) == ["NEW"])
            #expect(drivers.asked(0) == 2)
        }
    }

    @Test func `confirms an opened camera until its node is taken or removed`() async throws {
        try await FakeMachine.withDrivers { machine, drivers, discovery in
            try plugInTwins(machine, drivers)
            let match = CameraMatch([.port: "1-1"])
            let known = try await DeviceStage.perform { try discovery.locate(match) }
            #expect(known.path == "/dev/video0")
            let lost = DeviceError.disconnected(path: "/dev/video0", operation: "open")
            func confirm() async throws {
                try await DeviceStage.perform { try discovery.confirm(known, calls: DriverCalls()) }
            }
            try await confirm()
            // First its twin takes the number, then nobody has it.
            try machine.makeNode(0, card: "USB Camera", port: "1-2", isStatic: true)
            await #expect(throws: lost) { try await confirm() }
            try machine.removeNode(0)
            await #expect(throws: lost) { try await confirm() }
        }
    }

    @Test func `resolves a path without querying any driver`() async throws {
        try await FakeMachine.withDrivers { machine, drivers, discovery in
            try plugInTwins(machine, drivers)
            let known = try await DeviceStage.perform { () -> [CameraIdentity?] in
                try machine.link("/dev/front", to: "/dev/video0")
                return try ["/dev/video0", "/dev/front", "/dev/video9", "/dev/null"].map {
                    try discovery.identity(at: $0, calls: DriverCalls())
                }
            }
            #expect(known.map { $0?.port } == ["1-1", "1-1", nil, nil])
            #expect([0, 2].map(drivers.asked) == [0, 0])
        }
    }
}
