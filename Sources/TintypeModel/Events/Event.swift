// SPDX-License-Identifier: Apache-2.0

/// Receiver of events; callable from any thread, never blocks.
package typealias EventSink = @Sendable (Event) -> Void

package struct Event: Equatable, Codable, WireObject {
    /// The raw values are stable.
    package enum Kind: String, Hashable, Sendable, Codable, CaseIterable, WireType {
        case cameraState = "camera-state"
        case cameraLost = "camera-lost"
        case cameraBack = "camera-back"
        case controlsChanged = "controls-changed"
        case configurationChanged = "configuration-changed"
        case frameStored = "frame-stored"
        case framesRemoved = "frames-removed"
        case slotsMissed = "slots-missed"
        case motionBegan = "motion-began"
        /// No motion for the configured time.
        case motionEnded = "motion-ended"
        case alarmBegan = "alarm-began"
        case alarmEnded = "alarm-ended"
        case codeSeen = "code-seen"
        case spoolLow = "spool-low"
        /// The worker has begun a job that was asked for.
        case jobBegan = "job-began"
        case jobDone = "job-done"
        /// A job has failed, or a rule could not upload for the first time after a success.
        case jobFailed = "job-failed"
        /// The oldest picture that waits for a rule is older than `jobs.behind`.
        case jobBehind = "job-behind"
        case picturesLost = "pictures-lost"
        /// The daemon is degraded, or the reasons for it changed.
        case degraded
        case healthy
        case gap
    }

    /// Assigned by the journal.
    package var id = 0
    package var at: Timestamp
    package var kind: Kind
    package var detail: String
    package var camera: String?
    package var spool: String?
    package var job: String?
    package var state: SessionState?
    package var controls: [String: ControlValue]?
    package var frame: FrameID?
    package var path: String?
    package var frames: [FrameID]?
    package var schedule: String?
    package var missed: MissedSlots?
    package var share: Double?
    package var alarm: CameraAlarm?
    package var since: Timestamp?
    package var code: PictureCode?
    package var reasons: [HealthReason]?
    package var lost: Int?

    package init(_ kind: Kind, camera: String? = nil, spool: String? = nil, _ detail: String) {
        at = .now()
        (self.kind, self.camera, self.spool, self.detail) = (kind, camera, spool, detail)
    }

    package static let summary = "An event of a camera, a spool or the daemon."
    package static let fields: [Field] = [
        Field("id", \.id, "Its number, larger than all earlier ones, also across restarts; numbers may be missing."),
        Field("at", \.at, "The time at which it was noticed."),
        Field("kind", \.kind, "The kind of event."),
        Field("detail", \.detail, "The event, in a sentence."),
        Field("camera", \.camera, "The camera that it is about; missing if it is about none."),
        Field("spool", \.spool, "The spool that it is about; missing if it is about none."),
        Field("job", \.job, "The job that it is about; missing if it is about none."),
        Field("state", \.state, "The new state, with camera-state, camera-lost and camera-back."),
        Field("controls", \.controls, "The controls that have another value, with controls-changed."),
        Field("frame", \.frame, "The id of the frame, with frame-stored."),
        Field("path", \.path, "The file of the frame, with frame-stored."),
        Field("frames", \.frames, "The ids of the frames, with frames-removed: 100 at most."),
        Field("schedule", \.schedule, "The schedule, with slots-missed."),
        Field("missed", \.missed, "The slots, with slots-missed."),
        Field("share", \.share, "Moving percentage of the picture with motion-began, the largest with motion-ended."),
        Field("alarm", \.alarm, "The alarm, with alarm-began and alarm-ended."),
        Field("since", \.since, "The start of its condition, with alarm-began and alarm-ended."),
        Field("code", \.code, "The code, with code-seen."),
        Field("reasons", \.reasons, "The faults, with degraded."),
        Field("lost", \.lost, "The number of missing events with gap, if known; of the pictures with pictures-lost."),
    ]

    package static func state(_ state: SessionState, of camera: String) -> Event {
        let reason = state.reason.map { " \($0.detail)" } ?? ""
        return Event(.cameraState, camera: camera, "The camera \(camera) is \(state.name.rawValue).\(reason)")
            .with(\.state, state)
    }

    /// Control values of a camera changed; `who` completes “were changed …”.
    package static func controls(_ values: [String: ControlValue], of camera: String, by who: String) -> Event {
        let words = values.sorted { $0.key < $1.key }.map { "\($0.key) is \($0.value)" }.joined(separator: ", ")
        let detail = "Controls of the camera \(camera) were changed \(who): \(words)."
        return Event(.controlsChanged, camera: camera, detail).with(\.controls, values)
    }

    package static func stored(_ record: StillRecord, in spool: String) -> Event {
        let place = record.path.map { " as \($0)" } ?? ""
        let detail = "A \(record.kind?.rawValue ?? "picture") of \(record.camera) is stored\(place)."
        return Event(.frameStored, camera: record.camera, spool: spool, detail)
            .with(\.frame, record.id)
            .with(\.path, record.path)
    }

    package static func removed(_ frames: [FrameID], of camera: String, from spool: String) -> Event {
        let count = CountText.text(frames.count, "picture was", "pictures were")
        return Event(.framesRemoved, camera: camera, spool: spool, "\(count) removed from the spool.")
            .with(\.frames, frames)
    }

    package static func missed(_ slots: MissedSlots, of camera: String, by schedule: String) -> Event {
        let count = CountText.text(slots.count, "slot")
        let detail = "The schedule “\(schedule)” of the camera \(camera) has missed \(count). \(slots.detail)"
        return Event(.slotsMissed, camera: camera, detail).with(\.schedule, schedule).with(\.missed, slots)
    }

    /// Motion began in `share` percent of the picture.
    package static func motionBegan(share: Double, before camera: String) -> Event {
        Event(.motionBegan, camera: camera, "Something moves before the camera \(camera).").with(\.share, share)
    }

    /// Motion ended; `share` is the largest moving part of the picture in percent.
    package static func motionEnded(share: Double, before camera: String) -> Event {
        Event(.motionEnded, camera: camera, "Nothing moves any more before the camera \(camera).").with(\.share, share)
    }

    package static func began(_ alarm: CameraAlarm, of camera: String, since: Timestamp, for time: Duration) -> Event {
        Event(.alarmBegan, camera: camera, alarm.text(of: camera, "for \(SpokenDuration.text(time))"))
            .with(\.alarm, alarm)
            .with(\.since, since)
    }

    package static func ended(_ alarm: CameraAlarm, of camera: String, since: Timestamp) -> Event {
        Event(.alarmEnded, camera: camera, "The alarm \(alarm.rawValue) of the camera \(camera) has ended.")
            .with(\.alarm, alarm)
            .with(\.since, since)
    }

    /// Code that has come into the picture; `detail` has the first 80 characters of its text.
    package static func seen(_ code: PictureCode, by camera: String) -> Event {
        let text = code.text.count > 80 ? "\(code.text.prefix(80))…" : code.text
        return Event(.codeSeen, camera: camera, "A code is before the camera \(camera): \(code.kind) “\(text)”.")
            .with(\.code, code)
    }

    /// Gap after the event with the ID `last`; `lost` is nil if the number of missing events is unknown.
    package static func gap(_ lost: Int?, after last: Int) -> Event {
        let detail =
            lost.map { CountText.text($0, "event is", "events are") + " missing here: the daemon keeps no more." }
            ?? "Events may be missing here: the daemon was started again."
        return Event(.gap, detail).with(\.id, last).with(\.lost, lost)
    }

    func with<Value>(_ path: WritableKeyPath<Event, Value>, _ value: Value) -> Event {
        var event = self
        event[keyPath: path] = value
        return event
    }
}

extension Event.Kind {
    /// Kind of the event that ends what this one begins; nil for others.
    package var end: Self? {
        switch self {
        case .cameraLost: .cameraBack
        case .motionBegan: .motionEnded
        case .alarmBegan: .alarmEnded
        case .degraded: .healthy
        default: nil
        }
    }

    package var start: Self? { Self.allCases.first { $0.end == self } }
}

package struct EventRequest: Hashable, WireRequest {
    /// Nil for all events, including those without a camera.
    package var cameras: [String]?
    package var kinds: [Event.Kind]?
    /// ID of the last event that the client has, 0 for none; nil for new events only.
    package var after: Int?
    package init() {}
    package init(cameras: [String]?, kinds: [Event.Kind]? = nil) { (self.cameras, self.kinds) = (cameras, kinds) }

    package func selects(_ event: Event) -> Bool {
        guard event.kind != .gap else { return true }
        return cameras.map { names in event.camera.map(names.contains) ?? false } ?? true
            && kinds?.contains(event.kind) ?? true
    }

    /// Header field with the ID of the last event that the client received (HTML, 9.2.4).
    package static let lastIDField = "Last-Event-ID"
    /// Media type of a server-sent event stream (HTML, 9.2).
    package static let mediaType = "text/event-stream"
    package static let fields: [WireField<EventRequest>] = [
        WireField("camera", \.cameras, "Names, comma-separated; missing for all events, also of no camera."),
        WireField("kind", \.kinds, "The kinds, with a comma between two; missing for all."),
        WireField("after", \.after, "As Last-Event-ID, which is used if both are given; 0 for all.", .notNegative),
    ]

    package mutating func check(_ given: [String: FieldValue]) throws(Problem) {
        try given.refuseEmptyNames("camera")
    }

    package var query: [(name: String, value: String)] {
        [("camera", cameras), ("kind", kinds?.map(\.rawValue)), ("after", after.map { ["\($0)"] })]
            .compactMap { name, values in values.map { (name, $0.joined(separator: ",")) } }
    }
}
