// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

extension PatternSpec {
    /// Simulated faults of a pattern camera's controls.
    package struct ControlFaults: Hashable, Sendable {
        /// Setting this control fails as if in use by another program (`control-busy=NAME`).
        package var busy: String?
        /// Setting this control fails with an I/O error (`control-error=NAME`).
        package var broken: String?
        /// Setting this control fails as if the camera were removed (`control-gone=NAME`).
        package var gone: String?
        /// Setting this control succeeds without effect (`control-ignored=NAME`).
        package var ignored: String?
        /// Controls are reset to their defaults when a stream starts (`forget-controls`).
        package var forgets = false
        /// Another program changes the brightness after this many frames, once it is subscribed to
        /// (`foreign-change-after=N`).
        package var foreignChangeAfter: Int?
        /// The privacy shutter is closed (`shutter`).
        package var isShutterClosed = false
        /// The privacy shutter is toggled after this many frames (`shutter-after=N`).
        package var shutterAfter: Int?

        /// Brightness set by ``foreignChangeAfter``.
        package static let foreignBrightness: Int64 = 20

        /// Parses one option of `--pattern`; false if it is not one of these.
        mutating func read(_ key: String, _ value: String?) throws(PatternSpecError) -> Bool {
            switch key {
            case "control-busy": busy = try Self.name(key, value)
            case "control-error": broken = try Self.name(key, value)
            case "control-gone": gone = try Self.name(key, value)
            case "control-ignored": ignored = try Self.name(key, value)
            case "forget-controls": forgets = true
            case "shutter": isShutterClosed = true
            case "foreign-change-after": foreignChangeAfter = try PatternSpec.number(key, value, 0...1_000_000_000)
            case "shutter-after": shutterAfter = try PatternSpec.number(key, value, 1...1_000_000_000)
            default: return false
            }
            return true
        }

        private static func name(_ key: String, _ value: String?) throws(PatternSpecError) -> String {
            let names = PatternControls.table.map(\.name)
            guard let value, names.contains(value) else {
                throw PatternSpecError("\(key) takes the name of a control: one of \(names.joined(separator: ", ")).")
            }
            return value
        }
    }
}
