// SPDX-License-Identifier: Apache-2.0

package struct ConfigurationReport: Equatable, Codable, WireObject {
    package var camera: String
    package var revision: Int
    package var configuration: CameraSettings
    package var asked: CaptureFormat?
    package var granted: CaptureFormat?
    package var input: InputStatus?
    package var crop: CropRectangle?
    package var unmet: [String] = []

    package static let summary = "The configuration of a camera, and the part that was granted."
    package static let fields: [Field] = [
        Field("camera", \.camera, "The camera."),
        Field("revision", \.revision, "The number of changes; also the ETag, for If-Match.", .positive),
        Field("configuration", \.configuration),
        Field("asked", \.asked, "The format that was last requested from the driver; missing before."),
        Field("granted", \.granted, "The format that the driver last granted; missing before."),
        Field("input", \.input, "The input that was set; missing before, and where the device has none."),
        Field("crop", \.crop, "The delivered part of the picture, as in 640x480+100+50; missing for all of it."),
        Field("unmet", \.unmet, "The parts of the configuration that were not granted, a phrase each."),
    ]
}

extension ConfigurationReport {
    package init(camera: String, revision: Int, configuration: CameraSettings) {
        (self.camera, self.revision, self.configuration) = (camera, revision, configuration)
    }
}

/// Effect of a configuration reload on the cameras: reply to `POST /v1/reload`.
package struct ReloadReport: Equatable, Codable, WireObject {
    package var kept: [String] = []
    package var changed: [String] = []
    package var added: [String] = []
    package var removed: [String] = []

    package init() {}

    package static let summary = "The cameras after the configuration was read again."
    package static let fields: [Field] = [
        Field("kept", \.kept, "Cameras with an unchanged configuration; they keep streaming."),
        Field("changed", \.changed, "Cameras with a changed configuration; they were closed, and reopen with it."),
        Field("added", \.added, "Cameras that are new in the configuration."),
        Field("removed", \.removed, "Cameras removed from the configuration; they were closed."),
    ]
}
