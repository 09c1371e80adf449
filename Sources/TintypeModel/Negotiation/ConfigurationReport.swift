// SPDX-License-Identifier: Apache-2.0

/// The reply to `GET` and `PUT /v1/cameras/{camera}/configuration`.
package struct ConfigurationReport: Hashable, Sendable, Codable {
    /// The camera.
    package var camera: String
    /// Counts the changes: 1 as the daemon started; also the reply's `ETag`, for `If-Match`.
    package var revision: Int
    /// What is wanted.
    package var configuration: CameraSettings
    /// What was asked of the driver the last time; nil before.
    package var asked: CaptureFormat?
    /// What the driver granted the last time; nil before.
    package var granted: CaptureFormat?
    /// The input that was set the last time; nil before, and where the device has none.
    package var input: InputStatus?
    /// The part of the picture that was granted the last time; nil for all of it.
    package var crop: CropRectangle?
    /// What of the configuration was not granted, a phrase each.
    package var unmet: [String]

    /// A report of these parts.
    package init(
        camera: String,
        revision: Int,
        configuration: CameraSettings,
        asked: CaptureFormat? = nil,
        granted: CaptureFormat? = nil,
        input: InputStatus? = nil,
        crop: CropRectangle? = nil,
        unmet: [String] = []
    ) {
        self.camera = camera
        self.revision = revision
        self.configuration = configuration
        self.asked = asked
        self.granted = granted
        self.input = input
        self.crop = crop
        self.unmet = unmet
    }
}
