// SPDX-License-Identifier: Apache-2.0
internal import TintypeCapture
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel
internal import TintypeSpool

/// A camera of the configuration file or of a flag; see tintyped.yaml(5) for the keys.
struct CameraConfiguration: Hashable, Sendable {
    /// Name in the API and in the spool; see ``CameraName/isValid(_:)``.
    var name: String
    var source: Camera.Source
    /// Format, input, warmth, controls, ring, `allowGap`, lead and limits of silence.
    var session = SessionConfiguration()
    /// 1 to 100.
    var quality = StillRequest.defaultQuality
    var position: GeoPosition?
    var overlay = OverlaySettings()
    var profiles: [ControlProfile] = []
    /// Nil if no command is run for failed openings.
    var recover: RecoverConfiguration?
    /// Reads QR and bar codes while the camera is open, and keeps it open.
    var readsCodes = false
    /// Nil for `default`.
    var spool: String?
    /// With the clips of `record`, which come last.
    var publish: [PublishSchedule] = []
    /// Nil if `latest.jpg` links to the newest stored still.
    var latest: LatestSettings?
    /// In addition to that of the spool.
    var retention = RetentionSettings()
    /// Nil if no film is made each day.
    var film: FilmSettings?

    var spoolName: String { spool ?? SpoolStore.Configuration.defaultName }

    /// True if the camera stays open unless a client stops it.
    var isKeptOpen: Bool {
        session.warmth == .hot || session.motion != nil || readsCodes
            || publish.contains { if case .nth = $0.rate { true } else { false } }
    }

    /// Size of the upright picture; nil if the configuration names none.
    var uprightSize: FrameSize? {
        let size = session.format.size?.size ?? session.input.crop?.size
        return size.map { session.look?.orientation.size(of: $0) ?? $0 }
    }

    /// Only the camera can validate controls.
    var namesControls: Bool { !session.controls.isEmpty || !profiles.isEmpty }
}

struct RecoverConfiguration: Hashable, Sendable {
    /// An absolute path, and arguments.
    var command: [String]
    /// Number of failed openings in a row.
    var after = 5
    /// Least time from the end of a run to the next one.
    var pause = Duration.seconds(300)
}

extension ConfigurationReader {
    private typealias CameraFields = FieldReader<ConfigurationKey.Camera>

    func cameras() throws(Problem) -> [CameraConfiguration] {
        let remedy = "Give each camera a name, with its keys below, such as front: {device: /dev/video0}."
        var cameras: [CameraConfiguration] = []
        for (path, entry) in named(at: "cameras", remedy: remedy, "is not a camera's name.") {
            let known = ConfigurationKey.Camera.names + ConfigurationKey.Camera.moved
            guard let keys = try fields(at: path, ConfigurationKey.Camera.self, of: known) else { continue }
            for name in ConfigurationKey.Camera.moved where document[FieldPath.joined(path, name)] != nil {
                let remedy = "Write it below look, as in look: {\(name): …}."
                document.add(FieldPath.joined(path, name), "The key is now one of look.", remedy: remedy)
            }
            let source = try source(keys, place: entry.keyPlace)
            let camera = try camera(CameraConfiguration(name: entry.name, source: source), keys)
            checkMotion(of: camera, at: path)
            checkMask(of: camera, at: path)
            cameras.append(camera)
        }
        return cameras
    }

    private func camera(_ camera: CameraConfiguration, _ keys: CameraFields) throws(Problem) -> CameraConfiguration {
        var camera = camera
        camera.session.settings = try CameraSettings(in: keys)
        camera.position = try position(at: keys.path(of: .gps))
        try readLook(at: keys.path(of: .look), into: &camera)
        camera.session.controls = controls(at: keys.path(of: .controls))
        camera.profiles = profiles(at: keys.path(of: .profiles))
        let spoolRemedy = "Give the name of a spool below spools."
        camera.spool = try keys.freeText(.spool, "is not the name of a spool.", remedy: spoolRemedy) { _ in true }
        camera.publish = try publish(at: keys.path(of: .publish))
        camera.publish += try publish(at: keys.path(of: .record), isClip: true)
        camera.latest = try latest(at: keys.path(of: .latest))
        camera.session.ring = try ring(at: keys.path(of: .ring), quality: camera.quality)
        camera.session.motion = try motion(at: keys.path(of: .motion), of: camera)
        camera.session.alarms = try alarms(at: keys.path(of: .alarms))
        let flagRemedy = "Give one of these."
        camera.readsCodes = try keys.text(.codes, "is not true or false.", remedy: flagRemedy) { Bool($0) } ?? false
        camera.recover = try recover(at: keys.path(of: .recover))
        camera.session.allowsGap =
            try keys.text(.allowGap, "is not true or false.", remedy: flagRemedy) { Bool($0) } ?? true
        let leadRemedy = "Give auto or a time of at most 10s, such as 50ms."
        camera.session.lead = try keys.text(.lead, "is not a lead.", remedy: leadRemedy) { StampLead($0) } ?? .auto
        camera.session.stall = try keys.silence(.stall) ?? .auto
        camera.session.firstFrame = try keys.silence(.firstFrame) ?? .auto
        camera.retention = try retention(at: keys.path(of: .retention), ofCamera: true)
        camera.film = try film(at: keys.path(of: .film))
        return camera
    }

    private func source(_ keys: CameraFields, place: ConfigurationFault.Place?) throws(Problem) -> Camera.Source {
        let remedy = "Give its node or a link to it, such as /dev/v4l/by-id/usb-NAME-video-index0 or /dev/video0."
        let device = try keys.absolutePath(.device, remedy: remedy)
        let match = try match(at: keys.path(of: .match))
        let pattern = try pattern(keys)
        let given = [ConfigurationKey.Camera.device, .match, .pattern].filter { keys[$0] != nil }
        if given.isEmpty {
            let more = "\(remedy) Or give match, with conditions that only this camera meets."
            document.add(keys.path(of: .device), "The key is missing.", remedy: more, place: place)
        } else if given.count > 1 {
            let detail = "The camera has both \(given[1].rawValue) and \(given[0].rawValue)."
            document.add(keys.path(of: given[1]), detail, remedy: "Keep one of the two.")
        }
        if let pattern { return .pattern(pattern) }
        return match.map { .match($0) } ?? .node(path: device ?? "")
    }

    /// The faults of a pattern are for tests, by `--pattern` alone.
    private func pattern(_ keys: CameraFields) throws(Problem) -> PatternSpec? {
        let (path, remedy) = (keys.path(of: .pattern), "Give one such as YUYV:1280x720@30.")
        guard let text = try keys.text(.pattern, "is not a test pattern.", remedy: remedy, { $0 }) else { return nil }
        do throws(PatternSpecError) {
            let pattern = try PatternSpec(text)
            if pattern.isFaultless { return pattern }
            let detail = "\"\(text)\" has an option that simulates a fault."
            document.add(path, detail, remedy: "Leave it out, or give the pattern to tintyped as --pattern.")
        } catch {
            document.add(path, error.description, remedy: "tintyped(8) describes THE TEST PATTERN.")
        }
        return nil
    }

    private func match(at path: String) throws(Problem) -> CameraMatch? {
        guard let conditions = try fields(at: path, CameraMatch.Key.self) else { return nil }
        var match = CameraMatch([:])
        for key in CameraMatch.Key.allCases {
            let (wrong, remedy) = key.advice
            match.conditions[key] = try conditions.freeText(key, wrong, remedy: remedy) { value in
                key.accepts(value) && !value.utf8.contains(0)
            }
        }
        if document[path]?.names.isEmpty == true {
            document.add(path, "There is no condition.", remedy: "Give one that “tintype cameras” prints.")
        }
        return match
    }

    private func position(at path: String) throws(Problem) -> GeoPosition? {
        guard let keys = try fields(at: path, ConfigurationKey.Position.self) else { return nil }
        let north = "Give degrees with a point, positive to the north, such as 52.5163."
        let east = "Give degrees with a point, positive to the east, such as 13.3777."
        let height = "Give metres above the sea, such as 34.5."
        let latitude = try keys.decimal(.latitude, "a latitude", remedy: north, in: GeoPosition.latitudeRange)
        let longitude = try keys.decimal(.longitude, "a longitude", remedy: east, in: GeoPosition.longitudeRange)
        let altitude = try keys.decimal(.altitude, "an altitude", remedy: height, in: GeoPosition.altitudeRange)
        for key in [ConfigurationKey.Position.latitude, .longitude] where keys[key] == nil {
            document.add(path, "The key \(key.rawValue) is missing.", remedy: "Give latitude and longitude.")
        }
        guard let latitude, let longitude else { return nil }
        return GeoPosition(latitude: latitude, longitude: longitude, altitude: altitude)
    }

    private func ring(at path: String, quality: Int) throws(Problem) -> RingConfiguration? {
        guard let keys = try fields(at: path, ConfigurationKey.Ring.self) else { return nil }
        var ring = RingConfiguration(quality: quality)
        ring.seconds = try keys.integer(.seconds, in: RingConfiguration.secondsRange) ?? ring.seconds
        ring.megabytes = try keys.integer(.megabytes, in: RingConfiguration.megabytesRange) ?? ring.megabytes
        return ring
    }

    private func alarms(at path: String) throws(Problem) -> [CameraAlarm: Duration] {
        guard try fields(at: path, CameraAlarm.self) != nil else { return [:] }
        var alarms: [CameraAlarm: Duration] = [:]
        for alarm in CameraAlarm.allCases {
            let path = FieldPath.joined(path, alarm.rawValue)
            guard let keys = try fields(at: path, ConfigurationKey.Alarm.self) else { continue }
            alarms[alarm] = try keys.span(.for) ?? CameraAlarm.usualTime
        }
        return alarms
    }

    private func recover(at path: String) throws(Problem) -> RecoverConfiguration? {
        guard let keys = try fields(at: path, ConfigurationKey.Recover.self) else { return nil }
        if keys[.command] == nil {
            let remedy = "Give a program and its arguments, such as [/usr/local/bin/reset-hub]."
            document.add(path, "The key command is missing.", remedy: remedy)
        }
        guard let command = try keys.command(.command) else { return nil }
        var recover = RecoverConfiguration(command: command)
        recover.after = try keys.integer(.after, in: 1...1000) ?? recover.after
        recover.pause = try keys.span(.pause) ?? recover.pause
        return recover
    }

    private func controls(at path: String) -> ControlSettings {
        var settings = ControlSettings()
        let remedy = "Give names of controls with values, such as brightness: 128; “tintype controls” lists them."
        for (inner, entry) in entries(at: path, remedy: remedy) {
            if ControlName.key(of: entry.name).isEmpty {
                let detail = "\"\(entry.name)\" is not a control's name."
                document.add(path, detail, remedy: remedy, place: entry.keyPlace)
            } else if let text = String(field: entry.value, at: inner) {
                settings.values[entry.name] = ControlValue(written: text)
            } else {
                let remedy = "Give such a value, as in 128 or on."
                document.add(.type("is not a number, on, off or text.", remedy: remedy), at: inner)
            }
        }
        return settings
    }

    private func profiles(at path: String) -> [ControlProfile] {
        let remedy = "Give each profile a name, with its controls below, such as night: {brightness: 200}."
        return named(at: path, remedy: remedy, "is not a profile's name.")
            .map { ControlProfile(name: $0.entry.name, source: .configuration, controls: controls(at: $0.path)) }
            .sorted { $0.name < $1.name }
    }
}

extension FieldReader {
    fileprivate func silence(_ key: Key) throws(Problem) -> SilenceLimit? {
        let range = HumanDuration.usualRange
        let ends = (HumanDuration.text(range.lowerBound), HumanDuration.text(range.upperBound))
        let remedy = "Give auto, off, or a time from \(ends.0) to \(ends.1), such as 60s."
        return try text(key, "is not a limit of silence.", remedy: remedy) { SilenceLimit($0) }
    }

    fileprivate func decimal(
        _ key: Key,
        _ kind: String,
        remedy: String,
        in range: ClosedRange<Double>
    ) throws(Problem) -> Double? {
        let wrong = "is not \(kind) from \(Int(range.lowerBound)) to \(Int(range.upperBound))."
        return try text(key, wrong, remedy: remedy) { text in
            guard text.wholeMatch(of: /[-+]?[0-9]{1,6}(?:\.[0-9]{1,12})?/) != nil else { return nil }
            return Double(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension CameraMatch.Key {
    fileprivate var advice: (wrong: String, remedy: String) {
        switch self {
        case .byID: ("is not the name of a link.", "Give a link of /dev/v4l/by-id, such as usb-NAME-video-index0.")
        case .byPath:
            (
                "is not the name of a link.",
                "Give a link of /dev/v4l/by-path, such as pci-0000:00:14.0-usb-0:2:1.0-video-index0."
            )
        case .serial: ("is not a serial number.", "Give it as “tintype cameras” prints it.")
        case .usb:
            ("is not vendor and product of a USB device.", "Give both numbers in hexadecimal, such as 046d:082d.")
        case .port: ("is not a USB port.", "Give bus and ports, such as 1-2.3.")
        case .card: ("is not a name.", "Give the whole name, such as HD Pro Webcam C920.")
        case .name: ("is not a pattern.", "Give the name with * for any characters and ? for one, such as HD*C920.")
        case .busInfo:
            ("is not a place on a bus.", "Give it as “tintype cameras” prints it, such as usb-0000:00:14.0-2.")
        case .driver: ("is not a name.", "Give the driver, such as uvcvideo.")
        case .path: ("is not an absolute path.", "Give a node, such as /dev/video0.")
        }
    }
}

extension ConfigurationKey {
    enum Camera: String, CodingKey, CaseIterable {
        case device, match, pattern, gps, look, controls, profiles, spool, publish, record, latest, film, ring, motion
        case alarms, codes, recover, allowGap, lead, stall, firstFrame, retention

        /// All keys of a camera: the settings, which clients can change too, after those of its identity.
        static let names =
            allCases.prefix(3).map(\.rawValue) + CameraSettings.CodingKeys.allCases.map(\.rawValue)
            + allCases.dropFirst(3).map(\.rawValue)
        /// Former keys of a camera that are keys of its look.
        static let moved = [Look.quality, .overlay].map(\.rawValue)
    }
    enum Ring: String, CodingKey, CaseIterable { case seconds, megabytes }
    enum Alarm: String, CodingKey, CaseIterable { case `for` }
    enum Recover: String, CodingKey, CaseIterable { case command, after, pause }
    enum Position: String, CodingKey, CaseIterable { case latitude, longitude, altitude }
}
