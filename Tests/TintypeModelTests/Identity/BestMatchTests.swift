// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct BestMatchTests {
    /// Present cameras and the expected best match of the first.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let there: [CameraIdentity]
        let best: CameraMatch?

        init(_ sentence: String, _ there: [CameraIdentity], _ best: [CameraMatch.Key: String]?) {
            testDescription = sentence
            self.there = there
            self.best = best.map(CameraMatch.init)
        }
    }

    private static func with<Value>(
        _ identity: CameraIdentity,
        _ part: WritableKeyPath<CameraIdentity, Value>,
        _ value: Value
    ) -> CameraIdentity {
        var identity = identity
        identity[keyPath: part] = value
        return identity
    }

    /// Second node of the same camera; only its path and links differ.
    private static let sibling = with(
        with(with(Cameras.logitech, \.path, "/dev/video1"), \.byID, ["/dev/v4l/by-id/usb-C920_AB12-video-index2"]),
        \.byPath,
        []
    )

    @Test(arguments: [
        Case("serial number and USB ID", Cameras.all, [.serial: "AB12", .usb: "046d:082d"]),
        Case(
            "the by-id link, if several nodes share the serial number",
            [Cameras.logitech, sibling],
            [.byID: "usb-046d_HD_Pro_Webcam_C920_AB12-video-index0"]
        ),
        Case(
            "the by-id link, if there is no serial number",
            [Cameras.twins[0]],
            [.byID: "usb-Generic_USB_Camera-video-index0"]
        ),
        Case("the port, if its twin is present", Cameras.twins, [.usb: "1bcf:2c99", .port: "1-1"]),
        Case("the USB ID, if udev has no links", [with(Cameras.twins[0], \.byID, [])], [.usb: "1bcf:2c99"]),
        Case(
            "the port, if two cameras share the serial number",
            [Cameras.logitech, with(with(Cameras.logitech, \.port, "1-4"), \.path, "/dev/video2")],
            [.usb: "046d:082d", .port: "1-2.3"]
        ),
        Case("driver and bus info", [Cameras.vivid], [.driver: "vivid", .busInfo: "platform:vivid-000"]),
        Case(
            "the path, if nothing else differs",
            [Cameras.vivid, with(Cameras.vivid, \.path, "/dev/video21")],
            [.path: "/dev/video20"]
        ),
        Case(
            "driver and card, if the bus info is unknown",
            [with(Cameras.vivid, \.busInfo, "")],
            [.driver: "vivid", .card: "vivid"]
        ),
        Case("no match for a camera without a device node", [with(Cameras.vivid, \.path, "pattern")], nil),
    ])
    func `chooses the most stable unambiguous match`(_ test: Case) throws {
        let first = try #require(test.there.first)
        let best = CameraMatch.best(for: first, among: test.there)
        #expect(best == test.best)
        if let best { #expect(try best.resolve(among: test.there) == first) }
    }

    @Test func `the chosen match resolves to its own camera`() throws {
        for identity in Cameras.all {
            let best = try #require(CameraMatch.best(for: identity, among: Cameras.all))
            #expect(try best.resolve(among: Cameras.all) == identity)
            for (key, value) in best.conditions { #expect(key.accepts(value)) }
        }
    }
}
