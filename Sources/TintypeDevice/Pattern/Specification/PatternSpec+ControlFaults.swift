// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

extension PatternSpec {
    /// What a pattern camera's controls do wrong on purpose.
    package struct ControlFaults: Hashable, Sendable {
        /// Setting this control fails as if another program held it (`control-busy=NAME`).
        package var busy: String?
        /// Setting this control fails as if the camera did not answer (`control-error=NAME`).
        package var broken: String?
        /// Setting this control fails as if the camera were gone (`control-gone=NAME`).
        package var gone: String?
        /// This control takes every value and keeps its own (`control-ignored=NAME`).
        package var ignored: String?
        /// Controls fall back to their defaults when a stream starts (`forget-controls`).
        package var forgets = false
        /// Another program changes the brightness after this many frames, once it is watched
        /// (`foreign-change-after=N`).
        package var foreignChangeAfter: Int?
        /// The privacy shutter is closed (`shutter`).
        package var isShutterClosed = false
        /// The shutter is closed, or opened if it is closed, after this many frames (`shutter-after=N`).
        package var shutterAfter: Int?

        /// What ``foreignChangeAfter`` makes of the brightness.
        package static let foreignBrightness: Int64 = 20

        /// Reads one option of `--pattern`; false if it is none of these.
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
