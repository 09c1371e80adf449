// SPDX-License-Identifier: Apache-2.0

/// One thing that is wrong, what it is concluded from, and what can be done about it.
struct Finding: Hashable, Encodable {
    /// The kind of finding; stable, for scripts.
    enum Code: String, Hashable, Encodable, CaseIterable {
        /// The daemon does not answer.
        case daemonUnreachable = "daemon-unreachable"
        /// The file system of a spool is nearly full.
        case spoolLow = "spool-low"
        /// A spool has no room for pictures.
        case spoolFull = "spool-full"
        /// A spool cannot be used.
        case spoolUnavailable = "spool-unavailable"
        /// The last stills of a camera failed.
        case stillsFail = "stills-fail"
        /// A schedule could not publish its last picture.
        case notPublished = "not-published"
        /// There is no camera to look at.
        case noCamera = "no-camera"
        /// The camera's node is not there.
        case nodeMissing = "node-missing"
        /// The file is no device node.
        case noDevice = "no-device"
        /// The node's owner, group or mode keep the daemon away.
        case denied
        /// Something other than the node's mode keeps the daemon away.
        case restricted
        /// Another program uses the camera.
        case busy
        /// The camera went away, or its driver refuses.
        case deviceLost = "device-lost"
        /// A driver call does not return.
        case driverStuck = "driver-stuck"
        /// The camera offers no format that can be used, or not the one that is configured.
        case formatUnsupported = "format-unsupported"
        /// The stream cannot be started for lack of USB bandwidth.
        case usbBandwidth = "usb-bandwidth"
        /// The input has no signal.
        case noSignal = "no-signal"
        /// The stream runs and no frame comes, or none any more.
        case noFrames = "no-frames"
        /// The stream broke off and came back.
        case interrupted
        /// Frames come with the driver's error flag, cut short or as no picture.
        case damagedFrames = "damaged-frames"
        /// The privacy shutter is closed.
        case shutterClosed = "shutter-closed"
        /// The picture is dark all over.
        case dark
        /// The picture shows one uniform tone.
        case uniform
        /// The picture does not change at all.
        case frozen
        /// Frames are lost between the sensor and the daemon.
        case droppedFrames = "dropped-frames"
        /// Frames come at a lower rate than the driver granted.
        case slow
        /// The daemon would not or could not examine the camera.
        case notExamined = "not-examined"
    }

    /// The kind of finding.
    var code: Code
    /// The fault, in a sentence.
    var detail: String
    /// The evidence, in a sentence.
    var evidence: String
    /// The remedy, in a sentence.
    var remedy: String

    init(_ code: Code, _ detail: String, evidence: String, remedy: String) {
        self.code = code
        self.detail = detail
        self.evidence = evidence
        self.remedy = remedy
    }
}
