// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// The pictures of a stream, one after the other: waits until one is due and for the newest; for one task.
///
/// The stream ends with it, and with the problem that it throws.
package typealias PictureSource = @Sendable () async throws(Problem) -> StreamedPicture

/// The calls that the HTTP API makes on cameras.
///
/// No call may wait for a device longer than its own deadline; the API adds none.
package protocol CameraService: Sendable {
    /// Every configured or discovered camera, by name.
    ///
    /// Opens nothing and never waits for a device.
    func cameras() async -> [CameraStatus]

    /// The same, and the devices that are none of them.
    ///
    /// Opens nothing and never waits for a device.
    func list() async -> CameraList

    /// One camera.
    ///
    /// Opens nothing and never waits for a device. Throws `camera-not-found`; where several devices match, the state is
    /// `failed` with `camera-ambiguous`.
    func camera(_ name: String) async throws(Problem) -> CameraStatus

    /// The formats that a camera offers, in the driver's order.
    func formats(of camera: String) async throws(Problem) -> [FormatDescription]

    /// How a camera is configured, and what was granted of it.
    ///
    /// Opens nothing and never waits for a device.
    func configuration(of camera: String) async throws(Problem) -> ConfigurationReport

    /// Changes the configuration of a camera, whole or not at all, until the daemon ends.
    ///
    /// Throws `configuration-unsupported` for what the device cannot do, `configuration-conflict` where `revision` is
    /// given and is not that of the configuration, and the problem of a device that cannot be opened.
    func configure(_ settings: CameraSettings, ifRevision revision: Int?, of camera: String) async throws(Problem)
        -> ConfigurationReport

    /// The controls of a camera with their values, in the driver's order.
    func controls(of camera: String) async throws(Problem) -> [ControlDescription]

    /// Sets controls, and keeps them set until they are reset or a profile is applied.
    ///
    /// The outcome of each requested value, by name.
    func setControls(_ settings: ControlSettings, of camera: String) async throws(Problem) -> [ControlOutcome]

    /// Gives controls their defaults and what the configuration wishes.
    ///
    /// The outcome of each control that was changed, by name.
    func resetControls(of camera: String) async throws(Problem) -> [ControlOutcome]

    /// The profiles of a camera, by name.
    func profiles(of camera: String) async throws(Problem) -> [ControlProfile]

    /// One profile; throws `not-found`.
    func profile(_ profile: String, of camera: String) async throws(Problem) -> ControlProfile

    /// Saves a profile, of what the device has now where `settings` is nil; one of the same name is replaced.
    ///
    /// Throws `configuration-conflict` for the name of one that is in the configuration.
    func saveProfile(
        _ profile: String,
        _ settings: ControlSettings?,
        of camera: String
    ) async throws(Problem) -> ControlProfile

    /// Removes a saved profile; throws `not-found` or `configuration-conflict`.
    func removeProfile(_ profile: String, of camera: String) async throws(Problem)

    /// Applies a profile in place of what the configuration wishes and of what was set before.
    ///
    /// The outcome of each requested value, by name; throws `not-found`.
    func applyProfile(_ profile: String, of camera: String) async throws(Problem) -> [ControlOutcome]

    /// Where the device is not as a profile wishes, by name; throws `not-found`.
    func differences(from profile: String, of camera: String) async throws(Problem) -> [ControlDifference]

    /// One still with its picture; stored if `request.keep`.
    ///
    /// Its task is cancelled when the client that asked for it goes away.
    func still(_ request: StillRequest, of camera: String) async throws(Problem) -> Still

    /// The records of one still, or of as many as the request's burst has, in the order of their capture, and what of a
    /// burst is missing; stored if `request.keep`.
    ///
    /// `telling` gets each still of a burst as soon as it and all before it are there; it does not block. Its task is
    /// cancelled when the client that asked for it goes away; what was stored by then stays.
    func stills(
        _ request: StillRequest,
        of camera: String,
        telling: @escaping @Sendable (StillRecord) -> Void
    ) async throws(Problem) -> StillList

    /// Live pictures of a camera, which is opened for the first one and stays open until the source is given up.
    func stream(_ request: StreamRequest, of camera: String) async throws(Problem) -> PictureSource

    /// Opens a camera and keeps it open until it is stopped; its status once frames are on their way.
    func start(_ camera: String) async throws(Problem) -> CameraStatus

    /// Closes a camera, even a hot or held one, and returns its status.
    ///
    /// Answered within a second.
    func stop(_ camera: String) async throws(Problem) -> CameraStatus

    /// Takes or extends a lease on a camera, which streams until it ends; the lease once frames are on their way or,
    /// where it was extended during an interruption, will be once the camera is back.
    ///
    /// Throws `too-many-requests`, and what keeps the camera from being opened.
    func hold(_ request: HoldRequest, of camera: String) async throws(Problem) -> CameraHold

    /// Ends one lease on a camera or all, and returns those that are left.
    ///
    /// Throws `not-found` where the owner has none.
    func release(_ request: ReleaseRequest, of camera: String) async throws(Problem) -> [CameraHold]

    /// Forgets what the pictures of a camera always have wrong, and returns its status.
    func resetTolerance(of camera: String) async throws(Problem) -> CameraStatus

    /// Watches a camera for a few frames and tells what came; opens it as a still does.
    ///
    /// Faults of the camera are in the answer. Throws `camera-not-found` or `camera-ambiguous`. Its task is
    /// cancelled when the client that asked for it goes away.
    func examine(_ request: ExaminationRequest, of camera: String) async throws(Problem) -> Examination
}
