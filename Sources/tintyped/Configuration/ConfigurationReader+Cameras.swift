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
    /// Its `overlay` is set to the style of ``overlay`` when the camera is made.
    var session = SessionConfiguration()
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
        let (wrong, example) = ("is not a camera's name.", "front: {device: /dev/video0}")
        return try named(at: "cameras", wrong, suchAs: example) { (path, entry) throws(Problem) in
            let known = ConfigurationKey.Camera.names + ConfigurationKey.Camera.moved
            guard let keys = try fields(at: path, ConfigurationKey.Camera.self, of: known) else { return nil }
            for (name, moved) in ConfigurationKey.Camera.moved.map({ ($0, FieldPath.joined(path, $0)) })
            where document[moved] != nil {
                let remedy = "Write it below look, as in look: {\(name): …}."
                document.add(moved, "The key is now one of look.", remedy: remedy)
            }
            let source = try source(keys, place: entry.keyPlace)
            return try camera(CameraConfiguration(name: entry.name, source: source), keys)
        }
    }

    private func camera(_ camera: CameraConfiguration, _ keys: CameraFields) throws(Problem) -> CameraConfiguration {
        var camera = camera
        camera.session.settings = try CameraSettings(in: keys)
        camera.session.position = try position(at: keys.path(of: .gps))
        try readLook(at: keys.path(of: .look), into: &camera)
        camera.session.controls = controls(at: keys.path(of: .controls))
        camera.profiles = try profiles(at: keys.path(of: .profiles))
        camera.spool = try spoolName(keys, .spool)
        camera.latest = try latest(at: keys.path(of: .latest))
        let usualRing = RingConfiguration(quality: camera.session.quality)
        camera.session.ring = try section(at: keys.path(of: .ring), ConfigurationKey.Ring.self, usualRing) {
            (keys, ring) throws(Problem) in
            ring.seconds = try keys.integer(.seconds, in: RingConfiguration.secondsRange) ?? ring.seconds
            ring.megabytes = try keys.integer(.megabytes, in: RingConfiguration.megabytesRange) ?? ring.megabytes
        }
        camera.session.motion = try motion(at: keys.path(of: .motion), of: camera)
        camera.publish = try publish(at: keys.path(of: .publish), of: camera, isClip: false)
        camera.publish += try publish(at: keys.path(of: .record), of: camera, isClip: true)
        camera.session.alarms = try alarms(at: keys.path(of: .alarms))
        camera.readsCodes = try keys.flag(.codes) ?? false
        camera.recover = try recover(at: keys.path(of: .recover))
        camera.session.allowsGap = try keys.flag(.allowGap) ?? true
        let give = "auto or a time of at most 10s, such as 50ms"
        camera.session.lead = try keys.text(.lead, is: "a lead", give: give) { StampLead($0) } ?? .auto
        camera.session.stall = try keys.silence(.stall) ?? .auto
        camera.session.firstFrame = try keys.silence(.firstFrame) ?? .auto
        camera.retention = try retention(at: keys.path(of: .retention), ofCamera: true)
        camera.film = try film(at: keys.path(of: .film))
        return camera
    }

    private func source(_ keys: CameraFields, place: ConfigurationFault.Place?) throws(Problem) -> Camera.Source {
        let give = "its node or a link to it, such as /dev/v4l/by-id/usb-NAME-video-index0 or /dev/video0"
        let device = try keys.absolutePath(.device, give: give)
        let match = try match(at: keys.path(of: .match))
        let pattern = try pattern(keys)
        try keys.refuse(.match, with: .device)
        try keys.refuse(.pattern, with: .device, .match)
        if keys[.device] == nil, keys[.match] == nil, keys[.pattern] == nil {
            let remedy = "Give \(give). Or give match, with conditions that only this camera meets."
            document.add(keys.path(of: .device), "The key is missing.", remedy: remedy, place: place)
        }
        return pattern.map { .pattern($0) } ?? match.map { .match($0) } ?? .node(path: device ?? "")
    }

    /// The faults of a pattern are for tests, by `--pattern` alone.
    private func pattern(_ keys: CameraFields) throws(Problem) -> PatternSpec? {
        let give = "one such as YUYV:1280x720@30"
        guard let text = try keys.text(.pattern, is: "a test pattern", give: give, { $0 }) else { return nil }
        do throws(PatternSpecError) {
            let pattern = try PatternSpec(text)
            if pattern.isFaultless { return pattern }
        } catch {
            document.add(keys.path(of: .pattern), error.description, remedy: "tintyped(8) describes THE TEST PATTERN.")
            return nil
        }
        let remedy = "Leave it out, or give the pattern to tintyped as --pattern."
        try keys.refuse(.pattern, "has an option that simulates a fault.", remedy: remedy)
        return nil
    }

    private func match(at path: String) throws(Problem) -> CameraMatch? {
        guard let conditions = try fields(at: path, CameraMatch.Key.self) else { return nil }
        var match = CameraMatch([:])
        let remedy = "Give one that “tintype cameras” prints"
        for key in CameraMatch.Key.allCases {
            let wrong = "cannot be the \(key.rawValue) of a camera."
            let remedy = key.example.map { "\(remedy), such as \($0)." } ?? "\(remedy)."
            match.conditions[key] = try conditions.freeText(key, wrong, remedy: remedy) { value in
                key.accepts(value) && !value.utf8.contains(0)
            }
        }
        if document[path]?.names.isEmpty == true {
            document.add(path, "There is no condition.", remedy: "\(remedy).")
        }
        return match
    }

    private func position(at path: String) throws(Problem) -> GeoPosition? {
        guard let keys = try fields(at: path, ConfigurationKey.Position.self) else { return nil }
        let (north, east) = ("52.5163, positive to the north", "13.3777, positive to the east")
        let latitude = try keys.decimal(.latitude, in: GeoPosition.latitudeRange, suchAs: north)
        let longitude = try keys.decimal(.longitude, in: GeoPosition.longitudeRange, suchAs: east)
        let metres = "34.5, in metres above the sea"
        let altitude = try keys.decimal(.altitude, in: GeoPosition.altitudeRange, suchAs: metres)
        require(.latitude, in: keys, remedy: "Give latitude and longitude.")
        require(.longitude, in: keys, remedy: "Give latitude and longitude.")
        guard let latitude, let longitude else { return nil }
        return GeoPosition(latitude: latitude, longitude: longitude, altitude: altitude)
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
        require(.command, in: keys, remedy: "Give a program and its arguments, such as [/usr/local/bin/reset-hub].")
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
                document.add(nameOf: entry, at: path, "is not a control's name.", remedy: remedy)
            } else if let text = String(field: entry.value, at: inner) {
                settings.values[entry.name] = ControlValue(written: text)
            } else {
                let remedy = "Give such a value, as in 128 or on."
                document.add(.type("is not a number, on, off or text.", remedy: remedy), at: inner)
            }
        }
        return settings
    }

    private func profiles(at path: String) throws(Problem) -> [ControlProfile] {
        try named(at: path, "is not a profile's name.", suchAs: "night: {brightness: 200}") { path, entry in
            ControlProfile(name: entry.name, source: .configuration, controls: controls(at: path))
        }.sorted { $0.name < $1.name }
    }
}

extension FieldReader {
    fileprivate func silence(_ key: Key) throws(Problem) -> SilenceLimit? {
        try text(key, is: "a limit of silence", give: "auto, off, or a time from 1s to 1d, such as 60s") {
            SilenceLimit($0)
        }
    }

    fileprivate func decimal(_ key: Key, in range: ClosedRange<Double>, suchAs example: String) throws(Problem)
        -> Double?
    {
        let what = "a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
        return try text(key, is: what, give: "one such as \(example)") { text in
            Double(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension CameraMatch.Key {
    fileprivate var example: String? {
        switch self {
        case .byID: "usb-NAME-video-index0"
        case .byPath: "pci-0000:00:14.0-usb-0:2:1.0-video-index0"
        case .serial: nil
        case .usb: "046d:082d"
        case .port: "1-2.3"
        case .card: "HD Pro Webcam C920"
        case .name: "HD*C920, with * for any characters and ? for one"
        case .busInfo: "usb-0000:00:14.0-2"
        case .driver: "uvcvideo"
        case .path: "/dev/video0"
        }
    }
}
