// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeCapture
import TintypeModel

@testable import tintyped

struct ConfigurationAlarmTests {
    @Test func `there are no alarms by default`() throws {
        #expect(try configuredCamera().session.alarms.isEmpty)
        #expect(try configuredCamera("alarms: {}").session.alarms.isEmpty)
    }

    @Test func `reads each alarm with its time`() throws {
        let alarms = "alarms: {noPicture: {for: 5m}, frozen: {for: 30s}, black: {}, uniform: {for: 1d}}"
        let camera = try configuredCamera(alarms)
        #expect(
            camera.session.alarms == [
                .noPicture: .seconds(300), .frozen: .seconds(30), .black: .seconds(60), .uniform: .seconds(86_400),
            ]
        )
        #expect(!camera.isKeptOpen, "an alarm keeps no camera open")
    }

    @Test(arguments: [
        ("alarms: {dark: {}}", "alarms.dark: There is no such key."),
        ("alarms: {black: {after: 5m}}", "alarms.black.after: There is no such key."),
        ("alarms: {black: {for: 500ms}}", "alarms.black.for: \"500ms\" is no time from 1s to 1d. Give one such as 5m."),
        ("alarms: {black: {for: 2d}}", "alarms.black.for: \"2d\" is no time from 1s to 1d."),
        ("alarms: {black: 5m}", "alarms.black: "), ("alarms: [black]", "alarms: "),
    ])
    func `reports a fault by its key`(_ text: String, _ says: String) {
        expectFault(cameraHead + "    \(text)\n", "", "cameras.a.\(says)")
    }
}
