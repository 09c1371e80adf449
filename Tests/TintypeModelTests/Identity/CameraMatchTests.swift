// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TintypeModel

enum Cameras {
    static let logitech = CameraIdentity(
        path: "/dev/video0",
        card: "HD Pro Webcam C920",
        driver: "uvcvideo",
        busInfo: "usb-0000:00:14.0-2.3",
        byID: ["/dev/v4l/by-id/usb-046d_HD_Pro_Webcam_C920_AB12-video-index0"],
        byPath: ["/dev/v4l/by-path/pci-0000:00:14.0-usb-0:2.3:1.0-video-index0"],
        serial: "AB12",
        usb: "046d:082d",
        port: "1-2.3",
        manufacturer: "Logitech",
        product: "HD Pro Webcam C920"
    )
    /// Two identical cameras without serial numbers: udev creates one by-id link for both.
    static let twins = [1, 2].map { number in
        CameraIdentity(
            path: "/dev/video\(number * 2)",
            card: "USB Camera",
            driver: "uvcvideo",
            busInfo: "usb-0000:00:14.0-\(number)",
            byID: ["/dev/v4l/by-id/usb-Generic_USB_Camera-video-index0"],
            byPath: ["/dev/v4l/by-path/pci-0000:00:14.0-usb-0:\(number):1.0-video-index0"],
            usb: "1bcf:2c99",
            port: "1-\(number)"
        )
    }
    static let vivid = CameraIdentity(
        path: "/dev/video20",
        card: "vivid",
        driver: "vivid",
        busInfo: "platform:vivid-000"
    )
    static let all = [logitech] + twins + [vivid]
}

struct CameraMatchTests {
    /// Conditions and the paths of the cameras that meet them.
    struct Case: CustomTestStringConvertible, Sendable {
        let conditions: [CameraMatch.Key: String]
        let paths: [String]
        var testDescription: String { "\(CameraMatch(conditions))" }

        init(_ conditions: [CameraMatch.Key: String], _ paths: String...) {
            self.conditions = conditions
            self.paths = paths
        }
    }

    @Test(arguments: [
        Case([.byID: "/dev/v4l/by-id/usb-046d_HD_Pro_Webcam_C920_AB12-video-index0"], "/dev/video0"),
        Case([.byID: "usb-046d_HD_Pro_Webcam_C920_AB12-video-index0"], "/dev/video0"),
        Case([.byID: "usb-046d_HD_Pro_Webcam_C920_AB12"]),
        Case([.byID: "usb-Generic_USB_Camera-video-index0"], "/dev/video2", "/dev/video4"),
        Case([.byPath: "pci-0000:00:14.0-usb-0:2:1.0-video-index0"], "/dev/video4"),
        Case([.serial: "AB12"], "/dev/video0"),
        Case([.serial: "ab12"]),
        Case([.usb: "046D:082D"], "/dev/video0"),
        Case([.usb: "1bcf:2c99"], "/dev/video2", "/dev/video4"),
        Case([.port: "1-2"], "/dev/video4"),
        Case([.card: "USB Camera"], "/dev/video2", "/dev/video4"),
        Case([.card: "USB*"]),
        Case([.name: "USB*"], "/dev/video2", "/dev/video4"),
        Case([.name: "*"], "/dev/video0", "/dev/video2", "/dev/video4", "/dev/video20"),
        Case([.busInfo: "platform:vivid-000"], "/dev/video20"),
        Case([.driver: "uvcvideo"], "/dev/video0", "/dev/video2", "/dev/video4"),
        Case([.path: "/dev/video20"], "/dev/video20"),
        Case([.driver: "uvcvideo", .name: "USB*", .port: "1-1"], "/dev/video2"),
        Case([.driver: "vivid", .port: "1-1"]),
        Case([.serial: "AB12", .usb: "046d:082e"]),
    ])
    func `matches cameras that meet all conditions`(_ test: Case) {
        let match = CameraMatch(test.conditions)
        #expect(Cameras.all.filter(match.matches).map(\.path) == test.paths)
    }

    @Test func `an unknown property meets no condition`() {
        let nothing = CameraIdentity(path: "/dev/video9", card: "", driver: "", busInfo: "")
        for key in CameraMatch.Key.allCases where ![.name, .path].contains(key) {
            #expect(!CameraMatch([key: ""]).matches(nothing), "\(key)")
        }
    }

    @Test func `resolves to the only matching camera`() throws {
        #expect(try CameraMatch([.port: "1-1"]).resolve(among: Cameras.all) == Cameras.twins[0])
    }

    @Test func `a failed match names the condition that is not met`() throws {
        let problem = try #require(throws: Problem.self) {
            try CameraMatch([.serial: "AB13", .usb: "046d:082d"]).resolve(among: Cameras.all)
        }
        #expect(problem.code == .deviceLost)
        #expect(problem.retryAfterMs != nil)
        #expect(
            problem.detail == """
                No camera that is there matches {serial: "AB13", usb: "046d:082d"}. /dev/video0 (HD Pro Webcam C920) \
                meets all of it but serial.
                """
        )
    }

    @Test func `a failed match without any camera names only the match`() throws {
        let other = try #require(throws: Problem.self) { try CameraMatch([.serial: "X"]).resolve(among: []) }
        #expect(other.detail == "No camera that is there matches {serial: \"X\"}.")
    }

    @Test(arguments: [
        CameraMatch([.byID: "usb-Generic_USB_Camera-video-index0"]), CameraMatch([.usb: "1bcf:2c99"]),
        CameraMatch([.name: "USB*", .driver: "uvcvideo"]),
    ])
    func `the remedy for identical cameras lists their ports`(_ match: CameraMatch) throws {
        let problem = try #require(throws: Problem.self) { try match.resolve(among: Cameras.all) }
        #expect(problem.code == .cameraAmbiguous)
        #expect(problem.code.status == 409)
        #expect(problem.detail == "2 cameras match \(match): /dev/video2 (USB Camera), /dev/video4 (USB Camera).")
        #expect(
            problem.remedy == """
                Add a condition that only one of them meets: /dev/video2 has {port: "1-1"}, \
                /dev/video4 has {port: "1-2"}.
                """
        )
        // The remedy works.
        for (twin, port) in zip(Cameras.twins, ["1-1", "1-2"]) {
            var better = match
            better.conditions[.port] = port
            #expect(try better.resolve(among: Cameras.all) == twin)
        }
    }

    @Test func `the remedy for identical non-USB cameras lists their bus info or path`() throws {
        var others = [Cameras.vivid, Cameras.vivid]
        others[1].path = "/dev/video21"
        others[1].busInfo = "platform:vivid-001"
        let place = try #require(throws: Problem.self) { try CameraMatch([.card: "vivid"]).resolve(among: others) }
        #expect(place.remedy.contains("/dev/video21 has {busInfo: \"platform:vivid-001\"}"))
        others[1].busInfo = others[0].busInfo
        let path = try #require(throws: Problem.self) { try CameraMatch([.card: "vivid"]).resolve(among: others) }
        #expect(path.remedy.contains("/dev/video21 has {path: \"/dev/video21\"}"))
    }

    @Test func `a match round-trips through JSON with its key names`() throws {
        let match = CameraMatch(Dictionary(uniqueKeysWithValues: CameraMatch.Key.allCases.map { ($0, "v") }))
        let json = try WireFormat.encode(match)
        #expect(try WireFormat.decode(CameraMatch.self, from: json) == match)
        let short = try WireFormat.encode(CameraMatch([.byID: "a", .usb: "b"]))
        #expect(String(decoding: short, as: UTF8.self) == #"{"byID":"a","usb":"b"}"#)
    }

    @Test func `the description is YAML on one line`() {
        #expect("\(CameraMatch([.usb: "046d:082d", .serial: "0012"]))" == #"{serial: "0012", usb: "046d:082d"}"#)
        #expect("\(CameraMatch([.card: "a\"b\\c\u{7}\u{85}é\u{2028}"]))" == #"{card: "a\"b\\c\x07\x85é\u2028"}"#)
    }
}
