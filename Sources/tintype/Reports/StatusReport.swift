// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

enum StatusReport {
    /// For example `tintyped 0.1.0 at /run/tintype/tintyped.sock: degraded`, then two lines per reason.
    static func text(_ health: Health, socket: String) -> PrintedText {
        var text: PrintedText = "tintyped \(health.version) at \(socket): \(health.status.rawValue)\n"
        for reason in health.reasons ?? [] {
            text += "  \(reason.code.rawValue): \(reason.detail)\n    remedy: \(reason.remedy)\n"
        }
        return text
    }

    static func text(_ camera: CameraStatus) -> PrintedText {
        var lines = LabelledLines()
        addDevice(of: camera, to: &lines)
        addWarmth(of: camera, to: &lines)
        lines.add("newest frame", camera.lastFrameAgeMs.map { "\($0.spoken) old" } ?? "none")
        let origin = camera.leadOrigin.map { ", \($0.rawValue)" } ?? ""
        lines.add("lead", camera.leadMs.map { "\($0.spoken) from exposure to the driver's stamp\(origin)" })
        lines.add(camera.state.reason)
        lines.add("since", camera.state.since)
        lines.add("next attempt", camera.state.nextAttempt)
        lines.add("stuck", camera.stuckCall.map { "\($0.name) has not returned for \($0.runningMs.spoken)" })
        lines.add("ring", camera.ring.map(text))
        lines.add("motion", camera.motion.map(text))
        for alarm in camera.alarms ?? [] {
            lines.add("alarm", alarm.since.map { "\(alarm.alarm.rawValue) since \($0)" })
        }
        lines.add("live", camera.streams.map(text))
        for schedule in camera.publishing ?? [] { add(schedule, to: &lines) }
        if let controls = camera.controls { add(controls, to: &lines) }
        for tolerance in camera.tolerance ?? [] { lines.add("tolerance", tolerance.text) }
        lines.add("counters", counters(camera.counters))
        return "\(camera.name): \(camera.state.name.rawValue)\n\(lines.text())"
    }

    private static func text(_ streams: [StreamStatus]) -> String {
        let (sent, dropped) = streams.reduce((0, 0)) { ($0.0 + $1.sent, $0.1 + $1.dropped) }
        let clients = CountText.text(streams.count, "client")
        return "\(clients), \(CountText.text(sent, "picture")) sent, \(dropped) dropped"
    }

    private static func addDevice(of camera: CameraStatus, to lines: inout LabelledLines) {
        if let identity = camera.identity {
            lines.add("device", "\(identity.path) (\(identity.card), \(identity.driver), \(identity.busInfo))")
            lines.add("usb", usb(identity))
            for link in identity.byID + identity.byPath { lines.add("link", link) }
        } else {
            lines.add("device", "none found")
        }
        lines.add("authorization", camera.authorization.status.rawValue)
        lines.add("remedy", camera.authorization.remedy)
        lines.add("restricted by", camera.authorization.by)
        lines.add("match", camera.match)
        let asked = camera.asked.flatMap { $0 == camera.format ? nil : " (asked: \($0))" } ?? ""
        lines.add("format", camera.format.map { "\($0)\(asked)" })
        lines.add("crop", camera.crop)
        lines.add("look", camera.look.map(text))
        lines.add("input", camera.input?.text)
        for wish in camera.unmet ?? [] { lines.add("not granted", wish) }
    }

    /// For example `rotate 180, flip horizontal, crop 1200x700+40+10, 2 masked areas`.
    private static func text(_ look: LookStatus) -> String {
        let parts = [
            look.rotate == 0 ? nil : "rotate \(look.rotate)", look.flip.map { "flip \($0.rawValue)" },
            look.crop.map { "crop \($0)" },
            look.maskedAreas == 0 ? nil : CountText.text(look.maskedAreas, "masked area"),
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    /// For example `046d:082d Logitech C920, port 1-2.3, serial number AB12`; nil if it is not a USB device.
    private static func usb(_ identity: CameraIdentity) -> String? {
        guard let usb = identity.usb else { return nil }
        let names = [usb, identity.manufacturer, identity.product].compactMap(\.self).joined(separator: " ")
        let port = identity.port.map { "port \($0)" }
        return [names, port, identity.serial.map { "serial number \($0)" }].compactMap(\.self).joined(separator: ", ")
    }

    private static func addWarmth(of camera: CameraStatus, to lines: inout LabelledLines) {
        lines.add("warmth", "\(camera.warmth)\(camera.isStarted ? ", started" : "")")
        for hold in camera.holds { lines.add("held", "by \(hold.owner) until \(hold.until)") }
        if camera.waiting > 0 { lines.add("waiting", CountText.text(camera.waiting, "request")) }
        let kinds = [
            ("when off", camera.latency.fromOff, "to the first frame"),
            ("when running", camera.latency.fromRunning, "to the next frame"),
        ]
        for case (let name, .some(let latency), let what) in kinds {
            let worst = "\(latency.worstMs.spoken) at worst of \(latency.count)"
            lines.add(name, "\(latency.medianMs.spoken) \(what), \(worst)")
        }
        if let settling = camera.latency.settling {
            let median = "\(settling.medianMs.spoken) (\(CountText.text(settling.medianFrames, "frame")))"
            let worst = "\(settling.worstMs.spoken) (\(settling.worstFrames)) at worst of \(settling.count)"
            lines.add("to settle", "\(median), \(worst)")
        }
    }

    /// For example `150 frames of the last 5 s in 14.2M of 32M bytes, 3 dropped, 3.1 ms to encode each`.
    private static func text(_ ring: RingStatus) -> String {
        guard ring.frames > 0 else { return "empty, for \(ring.seconds) s and \(ring.megabytes)M bytes\(costs(ring))" }
        let room = "\(HumanBytes.rounded(ring.bytes)) of \(ring.megabytes)M bytes"
        let frames = CountText.text(ring.frames, "frame")
        return "\(frames) of the last \(ring.spanMs.spoken) in \(room)\(costs(ring))"
    }

    /// For example `since 2026-11-25T14:30:00.000000Z, 4.2 % of the picture`.
    private static func text(_ motion: MotionStatus) -> String {
        let share = "\(motion.share) % of the picture"
        return motion.since.map { "since \($0), \(share)" } ?? "none, \(share)"
    }

    private static func costs(_ ring: RingStatus) -> String {
        let dropped = ring.dropped > 0 ? ", \(ring.dropped) dropped" : ""
        guard ring.encoded > 0 else { return dropped }
        let tenths = Int(ring.encodingMs.duration.millisecondCount * 10 / Double(ring.encoded))
        return dropped + ", \(tenths / 10).\(tenths % 10) ms to encode each"
    }

    /// For example `every 1m: 812 published, 3 missed (device-lost 3), next at …`; then the last miss and the problem.
    private static func add(_ status: PublishingStatus, to lines: inout LabelledLines) {
        var parts = ["\(status.published) published"]
        if let missed = status.missed, !missed.isEmpty {
            let reasons = missed.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            parts.append("\(missed.values.reduce(0, +)) missed (\(reasons.joined(separator: ", ")))")
        }
        if let next = status.next { parts.append("next at \(next)") }
        lines.add("publishing", "\(status.schedule): \(parts.joined(separator: ", "))")
        if let last = status.lastMissed?.last {
            let slots = last.count == 1 ? "at \(last.first)" : "\(last.count) from \(last.first) to \(last.last)"
            lines.add("last missed", "\(slots): \(last.reason). \(last.detail)")
        }
        lines.add(status.problem)
    }

    private static func add(_ status: ControlStatus, to lines: inout LabelledLines) {
        lines.add("profile", status.profile)
        lines.add("privacy shutter", status.isShutterClosed.map { $0 ? "closed: no picture can be taken" : "open" })
        for outcome in status.unfulfilled {
            lines.add("control", "\(outcome.name): \(outcome.result.rawValue). \(outcome.detail ?? "")")
        }
        if let change = status.lastForeignChange {
            let from = change.from.map { "from \($0) " } ?? ""
            let change = "\(change.name) \(from)to \(change.to) at \(change.at)"
            lines.add("changed by others", "\(change); \(status.foreignChanges) in all")
        }
    }

    /// Frame and still counters, and all others that are not zero.
    private static func counters(_ counters: CameraCounters) -> String {
        let troubles: [(UInt64, String)] = [
            (counters.streamed, "streamed"), (counters.published, "published"), (counters.missedSlots, "missed slots"),
            (counters.superseded, "superseded"), (counters.sequenceGaps, "sequence gaps"),
            (counters.flagged, "flagged"), (counters.short, "short"), (counters.corrupt, "corrupt"),
            (counters.interrupted, "interrupted"), (counters.gaps, "gaps"),
        ]
        let always: [(UInt64, String)] = [
            (counters.opened, "opened"), (counters.captured, "captured"), (counters.encoded, "encoded"),
            (counters.stills, "stills"),
        ]
        return (always + troubles.filter { $0.0 > 0 }).map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }
}

extension PictureTolerance {
    /// For example `missingEnd: its pictures lack their EOI marker; in 120 frames, known since …`.
    var text: String {
        let words =
            switch quirk {
            case .missingEnd: "its pictures lack their EOI marker"
            case .surplusBytes: "its pictures have surplus bytes before restart markers or EOI"
            case .decoderWarning: "libturbojpeg warns of its pictures, though every block is there"
            case .largerSize: "its pictures are a little larger than granted"
            }
        return "\(quirk.rawValue): \(words); in \(CountText.text(frames, "frame")), known since \(since)"
    }
}
