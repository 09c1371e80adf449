// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import tintyped

struct ControlCheckTests {
    private static let text = """
        cameras:
          front:
            device: /dev/video0
            controls:
              brightness: 5
              brigthness: 6
              gain: loud
            profiles:
              night: {frobnicate: 1}
        """

    private static let controls = [
        ControlDescription(id: 1, title: "Brightness", controlClass: "user", type: .integer, maximum: 255),
        ControlDescription(id: 2, title: "Gain", controlClass: "user", type: .integer, maximum: 255),
    ]

    private func check(
        _ controls: [ControlDescription]?
    ) throws -> (faults: [ConfigurationFault], doubts: [ConfigurationFault]) {
        let configuration = try ConfigurationReader.read(Self.text, file: "f")
        return ConfigurationCheck(configuration, in: Self.text, file: "f").controls { source in
            source == .node(path: "/dev/video0") ? controls : nil
        }
    }

    @Test func `reports unknown controls and wrong values of an available camera`() throws {
        let (faults, doubts) = try check(Self.controls)
        #expect(doubts.isEmpty)
        let texts = [
            "f:6:7: cameras.front.controls.brigthness: The camera has no such control. Did you mean brightness? "
                + "“tintype controls” lists those of a camera.",
            "f:7:7: cameras.front.controls.gain: “loud” is not a whole number or a part of the range such as 50%. "
                + "“tintype controls front” shows what the control takes.",
            "f:9:15: cameras.front.profiles.night.frobnicate: The camera has no such control. "
                + "“tintype controls” lists those of a camera.",
        ]
        #expect(faults.map(\.description) == texts)
    }

    @Test func `an unknown control of an unavailable camera is a warning`() throws {
        let (faults, doubts) = try check(nil)
        #expect(faults.isEmpty)
        #expect(doubts.map(\.key) == ["cameras.front.controls.brigthness", "cameras.front.profiles.night.frobnicate"])
        #expect(doubts.first?.remedy.hasPrefix("Did you mean brightness?") == true)
    }

    @Test(arguments: [("cameras:\n\tfront: {}\n", "2:1"), ("cameras:\n  front:\n  \tdevice: /dev/video0\n", "3:3")])
    func `reports a tab in the indentation`(_ text: String, _ place: String) {
        expectFault(text, "\(place): YAML does not allow tabs for indentation.", "Indent with spaces.")
    }

    @Test func `a tab in a blank line hides no other fault`() {
        expectFault("cameras:\n\t\n  front: {device: /dev/video0\n", "", ": This is not YAML: ")
    }

    @Test func `checks a control number only on an available camera`() throws {
        let text = "cameras: {front: {device: /dev/video0, controls: {0x00980900: 5}}}\n"
        let configuration = try ConfigurationReader.read(text, file: "f")
        let check = ConfigurationCheck(configuration, in: text, file: "f")
        #expect(check.controls { _ in nil }.doubts.isEmpty)
        #expect(check.controls { _ in [] }.faults.count == 1)
    }
}
