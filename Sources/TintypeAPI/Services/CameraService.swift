// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// Newest picture of a stream once it is due; called from one task at a time, and a thrown problem ends the stream.
package typealias PictureSource = @Sendable () async throws(Problem) -> StreamedPicture

/// Camera operations of the HTTP API.
///
/// No call may wait for a device beyond its own deadline; the API adds no timeout. The task of a call is cancelled when
/// the client disconnects. Calls throw `camera-not-found`, and the problem of a device that cannot be opened.
package protocol CameraService: Sendable {
    // These open no device and never wait for one.

    /// All configured or discovered cameras, sorted by name.
    func cameras() async -> [CameraStatus]
    /// All cameras, and the devices that belong to none.
    func list() async -> CameraList
    /// If several devices match, the state is `failed` with `camera-ambiguous`.
    func camera(_ name: String) async throws(Problem) -> CameraStatus
    func configuration(of camera: String) async throws(Problem) -> ConfigurationReport
    /// Number of times that a camera was stopped by command; 0 for an unknown one.
    func stopCount(of camera: String) async -> Int

    /// Formats of a camera, in the driver's order.
    func formats(of camera: String) async throws(Problem) -> [FormatDescription]
    /// Changes the configuration of a camera, completely or not at all, until the daemon exits.
    ///
    /// Throws `configuration-unsupported` if the device cannot do it, and `configuration-conflict` if `revision` is not
    /// the current one.
    func configure(_ settings: CameraSettings, ifRevision revision: Int?, of camera: String) async throws(Problem)
        -> ConfigurationReport

    /// Controls with their values, in the driver's order.
    func controls(of camera: String) async throws(Problem) -> [ControlDescription]
    /// Returns outcomes by name; the values stay in force until a reset or until a profile is applied.
    func setControls(_ settings: ControlSettings, of camera: String) async throws(Problem) -> [ControlOutcome]
    /// Sets controls to their defaults, then to the configured values; returns outcomes of the changed ones, by name.
    func resetControls(of camera: String) async throws(Problem) -> [ControlOutcome]

    // Profiles are sorted by name. Calls for an unknown one throw `not-found`.

    func profiles(of camera: String) async throws(Problem) -> [ControlProfile]
    func profile(_ profile: String, of camera: String) async throws(Problem) -> ControlProfile
    /// Replaces a saved profile of this name, with the device's current values if `settings` is nil; throws
    /// `configuration-conflict` if the configuration file has a profile of this name.
    func saveProfile(_ profile: String, _ settings: ControlSettings?, of camera: String) async throws(Problem)
        -> ControlProfile
    /// Removes a saved profile; throws `configuration-conflict` as ``saveProfile(_:_:of:)``.
    func removeProfile(_ profile: String, of camera: String) async throws(Problem)
    /// Replaces the configured values and values set before; returns outcomes by name.
    func applyProfile(_ profile: String, of camera: String) async throws(Problem) -> [ControlOutcome]
    /// Controls that differ from a profile, sorted by name.
    func differences(from profile: String, of camera: String) async throws(Problem) -> [ControlDifference]

    /// Takes one still, stored if `request.keep`.
    ///
    /// Calls `admit` with the size of the picture before it is stored; if that throws, nothing is stored.
    func still(
        _ request: StillRequest,
        of camera: String,
        beforeStoring admit: (_ bytes: Int) throws(Problem) -> Void
    ) async throws(Problem) -> Still
    /// Takes one still or a burst; stores the stills if `request.keep`.
    ///
    /// Returns the records in capture order, and the missed stills of a burst. `onStill` is called for each still of a
    /// burst once it and all earlier ones are complete; it must not block. Stills stored by a cancellation stay.
    func stills(
        _ request: StillRequest,
        of camera: String,
        onStill: @escaping @Sendable (StillRecord) -> Void
    ) async throws(Problem) -> StillList
    /// Begins to store the frames of a camera before and after this moment, or extends a trigger that has not ended.
    ///
    /// Opens the camera, and returns once it gives frames, which are then stored without the client. Throws
    /// `configuration-unsupported` without the ring that `beforeMs` needs, and `spool-unavailable`.
    func trigger(_ request: TriggerRequest, of camera: String) async throws(Problem) -> TriggerReport
    /// Begins to record a clip, and returns its job once the first frame is in the file; otherwise as a trigger.
    func record(_ request: ClipRequest, of camera: String) async throws(Problem) -> Job
    /// Takes a still, which is not stored, and reads its codes.
    ///
    /// Throws `configuration-unsupported` if the daemon has no reader of codes, `deadline-exceeded` if it is too slow,
    /// and `internal` if it fails.
    func scan(_ request: ScanRequest, of camera: String) async throws(Problem) -> ScanReport
    /// Live pictures of a camera, which is opened for the first one and stays open until the source is released.
    func stream(_ request: StreamRequest, of camera: String) async throws(Problem) -> PictureSource
    /// Watches a camera for a few frames and reports what it delivered, with its faults; opens it like a still.
    func examine(_ request: ExaminationRequest, of camera: String) async throws(Problem) -> Examination
    /// Forgets the learned faults that all pictures of a camera have.
    func resetTolerance(of camera: String) async throws(Problem) -> CameraStatus

    /// Opens a camera and keeps it open until it is stopped; returns its status once it streams.
    func start(_ camera: String) async throws(Problem) -> CameraStatus
    /// Closes a camera, even a hot or held one, within one second.
    func stop(_ camera: String) async throws(Problem) -> CameraStatus
    /// Takes or extends a lease that keeps a camera streaming until it expires; throws `too-many-requests`.
    ///
    /// Returns once the camera streams; a lease extended during an interruption returns before that.
    func hold(_ request: HoldRequest, of camera: String) async throws(Problem) -> CameraHold
    /// Ends one lease or all, and returns the remaining ones; throws `not-found` if the owner has no lease.
    func release(_ request: ReleaseRequest, of camera: String) async throws(Problem) -> [CameraHold]
}
