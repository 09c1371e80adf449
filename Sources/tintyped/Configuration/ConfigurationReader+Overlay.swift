// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import Yams

extension ConfigurationReader {
    /// The texts in the pictures of a camera, from its `overlay`.
    static func overlay(_ camera: MappingReader<ConfigurationKey.Camera>) -> OverlaySettings {
        var settings = OverlaySettings()
        guard let keys = camera.mapping(.overlay, ConfigurationKey.Overlay.self) else { return settings }
        let lengths = StillRendering.overlayRange
        settings.text = keys.text(
            .text,
            "a text of \(lengths.lowerBound) to \(lengths.upperBound) characters in one line",
            remedy: "Give one such as \"%Y-%m-%d %H:%M:%S\".",
            where: StillRendering.isValid(overlay:)
        )
        settings.style.font =
            keys.text(
                .font,
                "an absolute path",
                remedy: "Give a path such as \(OverlayStyle.defaultFont).",
                where: isPath
            ) ?? settings.style.font
        let sizes = OverlayStyle.percentRange
        settings.style.percent =
            keys.scalar(
                .size,
                "a size from \(Int(sizes.lowerBound))% to \(Int(sizes.upperBound))%",
                remedy: "Give hundredths of the picture's height, such as 4%."
            ) { percent($0.string) } ?? settings.style.percent
        settings.style.corner =
            keys.scalar(
                .position,
                "a corner of the picture",
                remedy: "Give one of \(OverlayStyle.Corner.allCases.map(\.rawValue).joined(separator: ", "))."
            ) { OverlayStyle.Corner(rawValue: $0.string) } ?? settings.style.corner
        return settings
    }

    private static func percent(_ text: String) -> Double? {
        guard let match = text.wholeMatch(of: /([0-9]{1,2}(?:\.[0-9]{1,3})?)%/), let number = Double(match.1),
            OverlayStyle.percentRange.contains(number)
        else { return nil }
        return number
    }
}
