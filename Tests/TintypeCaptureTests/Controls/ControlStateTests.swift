// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import TintypeCapture

struct ControlStateTests {
    enum Step: Sendable {
        case configure([String: ControlValue])
        case useProfile([String: ControlValue])
        case useNoProfile
        case remember([ControlOutcome])
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let steps: [Step]
        let wishes: [String: ControlValue]
        var profile: String?
    }

    /// A control that was set to 9 by command, with what became of it.
    private static func gain(_ result: ControlOutcome.Result, value: ControlValue? = .integer(9)) -> Step {
        .remember([ControlOutcome(name: "gain", asked: .integer(9), value: value, result: result)])
    }

    private static let configured: [String: ControlValue] = ["gain": .integer(1), "contrast": .integer(2)]

    @Test(arguments: [
        Case(testDescription: "as configured", steps: [], wishes: configured),
        Case(
            testDescription: "a new configuration",
            steps: [.configure(["gain": .integer(5)])],
            wishes: ["gain": .integer(5)]
        ),
        Case(
            testDescription: "set by command",
            steps: [gain(.applied)],
            wishes: ["gain": .integer(9), "contrast": .integer(2)]
        ),
        Case(
            testDescription: "set by command under another spelling",
            steps: [
                .remember([ControlOutcome(name: "Gain", asked: .integer(9), value: .integer(9), result: .applied)])
            ],
            wishes: ["Gain": .integer(9), "contrast": .integer(2)]
        ),
        Case(
            testDescription: "clamped: what was asked for lasts",
            steps: [gain(.clamped, value: .integer(8))],
            wishes: ["gain": .integer(9), "contrast": .integer(2)]
        ),
        Case(testDescription: "the device has another value", steps: [gain(.differs)], wishes: configured),
        Case(testDescription: "an automatic is on", steps: [gain(.inactive)], wishes: configured),
        Case(testDescription: "read-only", steps: [gain(.readOnly)], wishes: configured),
        Case(testDescription: "refused", steps: [gain(.refused)], wishes: configured),
        Case(testDescription: "no such control", steps: [gain(.unknown)], wishes: configured),
        Case(testDescription: "a button, which has no value", steps: [gain(.applied, value: nil)], wishes: configured),
        Case(
            testDescription: "a refusal after a success",
            steps: [
                gain(.applied),
                .remember([ControlOutcome(name: "gain", asked: .integer(300), value: .integer(9), result: .refused)]),
            ],
            wishes: ["gain": .integer(9), "contrast": .integer(2)]
        ),
        Case(
            testDescription: "a new configuration after a command",
            steps: [gain(.applied), .configure(["gain": .integer(5), "hue": .integer(6)])],
            wishes: ["gain": .integer(9), "hue": .integer(6)]
        ),
        Case(
            testDescription: "a profile in place of the configuration",
            steps: [.useProfile(["hue": .integer(7)])],
            wishes: ["hue": .integer(7)],
            profile: "night"
        ),
        Case(
            testDescription: "a profile in place of a command",
            steps: [gain(.applied), .useProfile(["gain": .integer(7)])],
            wishes: ["gain": .integer(7)],
            profile: "night"
        ),
        Case(
            testDescription: "a command after a profile",
            steps: [.useProfile(["gain": .integer(7), "hue": .integer(7)]), gain(.applied)],
            wishes: ["gain": .integer(9), "hue": .integer(7)],
            profile: "night"
        ),
        Case(
            testDescription: "a new configuration under a profile",
            steps: [.useProfile(["hue": .integer(7)]), .configure(["gain": .integer(5)])],
            wishes: ["hue": .integer(7)],
            profile: "night"
        ),
        Case(
            testDescription: "back to the configuration",
            steps: [.useProfile(["hue": .integer(7)]), gain(.applied), .useNoProfile],
            wishes: configured
        ),
    ])
    func `what the device is to have`(_ item: Case) {
        var state = ControlState(configured: ControlSettings(Self.configured))
        for step in item.steps {
            switch step {
            case .configure(let values): state.configured = ControlSettings(values)
            case .useProfile(let values): state.use((name: "night", settings: ControlSettings(values)))
            case .useNoProfile: state.use(nil)
            case .remember(let outcomes): state.remember(outcomes)
            }
        }
        #expect(state.wishes == ControlSettings(item.wishes))
        #expect(state.profile?.name == item.profile)
    }
}
