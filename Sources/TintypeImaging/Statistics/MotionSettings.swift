// SPDX-License-Identifier: Apache-2.0

/// Motion detection settings; see `motion` in tintyped.yaml(5).
package struct MotionSettings: Hashable, Sendable {
    /// Minimum luma difference of a cell from the background, of 255.
    package var threshold = 8
    /// Minimum percentage of watched cells that differ.
    package var area = 0.5
    /// Areas of the upright picture that are ignored.
    package var mask: [MaskShape] = []
    /// Look of the camera: what it hides is ignored, too.
    package var look: CameraLook?
    /// Time without motion after which motion has ended.
    package var hold = Duration.seconds(10)

    package init() {}

    var lookWithMask: CameraLook {
        var look = look ?? CameraLook()
        look.mask += mask
        return look
    }

    package static let thresholdRange = 1...255
    /// Range of ``area`` in percent.
    package static let areaRange = 0.1...100
    package static let holdRange = Duration.seconds(1)...Duration.seconds(3600)
    package static let tag = "motion"
}
