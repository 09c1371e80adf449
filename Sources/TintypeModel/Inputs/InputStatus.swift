// SPDX-License-Identifier: Apache-2.0

/// Selected input of a device.
package struct InputStatus: Hashable, Codable, WireObject {
    package var index: Int
    package var name: String
    package var standard: String?
    package var timings: String?

    /// True if an external signal determines the frame size.
    package var hasSignal: Bool { standard != nil || timings != nil }

    package static let summary = "The input that a device receives from."
    package static let fields: [Field] = [
        Field("index", \.index, "Its number.", .notNegative),
        Field("name", \.name, "Its name, as in HDMI 0."),
        Field("standard", \.standard, "The analogue standard that is set; missing elsewhere."),
        Field("timings", \.timings, "The timings that are received, as in 1920x1080p60; missing elsewhere."),
    ]
}

extension InputStatus {
    /// Input without a standard or timings.
    package init(index: Int, name: String) {
        self.index = index
        self.name = name
    }
}
