// SPDX-License-Identifier: Apache-2.0

package struct CameraList: Equatable, Codable, WireObject {
    package var cameras: [CameraStatus]
    package var unconfigured: [UnconfiguredCamera]?

    package init(cameras: [CameraStatus], unconfigured: [UnconfiguredCamera]? = nil) {
        (self.cameras, self.unconfigured) = (cameras, unconfigured)
    }

    package static let summary = "Every configured or discovered camera, by name."
    package static let fields: [Field] = [
        Field("cameras", \.cameras, "The cameras."),
        Field("unconfigured", \.unconfigured, "Devices that no camera matches alone; missing without a role for all."),
    ]
}

package struct UnconfiguredCamera: Equatable, Codable, WireObject {
    package var identity: CameraIdentity
    package var authorization: CameraAuthorization
    package var match: CameraMatch?

    /// `match` matches none of the other present devices.
    package init(identity: CameraIdentity, authorization: CameraAuthorization, match: CameraMatch?) {
        (self.identity, self.authorization, self.match) = (identity, authorization, match)
    }

    package static let summary = "A capture device that no camera of the configuration matches."
    package static let fields: [Field] = [
        Field("identity", \.identity), Field("authorization", \.authorization), Field("match", \.match),
    ]
}
