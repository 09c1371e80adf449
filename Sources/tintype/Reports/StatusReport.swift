// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// One camera in readable lines.
enum StatusReport {
    static func text(_ camera: CameraStatus) -> PrintedText {
        var lines: [(name: String, value: String)] = []
        if let identity = camera.identity {
            lines.append(("device", "\(identity.path) (\(identity.card), \(identity.driver), \(identity.busInfo))"))
            if let usb = usb(identity) { lines.append(("usb", usb)) }
            for link in identity.byID + identity.byPath { lines.append(("link", link)) }
        } else {
            lines.append(("device", "none found"))
        }
        lines.append(("authorization", camera.authorization.word))
        switch camera.authorization {
        case .denied(let remedy): lines.append(("remedy", remedy))
        case .restricted(let by): lines.append(("restricted by", by))
        case .absent, .authorized: break
        }
        if let match = camera.match { lines.append(("match", match.description)) }
        if let format = camera.format {
            let asked = camera.asked.flatMap { $0 == format ? nil : " (asked: \($0))" } ?? ""
            lines.append(("format", format.description + asked))
        }
        if let crop = camera.crop { lines.append(("crop", crop.description)) }
        if let input = camera.input { lines.append(("input", input.text)) }
        lines += (camera.unmet ?? []).map { (name: "not granted", value: $0) }
        lines += WarmthReport.lines(camera)
        let age = camera.lastFrameAgeMs.map { "\(SpokenDuration.text($0.duration)) old" }
        lines.append(("newest frame", age ?? "none"))
        if let lead = camera.leadMs {
            lines.append(("lead", "\(SpokenDuration.text(lead.duration)) from exposure to the driver's stamp"))
        }
        if let reason = camera.state.reason {
            lines.append(("problem", "\(reason.code.rawValue): \(reason.detail)"))
            lines.append(("remedy", reason.remedy))
        }
        if case .interrupted(_, let since, let next) = camera.state {
            lines.append(("since", since.description))
            lines.append(("next attempt", next.description))
        }
        if let call = camera.stuckCall {
            lines.append(("stuck", "\(call.name) has not returned for \(SpokenDuration.text(call.runningMs.duration))"))
        }
        if let ring = camera.ring { lines.append(("ring", RingReport.text(ring))) }
        lines += (camera.publishing ?? []).flatMap(PublishingReport.lines)
        if let controls = camera.controls { lines += self.controls(controls) }
        lines += (camera.tolerance ?? []).map { (name: "tolerance", value: $0.text) }
        lines.append(("counters", counters(camera.counters)))
        return "\(camera.name): \(camera.state.name.rawValue)\n\(LabelledLines.text(lines))"
    }

    /// As in `046d:082d Logitech C920, port 1-2.3, serial number AB12`; nil for what is no USB device.
    private static func usb(_ identity: CameraIdentity) -> String? {
        guard let usb = identity.usb else { return nil }
        let names = [usb, identity.manufacturer, identity.product].compactMap(\.self).joined(separator: " ")
        let port = identity.port.map { "port \($0)" }
        return [names, port, identity.serial.map { "serial number \($0)" }].compactMap(\.self).joined(separator: ", ")
    }

    /// The remarks on the controls; empty where they are as they should be.
    private static func controls(_ status: ControlStatus) -> [(name: String, value: String)] {
        var lines: [(name: String, value: String)] = []
        if let profile = status.profile { lines.append(("profile", profile)) }
        if let isClosed = status.isShutterClosed {
            lines.append(("privacy shutter", isClosed ? "closed: no picture can be taken" : "open"))
        }
        for outcome in status.unfulfilled {
            lines.append(("control", "\(outcome.name): \(outcome.result.rawValue). \(outcome.detail ?? "")"))
        }
        if let change = status.lastForeignChange {
            let from = change.from.map { "from \($0) " } ?? ""
            lines.append(
                (
                    "changed by others",
                    "\(change.name) \(from)to \(change.to) at \(change.at); \(status.foreignChanges) in all"
                )
            )
        }
        return lines
    }

    /// The counters that have counted anything, besides those of frames and stills, which are always there.
    private static func counters(_ counters: CameraCounters) -> String {
        let troubles: [(UInt64, String)] = [
            (counters.published, "published"), (counters.missedSlots, "missed slots"),
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
