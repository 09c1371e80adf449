// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TintypeDevice

struct UeventTests {
    private static let path = "/devices/platform/vivid.0/video4linux/video20"

    @Test(
        arguments: [
            (
                "video20",
                [
                    "add@\(path)", "ACTION=add", "DEVPATH=\(path)", "SUBSYSTEM=video4linux", "MAJOR=81", "MINOR=3",
                    "DEVNAME=video20", "SEQNUM=1729",
                ]
            ),
            ("video0", ["remove@/x", "ACTION=remove", "SUBSYSTEM=video4linux", "DEVNAME=video0"]),
            ("video0", ["change@/x", "ACTION=change", "SUBSYSTEM=video4linux", "DEVNAME=video0"]),
            (nil, ["add@/x", "ACTION=add", "SUBSYSTEM=video4linux", "DEVNAME=v4l-subdev0"]),
            (nil, ["add@/x", "ACTION=add", "SUBSYSTEM=video4linux", "DEVNAME=video"]),
            (nil, ["add@/x", "ACTION=add", "SUBSYSTEM=video4linux"]),
            (nil, ["add@/x", "ACTION=add", "SUBSYSTEM=usb", "DEVNAME=bus/usb/001/004"]),
            (nil, ["add@/x", "ACTION=add", "DEVNAME=video0"]),
            (nil, ["libudev", "ACTION=add", "SUBSYSTEM=video4linux", "DEVNAME=video0"]),
            ("video0", ["add@/x", "ACTION", "=", "", "SUBSYSTEM=video4linux", "DEVNAME=video0"]),
            (nil, []),
        ] as [(String?, [String])]
    )
    func `parses uevents of video nodes only`(_ name: String?, _ lines: [String]) {
        let message = lines.flatMap { line -> [UInt8] in line.utf8 + [0] }
        #expect(UeventSocket.node(in: message) == name)
        // A truncated message does not trap.
        for count in 0..<message.count { _ = UeventSocket.node(in: Array(message.prefix(count))) }
    }

    @Test func `parses whole inotify events and drops a truncated one`() {
        func record(_ watch: Int32, _ mask: UInt32, _ name: String) -> [UInt8] {
            let zeros = [UInt8](repeating: 0, count: name.isEmpty ? 0 : 16 - name.utf8.count)
            let words = [UInt32(bitPattern: watch), mask, 0, UInt32(name.utf8.count + zeros.count)]
            let head = words.flatMap { word -> [UInt8] in (0..<4).map { UInt8(word >> (8 * $0) & 0xFF) } }
            return head + name.utf8 + zeros
        }
        let bytes = record(1, 0x100, "video0") + record(-1, 0x4000, "") + record(2, 4, "video12")
        let events = InotifyEvent.all(in: bytes)
        #expect(events.map(\.name) == ["video0", "", "video12"])
        #expect(events.map(\.watch) == [1, -1, 2])
        #expect(events.map(\.mask) == [0x100, 0x4000, 4])
        for count in 0..<bytes.count { #expect(InotifyEvent.all(in: Array(bytes.prefix(count))).count < 3) }
    }
}
