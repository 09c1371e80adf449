// SPDX-License-Identifier: Apache-2.0
import CV4L2
import Testing
import TintypeModel

@testable import TintypeDevice

struct ControlOrderTests {
    /// Control ids and their expected stages.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let ids: [UInt32]
        let stages: [[UInt32]]
    }

    private static let update: UInt32 = 0x0098_F001
    private static let button: UInt32 = 0x0098_F002
    private static let plain: UInt32 = 0x0098_F003

    private static func control(_ id: UInt32) -> ControlDescription {
        var control = ControlDescription(id: id, title: "c", controlClass: "c", type: id == button ? .button : .integer)
        if id == update { control.flags = [.update] }
        return control
    }

    @Test(arguments: [
        Case(testDescription: "nothing", ids: [], stages: []),
        Case(
            testDescription: "exposure",
            ids: [ControlNumber.exposureAbsolute, ControlNumber.autoExposure],
            stages: [[ControlNumber.autoExposure], [ControlNumber.exposureAbsolute]]
        ),
        Case(
            testDescription: "white balance",
            ids: [ControlNumber.whiteBalanceTemperature, ControlNumber.redBalance, ControlNumber.autoWhiteBalance],
            stages: [
                [ControlNumber.autoWhiteBalance], [ControlNumber.whiteBalanceTemperature, ControlNumber.redBalance],
            ]
        ),
        Case(
            testDescription: "gain, focus, hue, brightness, ISO and chroma gain",
            ids: [
                ControlNumber.gain, ControlNumber.autoGain, ControlNumber.focusAbsolute, ControlNumber.autoFocus,
                ControlNumber.hue, ControlNumber.autoHue, ControlNumber.brightness, ControlNumber.autoBrightness,
                ControlNumber.isoSensitivity, ControlNumber.autoISOSensitivity, ControlNumber.chromaGain,
                ControlNumber.autoChromaGain,
            ],
            stages: [
                [
                    ControlNumber.autoGain, ControlNumber.autoFocus, ControlNumber.autoHue,
                    ControlNumber.autoBrightness, ControlNumber.autoISOSensitivity, ControlNumber.autoChromaGain,
                ],
                [
                    ControlNumber.gain, ControlNumber.focusAbsolute, ControlNumber.hue, ControlNumber.brightness,
                    ControlNumber.isoSensitivity, ControlNumber.chromaGain,
                ],
            ]
        ),
        Case(
            testDescription: "all ranks",
            ids: [button, ControlNumber.exposureAbsolute, plain, update, ControlNumber.autoExposure],
            stages: [[ControlNumber.autoExposure], [update], [plain], [ControlNumber.exposureAbsolute], [button]]
        ),
    ])
    func `sets automatics first and buttons last`(_ order: Case) {
        let stages = ControlOrder.stages(order.ids.map(Self.control)) { $0 }
        #expect(stages.map { $0.map(\.id) } == order.stages)
    }

    @Test func `batches controls by class except strings and buttons`() {
        func setting(_ id: UInt32, _ type: ControlType) -> ControlSetting {
            let control = ControlDescription(id: id, title: "c", controlClass: "c", type: type)
            return ControlSetting(control: control, value: .integer(1))
        }
        let settings = [
            setting(0x0098_0900, .integer), setting(0x009A_0901, .menu), setting(0x0098_0901, .boolean),
            setting(0x0098_F000, .string), setting(0x0098_F001, .button), setting(0x009A_0902, .integer64),
        ]
        #expect(
            ControlOrder.batches(settings).map { $0.map(\.control.id) } == [
                [0x0098_0900, 0x0098_0901], [0x009A_0901, 0x009A_0902], [0x0098_F000], [0x0098_F001],
            ]
        )
    }

    @Test func `control numbers match the kernel header`() {
        let numbers: [(UInt32, Int32)] = [
            (ControlNumber.brightness, V4L2_CID_BRIGHTNESS), (ControlNumber.hue, V4L2_CID_HUE),
            (ControlNumber.autoWhiteBalance, V4L2_CID_AUTO_WHITE_BALANCE),
            (ControlNumber.redBalance, V4L2_CID_RED_BALANCE), (ControlNumber.blueBalance, V4L2_CID_BLUE_BALANCE),
            (ControlNumber.exposure, V4L2_CID_EXPOSURE), (ControlNumber.autoGain, V4L2_CID_AUTOGAIN),
            (ControlNumber.gain, V4L2_CID_GAIN), (ControlNumber.autoHue, V4L2_CID_HUE_AUTO),
            (ControlNumber.whiteBalanceTemperature, V4L2_CID_WHITE_BALANCE_TEMPERATURE),
            (ControlNumber.autoChromaGain, V4L2_CID_CHROMA_AGC), (ControlNumber.colorEffects, V4L2_CID_COLORFX),
            (ControlNumber.autoBrightness, V4L2_CID_AUTOBRIGHTNESS), (ControlNumber.chromaGain, V4L2_CID_CHROMA_GAIN),
            (ControlNumber.colorEffectsCbCr, V4L2_CID_COLORFX_CBCR),
            (ControlNumber.autoExposure, V4L2_CID_EXPOSURE_AUTO),
            (ControlNumber.exposureAbsolute, V4L2_CID_EXPOSURE_ABSOLUTE),
            (ControlNumber.exposureAutoPriority, V4L2_CID_EXPOSURE_AUTO_PRIORITY),
            (ControlNumber.focusAbsolute, V4L2_CID_FOCUS_ABSOLUTE),
            (ControlNumber.focusRelative, V4L2_CID_FOCUS_RELATIVE),
            (ControlNumber.autoFocus, V4L2_CID_FOCUS_AUTO), (ControlNumber.privacy, V4L2_CID_PRIVACY),
            (ControlNumber.irisAbsolute, V4L2_CID_IRIS_ABSOLUTE), (ControlNumber.irisRelative, V4L2_CID_IRIS_RELATIVE),
            (ControlNumber.whiteBalancePreset, V4L2_CID_AUTO_N_PRESET_WHITE_BALANCE),
            (ControlNumber.isoSensitivity, V4L2_CID_ISO_SENSITIVITY),
            (ControlNumber.autoISOSensitivity, V4L2_CID_ISO_SENSITIVITY_AUTO),
        ]
        for (number, header) in numbers { #expect(number == UInt32(bitPattern: header)) }
    }
}
