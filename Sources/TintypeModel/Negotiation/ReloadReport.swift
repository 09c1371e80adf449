// SPDX-License-Identifier: Apache-2.0

/// Effect of a configuration reload on the cameras: reply to `POST /v1/reload`.
package struct ReloadReport: Equatable, Codable, WireObject {
    package var kept: [String] = []
    package var changed: [String] = []
    package var added: [String] = []
    package var removed: [String] = []

    package init() {}

    package static let summary = "The cameras after the configuration was read again."
    package static let fields: [Field] = [
        Field("kept", \.kept, "Cameras whose configuration is as before; they stream on."),
        Field("changed", \.changed, "Cameras whose configuration is another one; they were closed, and open by it."),
        Field("added", \.added, "Cameras that are new in the configuration."),
        Field("removed", \.removed, "Cameras that are not in the configuration any more; they were closed."),
    ]
}
