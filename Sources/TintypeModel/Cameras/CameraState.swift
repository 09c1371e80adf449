// SPDX-License-Identifier: Apache-2.0

package struct SessionState: Hashable, Codable, WireObject {
    package enum Name: String, Hashable, Sendable, Codable, CaseIterable, WireType {
        case off, opening, settling, running, interrupted, failed, degraded
    }

    package private(set) var name: Name
    package private(set) var reason: Problem?
    package private(set) var since: Timestamp?
    package private(set) var nextAttempt: Timestamp?
    /// Closed; no client needs the device.
    package static let off = Self(name: .off)
    package static let opening = Self(name: .opening)
    /// Waiting for the first good frame, or a client waits for exposure and white balance to settle.
    package static let settling = Self(name: .settling)
    /// Streaming, and no client waits for settling: it has settled or timed out, or none asked for it.
    package static let running = Self(name: .running)
    /// The stream keeps failing and recovering; frames arrive in between.
    package static func degraded(reason: Problem) -> Self { Self(name: .degraded, reason: reason) }

    /// Closed after a failure; reopened at `nextAttempt`.
    package static func interrupted(reason: Problem, since: Timestamp, nextAttempt: Timestamp) -> Self {
        Self(name: .interrupted, reason: reason, since: since, nextAttempt: nextAttempt)
    }

    /// Failed, or a driver call hangs; not retried until a client asks for the camera.
    package static func failed(reason: Problem) -> Self { Self(name: .failed, reason: reason) }
    /// True if the device is open and streaming; a degraded stream counts even while it recovers.
    package var isStreaming: Bool { [.settling, .running, .degraded].contains(name) }
    package static let summary = "The state of a capture session."
    package static let fields: [Field] = [
        Field("name", \.name, "The state."),
        Field("reason", \.reason, "The reason; with degraded, interrupted and failed."),
        Field("since", \.since, "The start of the interruption; with interrupted."),
        Field("nextAttempt", \.nextAttempt, "The time of the next attempt; with interrupted."),
    ]
}

/// Permission of the daemon to open a camera's device node.
package struct CameraAuthorization: Hashable, Codable, WireObject {
    package enum Status: String, Hashable, Sendable, Codable, CaseIterable, WireType {
        case absent, authorized, denied, restricted
    }

    package private(set) var status: Status
    package private(set) var remedy: String?
    package private(set) var by: String?
    package static let absent = Self(status: .absent)
    package static let authorized = Self(status: .authorized)
    /// Owner, group or mode of the node deny access.
    package static func denied(remedy: String) -> Self { Self(status: .denied, remedy: remedy) }
    /// Something other than the node's mode denies access, such as the unit's device policy; named by `by`.
    package static func restricted(by: String) -> Self { Self(status: .restricted, by: by) }
    package static let summary = "Whether the daemon may use a camera."
    package static let fields: [Field] = [
        Field("status", \.status, "Whether access is authorized."),
        Field("remedy", \.remedy, "With denied: the remedy."),
        Field("by", \.by, "With restricted: the policy that refuses."),
    ]
}

/// Condition of a camera for which an alarm begins once it has lasted; the raw value is also its key in the
/// configuration.
package enum CameraAlarm: String, Hashable, Sendable, Codable, CaseIterable, CodingKey, WireType {
    /// The camera is in use and gives no good frame.
    case noPicture
    /// Judged frames are equal; a live sensor never delivers this.
    case frozen
    case black
    case uniform
    package static let usualTime = Duration.seconds(60)

    /// `time` is as in “for 1 min” or “since 14:30”.
    package func text(of camera: String, _ time: String) -> String {
        switch self {
        case .noPicture: "The camera \(camera) has given no picture \(time)."
        case .frozen: "The picture of the camera \(camera) has not changed \(time)."
        case .black: "The picture of the camera \(camera) has been black \(time)."
        case .uniform: "The picture of the camera \(camera) has been of one tone \(time)."
        }
    }

    package func remedy(for camera: String) -> String {
        switch self {
        case .noPicture: "See “tintype status \(camera)” for the reason; “tintype doctor \(camera)” finds the cause."
        case .frozen: "Unplug the camera and plug it in again; a virtual camera is fed a still picture."
        case .black: "Remove the lens cap or open the shutter, add light, and check exposure and gain."
        case .uniform: "Check the lens, the light, and the source of a grabber."
        }
    }
}

package struct AlarmStatus: Equatable, Codable, WireObject {
    package var alarm: CameraAlarm
    package var since: Timestamp?
    package init(_ alarm: CameraAlarm, since: Timestamp? = nil) { (self.alarm, self.since) = (alarm, since) }
    package static let summary = "A configured alarm of a camera."
    package static let fields: [Field] = [
        Field("alarm", \.alarm, "Its condition: no picture, or a picture that is frozen, black or of one tone."),
        Field("since", \.since, "The time at which the condition began; missing while there is no alarm."),
    ]
}

package struct FailingStills: Equatable, Codable, WireObject {
    package var count = 1
    package var since: Timestamp
    package var problem: Problem
    /// True after three failures, which is no accident.
    package var isLasting: Bool { count >= 3 }

    /// State after a still failed with `problem`; unchanged by failures that say nothing about the camera: invalid or
    /// cancelled requests, deadlines shorter than the default, pictures refused by `reject`, and spool errors.
    package static func adding(
        _ problem: Problem,
        deadline: Duration,
        to failing: FailingStills?,
        at now: Timestamp
    ) -> FailingStills? {
        switch problem.code {
        case .noSignal where problem.isRejection: return failing
        case .cameraBusy, .cameraDenied, .cameraRestricted, .deviceLost, .driverStuck, .noSignal, .usbBandwidth,
            .corruptOnly, .cameraFault, .internalError:
            break
        case .deadlineExceeded where deadline >= StillRequest.defaultDeadline: break
        default: return failing
        }
        return FailingStills(count: (failing?.count ?? 0) + 1, since: failing?.since ?? now, problem: problem)
    }

    package static let summary = "The stills of a camera that failed since the last successful one; missing for none."
    package static let fields: [Field] = [
        Field("count", \.count, "How many.", .positive),
        Field("since", \.since, "When the first of them failed."),
        Field("problem", \.problem),
    ]
}

package struct PublishingStatus: Equatable, Codable, WireObject {
    package var schedule: String
    package var published: UInt64 = 0
    package var lastPublishedAt: Timestamp?
    package var missed: [String: UInt64]?
    package var lastMissed: [MissedSlots]?
    package var problem: Problem?
    package var next: Timestamp?
    package static let mostRuns = 16
    /// Reason of slots that passed while an earlier frame was still being taken or stored.
    package static let busy = "busy"
    /// Reason of slots during a system suspend.
    package static let asleep = "asleep"
    package init(schedule: String) { self.schedule = schedule }

    /// Extends the last run if the reason is the same and `isNewRun` is false.
    package mutating func addMissed(_ slots: MissedSlots, asNewRun isNewRun: Bool) {
        missed = (missed ?? [:]).merging([slots.reason: slots.count], uniquingKeysWith: +)
        var (runs, run) = (lastMissed ?? [], slots)
        if !isNewRun, let last = runs.last, last.reason == slots.reason {
            runs.removeLast()
            (run.first, run.count) = (last.first, last.count + slots.count)
        }
        lastMissed = (runs + [run]).suffix(Self.mostRuns)
    }

    package static let summary = "The results of one schedule by which a camera's frames are published."
    package static let fields: [Field] = [
        Field("schedule", \.schedule, "The configured schedule, as in “every 1m, align clock”, or trigger."),
        Field("published", \.published, "Frames published since the daemon started."),
        Field("lastPublishedAt", \.lastPublishedAt, "Capture time of the last published frame; missing before."),
        Field("missed", \.missed, "Missed slots by reason: a problem's code, busy, asleep, or as in skipped.", .counts),
        Field("lastMissed", \.lastMissed, "The last series of missed slots, newest last, at most 16; missing if none."),
        Field("problem", \.problem, "The problem that kept the last frame from being published; missing for none."),
        Field("next", \.next, "The next slot; for nth and all, the next part of the day, and missing during one."),
    ]
}

package struct MissedSlots: Equatable, Codable, WireObject {
    package var first: Timestamp
    package var last: Timestamp
    package var count: UInt64
    package var reason: String
    package var detail: String

    package init(first: Timestamp, last: Timestamp, count: UInt64, reason: String, detail: String) {
        (self.first, self.last, self.count, self.reason, self.detail) = (first, last, count, reason, detail)
    }

    package static let summary = "Consecutive slots of a schedule in which no frame was published."
    package static let fields: [Field] = [
        Field("first", \.first, "The time at which the first of them was due."),
        Field("last", \.last, "The time at which the last of them was due."),
        Field("count", \.count, "The number of slots.", .positive),
        Field("reason", \.reason, "The reason, in a word: a key of missed."),
        Field("detail", \.detail, "The reason, in a sentence."),
    ]
}
