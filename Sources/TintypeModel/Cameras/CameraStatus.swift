// SPDX-License-Identifier: Apache-2.0

package struct CameraStatus: Equatable, Codable, WireObject {
    package var name: String
    package var identity: CameraIdentity?
    package var authorization: CameraAuthorization
    package var state: SessionState
    package var format: CaptureFormat?
    package var framesPerSecond: Double?
    package var quality = StillRequest.defaultQuality
    package var asked: CaptureFormat?
    package var unmet: [String]?
    package var input: InputStatus?
    package var crop: CropRectangle?
    package var look: LookStatus?
    package var counters = CameraCounters()
    package var lastFrameAgeMs: Milliseconds?
    package var leadMs: Milliseconds?
    package var leadOrigin: LeadOrigin?
    package var stuckCall: StuckCall?
    package var warmth = Warmth.standard
    package var isStarted = false
    package var holds: [CameraHold] = []
    package var waiting = 0
    package var latency = CameraLatency()
    package var match: CameraMatch?
    package var controls: ControlStatus?
    package var tolerance: [PictureTolerance]?
    package var ring: RingStatus?
    package var motion: MotionStatus?
    package var alarms: [AlarmStatus]?
    package var publishing: [PublishingStatus]?
    package var streams: [StreamStatus]?
    package var failing: FailingStills?
    package var failure: Problem?

    package struct StuckCall: Equatable, Codable, WireObject {
        package var name: String
        package var runningMs: Milliseconds
        package init(name: String, runningMs: Milliseconds) { (self.name, self.runningMs) = (name, runningMs) }
        package static var schemaName: String? { nil }
        package static let summary = "The driver call that has been running for longer than a second, if one has."
        package static let fields: [Field] = [
            Field("name", \.name, "The name of the call, as in VIDIOC_DQBUF."),
            Field("runningMs", \.runningMs, "The time since the call began."),
        ]
    }

    private static let waitingRules: OrderedJSON = ["minimum": 0, "maximum": 1024]
    package static let summary = "The status of one camera, known without asking the device."
    package static let fields: [Field] = [
        Field("name", \.name, "Its name, as it is used in paths.", ["pattern": "^[a-z0-9][a-z0-9._-]{0,63}$"]),
        Field("identity", \.identity, "The device behind it; missing while none is found."),
        Field("authorization", \.authorization),
        Field("state", \.state),
        Field("format", \.format, "The format that the driver granted at the last opening; missing before."),
        Field("framesPerSecond", \.framesPerSecond, "The present frame rate; missing if the camera does not stream."),
        Field("quality", \.quality, "The JPEG quality of pictures that the daemon compresses."),
        Field("asked", \.asked, "The format that was requested then; missing before."),
        Field("unmet", \.unmet, "The parts of the configuration that were not granted, as phrases; missing if none."),
        Field("input", \.input, "The input that the device was set to; missing before, and where it has none."),
        Field("crop", \.crop, "The delivered part of the picture, as in 640x480+100+50; missing for all of it."),
        Field("look", \.look),
        Field("counters", \.counters),
        Field("lastFrameAgeMs", \.lastFrameAgeMs, "Time since exposure of the newest good frame; missing if none."),
        Field("leadMs", \.leadMs, "From the exposure's begin to the driver's stamp; missing if none, or not believed."),
        Field("leadOrigin", \.leadOrigin, "Assumed from driver, exposure and interval, or configured."),
        Field("stuckCall", \.stuckCall, "The driver call that has been running for longer than a second, if one has."),
        Field("warmth", \.warmth, "How long it stays open without use: hot, cold, or linger with a duration."),
        Field("isStarted", \.isStarted, "Whether it was started by command and not stopped since."),
        Field("holds", \.holds, "The leases on it, by owner."),
        Field("waiting", \.waiting, "Requests that wait for a frame: at most 256 of a peer.", waitingRules),
        Field("latency", \.latency),
        Field("match", \.match),
        Field("controls", \.controls, "The status of its controls; missing before it was first opened."),
        Field("tolerance", \.tolerance, "Faults of all its pictures: tolerant accepts all, strict repairable ones."),
        Field("ring", \.ring),
        Field("motion", \.motion),
        Field("alarms", \.alarms, "Its configured alarms; missing if there are none."),
        Field("publishing", \.publishing, "The results of each schedule, and of triggers after one; missing if none."),
        Field("streams", \.streams, "The clients that watch it live; missing if there are none."),
        Field("failing", \.failing),
        Field("failure", \.failure, "Why the camera is being opened again, until its next good frame."),
    ]
}

extension CameraStatus {
    package init(name: String, identity: CameraIdentity?, authorization: CameraAuthorization, state: SessionState) {
        (self.name, self.identity, self.authorization, self.state) = (name, identity, authorization, state)
    }
}

package struct LookStatus: Equatable, Codable, WireObject {
    package var rotate = 0
    package var flip: Flip?
    package var crop: CropRectangle?
    package var maskedAreas = 0

    package init(rotate: Int, flip: Flip?, crop: CropRectangle?, maskedAreas: Int) {
        (self.rotate, self.flip, self.crop, self.maskedAreas) = (rotate, flip, crop, maskedAreas)
    }

    package static let summary = "The look of every picture of a camera; missing if none is configured."
    package static let fields: [Field] = [
        Field("rotate", \.rotate, "The clockwise rotation in degrees, after the flip.", ["enum": [0, 90, 180, 270]]),
        Field("flip", \.flip, "The direction in which the picture is mirrored; missing if it is not."),
        Field("crop", \.crop, "The visible part of the upright picture, as in 640x480+100+50; missing for all of it."),
        Field("maskedAreas", \.maskedAreas, "The number of areas that are black in every picture.", .notNegative),
    ]
}

package struct MotionStatus: Equatable, Codable, WireObject {
    package var isMoving: Bool
    package var since: Timestamp?
    package var share: Double

    package init(isMoving: Bool, since: Timestamp? = nil, share: Double) {
        (self.isMoving, self.since, self.share) = (isMoving, since, share)
    }

    package static let summary = "Motion before a camera; missing if motion detection is off."
    package static let fields: [Field] = [
        Field("isMoving", \.isMoving, "Whether there is motion."),
        Field("since", \.since, "The time at which it began; missing while there is none."),
        Field("share", \.share, "Percentage of the cells that differ now.", ["minimum": 0, "maximum": 100]),
    ]
}

package struct RingStatus: Equatable, Codable, WireObject {
    package var seconds: Int
    package var megabytes: Int
    package var frames = 0
    package var bytes = 0
    package var spanMs = Milliseconds(.zero)
    package var dropped: UInt64 = 0
    package var encoded: UInt64 = 0
    package var encodingMs = Milliseconds(.zero)
    package static let summary = "The ring of a camera and its costs; missing if it has none."
    package static let fields: [Field] = [
        Field("seconds", \.seconds, "The configured length of the ring, in seconds.", .positive),
        Field("megabytes", \.megabytes, "The largest amount of memory that it may take, in MiB.", .positive),
        Field("frames", \.frames, "The frames in it.", .notNegative),
        Field("bytes", \.bytes, "The memory that they take.", .notNegative),
        Field("spanMs", \.spanMs, "From the exposure of its oldest frame to that of its newest."),
        Field("dropped", \.dropped, "Frames missing in it since the daemon started: encoder too slow, or damaged."),
        Field("encoded", \.encoded, "Frames encoded for it since the daemon started; 0 if the camera delivers JPEG."),
        Field("encodingMs", \.encodingMs, "The total time of the encoding threads for these frames."),
    ]
}

extension RingStatus {
    package init(seconds: Int, megabytes: Int) { (self.seconds, self.megabytes) = (seconds, megabytes) }
}

package struct CameraCounters: Equatable, Codable, WireObject {
    package var captured: UInt64 = 0
    package var sequenceGaps: UInt64 = 0
    /// Buffers with `V4L2_BUF_FLAG_ERROR`.
    package var flagged: UInt64 = 0
    package var short: UInt64 = 0
    package var superseded: UInt64 = 0
    package var encoded: UInt64 = 0
    package var corrupt: UInt64 = 0
    package var stills: UInt64 = 0
    package var streamed: UInt64 = 0
    package var published: UInt64 = 0
    package var missedSlots: UInt64 = 0
    package var opened: UInt64 = 0
    package var interrupted: UInt64 = 0
    package var gaps: UInt64 = 0
    package init() {}
    package static let summary = "The counters of a session since the daemon started; they never decrease."
    package static let fields: [Field] = [
        Field("captured", \.captured, "Buffers taken from the driver."),
        Field("sequenceGaps", \.sequenceGaps, "Frames that the driver skipped, by its frame numbers."),
        Field("flagged", \.flagged, "Buffers that the driver flagged as damaged."),
        Field("short", \.short, "Buffers with fewer bytes than the format needs."),
        Field("superseded", \.superseded, "Good buffers that went back unread because a newer one waited behind them."),
        Field("encoded", \.encoded, "Pictures encoded, or copied where the camera delivers JPEG."),
        Field("corrupt", \.corrupt, "Frames whose bytes turned out not to be a picture."),
        Field("stills", \.stills, "Stills delivered."),
        Field("streamed", \.streamed, "Pictures sent to clients that watch live."),
        Field("published", \.published, "Frames published into the spool by schedule."),
        Field("missedSlots", \.missedSlots, "Schedule slots without a published frame, and unpublished stream frames."),
        Field("opened", \.opened, "Times the device was opened."),
        Field("interrupted", \.interrupted, "Times the session was interrupted."),
        Field("gaps", \.gaps, "Times the stream was interrupted for a still of the largest size."),
    ]
}
