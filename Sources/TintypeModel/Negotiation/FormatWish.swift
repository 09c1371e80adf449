// SPDX-License-Identifier: Apache-2.0

/// What a configuration says of the format; what it leaves out is chosen from what the device offers.
package struct FormatWish: Hashable, Sendable {
    /// What the format is for; nil to choose what suits stills: 1280x720 or near that, at any rate that the camera has
    /// there.
    package var preset: FormatPreset?
    /// Pixel formats in order of preference: one of them it has to be.
    ///
    /// Empty to choose: raw where the bus carries it, else MJPEG.
    package var pixelFormats: [FourCC]
    /// The size; nil leaves it to the preset.
    package var size: SizeWish?
    /// The rate; nil leaves it to the preset.
    package var rate: RateWish?

    /// A wish of these parts.
    package init(
        preset: FormatPreset? = nil,
        pixelFormats: [FourCC] = [],
        size: SizeWish? = nil,
        rate: RateWish? = nil
    ) {
        self.preset = preset
        self.pixelFormats = pixelFormats
        self.size = size
        self.rate = rate
    }

    /// The most pixel formats that can be listed.
    package static let mostPixelFormats = 16
}

extension FormatWish {
    /// What of this wish `granted` does not meet, a phrase each, such as `the size: exactly 1280x720 was asked for, and
    /// 640x480 granted`.
    package func unmet(by granted: CaptureFormat) -> [String] {
        var list: [String] = []
        if !pixelFormats.isEmpty, !pixelFormats.contains(granted.pixelFormat) {
            let names = pixelFormats.map(\.description).joined(separator: " or ")
            list.append("the format: \(names) was asked for, and \(granted.pixelFormat) granted")
        }
        if let size, !size.isMet(by: granted.size) || size == .near(size.size) && size.size != granted.size {
            list.append("the size: \(size) was asked for, and \(granted.size) granted")
        }
        if let rate, let phrase = unmet(rate, by: granted.interval) { list.append(phrase) }
        return list
    }

    /// What of this wish is said to hold exactly and does not; nil if all of it does.
    package func broken(by granted: CaptureFormat) -> String? {
        if case .exactly(let exact) = size, exact != granted.size {
            return "the size: exactly \(exact) was asked for, and \(granted.size) granted"
        }
        if case .exactly = rate, let rate { return unmet(rate, by: granted.interval) }
        return nil
    }

    private func unmet(_ rate: RateWish, by interval: FrameInterval?) -> String? {
        guard let interval else { return "the rate: \(rate) was asked for, and the driver has no notion of one" }
        let isMet = rate.isMet(by: interval) && RateWish.exactly(rate.interval).isMet(by: interval)
        if case .atLeast = rate, rate.isMet(by: interval) { return nil }
        return isMet ? nil : "the rate: \(rate) was asked for, and \(interval) granted"
    }
}
