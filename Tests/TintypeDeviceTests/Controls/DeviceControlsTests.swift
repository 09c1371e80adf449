// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import TintypeDevice

/// Setting and reading controls on the pattern, which follows the kernel's rules.
struct DeviceControlsTests {
    private func controls(_ faults: String = "") async throws -> DeviceControls {
        let spec = try PatternSpec("GREY" + faults)
        return DeviceControls(PatternControls(path: "pattern", faults: spec.controlFaults))
    }

    private func outcome(_ name: String, _ outcomes: [ControlOutcome]) throws -> ControlOutcome {
        try #require(outcomes.first { $0.name == name }, "\(outcomes.map(\.name))")
    }

    @Test func `lists every control with its value`() async throws {
        let all = try await controls().all()
        #expect(all.count == 12)
        #expect(all.control(named: "brightness")?.value == .integer(128))
        #expect(all.control(named: "auto_exposure")?.choice == "Aperture Priority Mode")
        #expect(all.control(named: "exposure_time_absolute")?.has(.inactive) == true)
        #expect(all.control(named: "pan_reset")?.value == nil)
        #expect(Set(all.map(\.controlClass)) == ["user_controls", "camera_controls"])
    }

    @Test func `sets a manual value together with its automatic`() async throws {
        let controls = try await controls()
        let outcomes = try controls.apply(
            ControlSettings([
                "exposure_time_absolute": .text("10ms"), "auto_exposure": .text("manual"),
                "white_balance_temperature": .integer(3205), "white_balance_automatic": .boolean(false),
            ])
        )
        #expect(outcomes.map(\.name) == outcomes.map(\.name).sorted())
        #expect(try outcome("exposure_time_absolute", outcomes).value == .integer(100))
        #expect(try outcome("auto_exposure", outcomes).result == .applied)
        // Rounded to the step of 10.
        let temperature = try outcome("white_balance_temperature", outcomes)
        #expect(temperature.result == .clamped && temperature.value == .integer(3210))
        #expect(try controls.all().control(named: "exposure_time_absolute")?.has(.inactive) == false)
    }

    @Test func `each requested control has its own outcome`() async throws {
        let controls = try await controls(",control-busy=contrast")
        let outcomes = try controls.apply(
            ControlSettings([
                "brightness": .integer(300), "contrast": .integer(8), "exposure_time_absolute": .integer(9),
                "gain": .integer(250), "min_number_of_capture_buffers": .integer(2), "nonsense": .integer(1),
                "pan_reset": .boolean(true), "power_line_frequency": .text("70 Hz"), "privacy": .boolean(false),
            ])
        )
        let results = Dictionary(uniqueKeysWithValues: outcomes.map { ($0.name, $0.result) })
        #expect(
            results == [
                "brightness": .clamped, "contrast": .refused, "exposure_time_absolute": .inactive, "gain": .clamped,
                "min_number_of_capture_buffers": .readOnly, "nonsense": .unknown, "pan_reset": .applied,
                "power_line_frequency": .refused, "privacy": .applied,
            ]
        )
        #expect(try outcome("brightness", outcomes).value == .integer(255))
        #expect(try outcome("brightness", outcomes).detail == "It goes from 0 to 255.")
        #expect(try outcome("gain", outcomes).value == .integer(200))
        #expect(try outcome("gain", outcomes).detail == "The driver made 200 of 250.")
        let busy = try outcome("contrast", outcomes)
        #expect(busy.detail?.hasPrefix("VIDIOC_S_EXT_CTRLS on pattern: device or resource busy.") == true)
        #expect(busy.value == .integer(32))
        for outcome in outcomes where outcome.result != .applied { #expect(outcome.detail?.hasSuffix(".") == true) }
        #expect(outcomes.allSatisfy { $0.asked != nil })
    }

    @Test func `reports a driver error as refused with its text`() async throws {
        let outcomes = try await controls(",control-error=gain").apply(ControlSettings(["gain": .integer(1)]))
        #expect(outcomes.first?.result == .refused)
        #expect(outcomes.first?.detail?.contains("input/output error. Try again") == true)
    }

    @Test func `reports a value that the driver ignores as differing`() async throws {
        let outcomes = try await controls(",control-ignored=gain").apply(ControlSettings(["gain": .integer(1)]))
        #expect(outcomes.first?.result == .differs)
        #expect(outcomes.first?.value == .integer(64))
        #expect(outcomes.first?.detail == "The driver took 1, and read back it is 64.")
    }

    @Test func `throws when the device is gone`() async throws {
        let controls = try await controls(",control-gone=gain")
        let error = #expect(throws: DeviceError.self) { try controls.apply(ControlSettings(["gain": .integer(1)])) }
        #expect(error == .disconnected(path: "pattern", operation: "VIDIOC_S_EXT_CTRLS"))
    }

    @Test func `sets a control requested under two names once`() async throws {
        let settings = ControlSettings(["auto_exposure": .integer(1), "exposure_auto": .integer(3)])
        let outcomes = try await controls().apply(settings)
        #expect(outcomes.map(\.result) == [.applied, .refused])
        #expect(outcomes[1].detail?.contains("auto_exposure") == true)
    }

    @Test func `a control that already has the value counts as applied`() async throws {
        let controls = try await controls(",control-busy=gain")
        let settings = ControlSettings(["gain": .integer(64)])
        #expect(try controls.apply(settings, onlyWhereDifferent: true).map(\.result) == [.applied])
        // The driver refuses the write, but the value is already the requested one.
        #expect(try controls.apply(settings).map(\.result) == [.applied])
        #expect(try controls.apply(ControlSettings(["gain": .integer(1)])).map(\.result) == [.refused])
    }

    @Test func `restores all defaults except the privacy shutter`() async throws {
        let controls = try await controls(",shutter")
        let settings: [String: ControlValue] = [
            "auto_exposure": .integer(1), "exposure_time_absolute": .integer(9), "brightness": .integer(3),
        ]
        _ = try controls.apply(ControlSettings(settings))
        let outcomes = try controls.restoreDefaults()
        #expect(outcomes.map(\.name) == ["auto_exposure", "brightness", "exposure_time_absolute"])
        #expect(outcomes.allSatisfy { $0.result == .applied && $0.asked == nil })
        let all = try controls.all()
        #expect(all.control(named: "exposure_time_absolute")?.value == .integer(250))
        #expect(all.control(named: "privacy")?.value == .boolean(true))
        #expect(try controls.watchShutter() == true)
        #expect(try controls.restoreDefaults().isEmpty)
    }

    @Test func `watches only settable controls`() throws {
        let driver = PatternControls(path: "pattern", faults: .init())
        let controls = DeviceControls(driver)
        controls.watch(try controls.all())
        let watched = try controls.all().filter { driver.isWatched($0.id) }.map(\.name)
        #expect(watched.contains("brightness") && watched.contains("auto_exposure"))
        #expect(!watched.contains("min_number_of_capture_buffers") && !watched.contains("pan_reset"))
    }

    @Test func `supports a device without controls`() throws {
        let controls = DeviceControls(FakeControlDriver())
        #expect(try controls.all().isEmpty)
        #expect(try controls.watchShutter() == nil)
        #expect(try controls.apply(ControlSettings(["gain": .integer(1)])).map(\.result) == [.unknown])
    }
}
