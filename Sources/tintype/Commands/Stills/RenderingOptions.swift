// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

struct RenderingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("No wider than this; never made larger, proportions kept.", valueName: "pixels"),
        transform: { try OptionText.integer($0, in: ImageOptions.sideRange) }
    )
    var width: Int?

    @Option(
        help: ArgumentHelp("No higher than this.", valueName: "pixels"),
        transform: { try OptionText.integer($0, in: ImageOptions.sideRange) }
    )
    var height: Int?

    @Option(
        help: ArgumentHelp("The part of the camera's picture, as in 640x480+100+50.", valueName: "rectangle"),
        transform: { try OptionText.value($0, SettingText.crop) { CropRectangle($0) } }
    )
    var crop: CropRectangle?

    @Option(
        help: ArgumentHelp("Turn it clockwise: 0, 90, 180 or 270.", valueName: "degrees"),
        completion: .list(Turn.allCases.map { "\($0.rawValue)" }),
        transform: {
            try OptionText.value($0, "Use one of 0, 90, 180 and 270.") { Int($0).flatMap(Turn.init(rawValue:)) }
        }
    )
    var rotate: Turn?

    @Option(help: "Mirror it, before it is turned.")
    var flip: Flip?

    @Flag(
        inversion: .prefixedNo,
        help: """
            Keep a JPEG picture's compressed data through crop, flip and turn, or fail; or compress it again. Without \
            either the data is kept where the result is exact.
            """
    )
    var lossless: Bool?

    @Option(
        help: ArgumentHelp(
            "JPEG quality; a camera's JPEG picture is compressed again for it (default: as configured, or as it came).",
            valueName: "1-100"
        ),
        transform: { try OptionText.integer($0, in: ImageOptions.qualityRange) }
    )
    var quality: Int?

    @Option(
        help: ArgumentHelp("Write this into the picture, as in “%Y-%m-%d %H:%M:%S” (strftime).", valueName: "text"),
        transform: {
            try OptionText.value($0, "Give one line of 1 to \(ImageOptions.overlayRange.upperBound) characters.") {
                ImageOptions.isValid(overlay: $0) ? $0 : nil
            }
        }
    )
    var overlay: String?

    var rendering: ImageOptions {
        ImageOptions(
            quality: quality,
            width: width,
            height: height,
            crop: crop,
            turn: rotate ?? .none,
            flip: flip,
            isLossless: lossless,
            overlay: overlay
        )
    }
}

extension Flip: ExpressibleByArgument {}
