// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// One command that is run for events, or one address that they are posted to; tintyped.yaml(5) says more of each key.
struct HookConfiguration: Hashable, Sendable {
    /// Its name, ``CameraName/isValid(_:)``.
    var name: String
    var kinds: [Event.Kind]
    /// The cameras whose events it is run for; nil for all events of those kinds.
    var cameras: [String]?
    /// The program, an absolute path, and its arguments; empty for a webhook.
    var command: [String] = []
    /// The address of `http` or `https` that events are posted to; nil for a command.
    var webhook: String?
    var timeLimit = Duration.seconds(30)
    var atOnce = 1
    /// How often one that fails is tried again.
    var retries = 3

    static let timeLimits = Duration.seconds(1)...Duration.seconds(3600)
    static let atOnceRange = 1...16
    static let retryRange = 0...10
}
