// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import TintypeCapture

struct ControlStateTests {
    enum Step: Sendable {
        case configure([String: Int64])
        case useProfile([String: Int64])
        case useNoProfile
        case remember(ControlOutcome)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let steps: [Step]
        let wishes: [String: Int64]
        let profile: String?

        init(_ testDescription: String, _ steps: [Step], _ wishes: [String: Int64], profile: String? = nil) {
            self.testDescription = testDescription
            self.steps = steps
            self.wishes = wishes
            self.profile = profile
        }
    }

    /// A control set by command, with its outcome.
    private static func set(
        _ result: ControlOutcome.Result,
        of name: String = "gain",
        to asked: Int64 = 9,
        value: Int64? = 9
    ) -> Step {
        let value = value.map { ControlValue.integer($0) }
        return .remember(ControlOutcome(name: name, asked: .integer(asked), value: value, result: result))
    }

    private static let configured: [String: Int64] = ["gain": 1, "contrast": 2]

    @Test(arguments: [
        Case("as configured", [], configured), Case("a new configuration", [.configure(["gain": 5])], ["gain": 5]),
        Case("set by command", [set(.applied)], ["gain": 9, "contrast": 2]),
        Case("set by command under another spelling", [set(.applied, of: "Gain")], ["Gain": 9, "contrast": 2]),
        Case("clamped: what was asked for lasts", [set(.clamped, value: 8)], ["gain": 9, "contrast": 2]),
        Case("the device has another value", [set(.differs)], configured),
        Case("an automatic is on", [set(.inactive)], configured), Case("read-only", [set(.readOnly)], configured),
        Case("refused", [set(.refused)], configured), Case("no such control", [set(.unknown)], configured),
        Case("a button, which has no value", [set(.applied, value: nil)], configured),
        Case("a refusal after a success", [set(.applied), set(.refused, to: 300)], ["gain": 9, "contrast": 2]),
        Case(
            "a new configuration after a command",
            [set(.applied), .configure(["gain": 5, "hue": 6])],
            ["gain": 9, "hue": 6]
        ), Case("a profile in place of the configuration", [.useProfile(["hue": 7])], ["hue": 7], profile: "night"),
        Case(
            "a profile in place of a command",
            [set(.applied), .useProfile(["gain": 7])],
            ["gain": 7],
            profile: "night"
        ),
        Case(
            "a command after a profile",
            [.useProfile(["gain": 7, "hue": 7]), set(.applied)],
            ["gain": 9, "hue": 7],
            profile: "night"
        ),
        Case(
            "a new configuration under a profile",
            [.useProfile(["hue": 7]), .configure(["gain": 5])],
            ["hue": 7],
            profile: "night"
        ), Case("back to the configuration", [.useProfile(["hue": 7]), set(.applied), .useNoProfile], configured),
    ])
    func `merges configuration, profile and commands into wishes`(_ item: Case) {
        func settings(_ values: [String: Int64]) -> ControlSettings {
            ControlSettings(values.mapValues { .integer($0) })
        }
        var state = ControlState(configured: settings(Self.configured))
        for step in item.steps {
            switch step {
            case .configure(let values): state.configured = settings(values)
            case .useProfile(let values): state.use((name: "night", settings: settings(values)))
            case .useNoProfile: state.use(nil)
            case .remember(let outcome): state.remember([outcome])
            }
        }
        #expect(state.wishes == settings(item.wishes))
        #expect(state.profile?.name == item.profile)
    }
}
