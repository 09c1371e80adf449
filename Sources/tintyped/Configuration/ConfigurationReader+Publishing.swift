// SPDX-License-Identifier: Apache-2.0
internal import TintypeCapture
internal import TintypeImaging
internal import TintypeModel

extension ConfigurationReader {
    private typealias ScheduleFields = FieldReader<ConfigurationKey.Publish>

    /// A mapping, or a list of mappings; of frames, or of clips.
    func publish(at path: String, isClip: Bool = false) throws(Problem) -> [PublishSchedule] {
        guard let value = document[path]?.value else { return [] }
        guard case .list(let items) = value else { return [try schedule(at: path, isClip)].compactMap(\.self) }
        if items.isEmpty { document.add(path, "The list is empty.", remedy: "Give a schedule, such as {every: 60s}.") }
        return try items.indices.map { (index) throws(Problem) in try schedule(at: "\(path)[\(index)]", isClip) }
            .compactMap(\.self)
    }

    func latest(at path: String) throws(Problem) -> LatestSettings? {
        guard let keys = try fields(at: path, ConfigurationKey.Latest.self) else { return nil }
        var settings = LatestSettings()
        settings.every = try keys.interval(.every) ?? settings.every
        settings.width = try keys.integer(.width, in: ImageOptions.sideRange)
        settings.quality = try keys.integer(.quality, in: ImageOptions.qualityRange)
        return settings
    }

    private func schedule(at path: String, _ isClip: Bool) throws(Problem) -> PublishSchedule? {
        let known = isClip ? ConfigurationKey.Publish.ofClips : ConfigurationKey.Publish.ofFrames
        guard let keys = try fields(at: path, ConfigurationKey.Publish.self, of: known.map(\.rawValue)) else {
            return nil
        }
        let rates = [ConfigurationKey.Publish.every, .nth, .all].filter { keys[$0] != nil }
        let when = try keys.word(.when, PublishSchedule.Occasion.self)
        let isOfWholeMotion = isClip && when == .motion && rates.isEmpty
        guard let first = isOfWholeMotion ? .when : rates.first else {
            guard !isClip else {
                document.add(path, "The clips have neither every nor when: motion.", remedy: "Give one of them.")
                return nil
            }
            let remedy = "Give one of them, such as every: 60s, nth: 30 or all: true."
            document.add(path, "The schedule has neither every nor nth nor all.", remedy: remedy)
            return nil
        }
        guard rates.count <= 1 else {
            let remedy = "Keep one of them; for several schedules give a list of mappings."
            let detail = "It cannot be combined with \(first.rawValue)."
            document.add(keys.path(of: rates[1]), detail, remedy: remedy)
            return nil
        }
        let given = try rate(keys)
        guard let rate = isOfWholeMotion ? .nth(1) : given else { return nil }
        var schedule = PublishSchedule(rate: rate)
        let hoursRemedy =
            "Give its start and its end, such as 06:00-20:00, or 22:00-05:00 for one that continues after midnight."
        schedule.hours = try keys.text(.between, "is not a part of the day.", remedy: hoursRemedy) { DayHours($0) }
        schedule.days = try days(keys) ?? schedule.days
        schedule.when = when ?? schedule.when
        let beforeRemedy = "Give a number of seconds with its unit, such as 5s."
        schedule.before = try keys.text(.before, "is not a duration.", remedy: beforeRemedy, HumanDuration.parse)
        schedule.settle = try keys.word(.settle, SettlePolicy.self) ?? schedule.settle
        schedule.integrity = try keys.word(.integrity, Integrity.self) ?? schedule.integrity
        schedule.reject = try reject(keys, schedule.integrity) ?? schedule.reject
        schedule.width = try keys.integer(.width, in: ImageOptions.sideRange)
        schedule.durability = try keys.word(.durability, Durability.self) ?? schedule.durability
        schedule.tags = try tags(keys, .tags) ?? schedule.tags
        if isClip {
            let range = Duration.milliseconds(100)...Duration.seconds(3600)
            schedule.length = try keys.span(.for, in: range, suchAs: "10s") ?? .seconds(isOfWholeMotion ? 60 : 10)
            schedule.isOriginal = try keys.isTrue(.original) ?? false
        }
        checkSlots(of: schedule, keys)
        return schedule
    }

    private func rate(_ keys: ScheduleFields) throws(Problem) -> PublishSchedule.Rate? {
        if keys[.every] != nil {
            let alignment = try alignment(keys)
            return try keys.interval(.every).map { .every($0, alignment) }
        }
        if keys[.align] != nil {
            let detail = "Without every there is nothing to align."
            document.add(keys.path(of: .align), detail, remedy: "Leave it out.")
        }
        if keys[.nth] != nil { return try keys.integer(.nth, in: 1...1_000_000).map { .nth($0) } }
        // As in {all, durability: data}.
        if keys[.all] == .unusable { return .nth(1) }
        return try keys.text(.all, "is not true.", remedy: "Give true or nothing, or leave it out.") {
            $0 == "true" ? .nth(1) : nil
        }
    }

    private func alignment(_ keys: ScheduleFields) throws(Problem) -> SlotTimes.Alignment {
        let remedy = "Give start, clock, or a time of the day such as 12:00."
        return try keys.text(.align, "is not an alignment.", remedy: remedy) { text -> SlotTimes.Alignment? in
            switch text {
            case "start": return .start
            case "clock": return .clock(minutes: 0)
            default:
                guard let minutes = DayHours.minutes(of: text), minutes < DayHours.day else { return nil }
                return .clock(minutes: minutes)
            }
        } ?? .start
    }

    private func days(_ keys: ScheduleFields) throws(Problem) -> Set<Weekday>? {
        let remedy = "Give days such as sat, [mon, wed] or mon-fri, of mon, tue, wed, thu, fri, sat and sun."
        return try keys.texts(.days, "is not a list of days.", remedy: remedy, nearest: Weekday.nearest) { words in
            let days = words.compactMap(Weekday.days)
            return days.isEmpty || days.count < words.count ? nil : Set(days.joined())
        }
    }

    private func reject(_ keys: ScheduleFields, _ integrity: Integrity) throws(Problem) -> Set<ImageDefect>? {
        let remedy = "Give some of \(ImageDefect.words), and integrity strict or tolerant."
        if keys[.reject] != nil, integrity == .raw {
            let detail = "It cannot be combined with integrity raw, which takes every frame."
            document.add(keys.path(of: .reject), detail, remedy: remedy)
            return nil
        }
        let wrong = "is not a list of different words of \(ImageDefect.words)."
        return try keys.texts(.reject, wrong, remedy: remedy, nearest: ImageDefect.nearest, ImageDefect.parse)
    }

    func tags<Key>(_ keys: FieldReader<Key>, _ key: Key) throws(Problem) -> [String]? {
        let wrong = "is not a list of at most \(StillRequest.mostTags) different tags."
        return try keys.texts(key, wrong, remedy: StillRequest.tagRemedy) { tags in
            tags.isEmpty || !StillRequest.areValid(tags: tags) ? nil : tags
        }
    }

    /// Reports slots that differ from day to day, or never fall into the allowed times.
    private func checkSlots(of schedule: PublishSchedule, _ keys: ScheduleFields) {
        guard case .every(let every, .clock) = schedule.rate else { return }
        let day = Duration.seconds(86_400)
        guard every <= day || (every.nanosecondCount % day.nanosecondCount == 0) else {
            let detail = "Slots \(HumanDuration.text(every)) apart fall at other times on each day."
            let remedy = "Let every be a day or less, or whole days; or leave align out."
            document.add(keys.path(of: .align), detail, remedy: remedy)
            return
        }
        guard schedule.times.run(from: Timestamp(microseconds: 0)) == nil else { return }
        let path = keys.path(of: schedule.hours == nil ? .days : .between)
        let remedy = "Give a time of the day in it with align, such as align: 12:00, or a shorter every."
        document.add(path, "No slot of \(schedule) falls into it.", remedy: remedy)
    }
}

extension FieldReader {
    fileprivate func interval(_ key: Key) throws(Problem) -> Duration? {
        let remedy = "Give a number and its unit (ms, s, m, h or d), such as 60s or 5m."
        guard let every = try text(key, "is not a duration.", remedy: remedy, HumanDuration.parse) else { return nil }
        guard (PublishSchedule.shortest...PublishSchedule.longest).contains(every) else {
            let ends = (HumanDuration.text(PublishSchedule.shortest), HumanDuration.text(PublishSchedule.longest))
            try refuse(key, "is out of range.", remedy: "Give a duration from \(ends.0) to \(ends.1).")
            return nil
        }
        return every
    }
}

extension ConfigurationReader {
    /// Settings of a camera whose size and look have been read.
    func motion(at path: String, of camera: CameraConfiguration) throws(Problem) -> MotionSettings? {
        guard let keys = try fields(at: path, ConfigurationKey.Motion.self) else { return nil }
        var settings = MotionSettings()
        settings.threshold = try keys.integer(.threshold, in: MotionSettings.thresholdRange) ?? settings.threshold
        let areaRemedy = "Give a share of the picture from 0.1% to 100%, such as 0.5%."
        settings.area =
            try keys.text(.area, "is not a share of the picture.", remedy: areaRemedy) { text -> Double? in
                guard let match = text.wholeMatch(of: /([0-9]{1,3}(?:\.[0-9]{1,2})?) ?%/) else { return nil }
                return Double(match.1).flatMap { MotionSettings.areaRange.contains($0) ? $0 : nil }
            } ?? settings.area
        settings.look = camera.session.look
        settings.mask = try keys.shapes(.mask, of: camera.uprightSize) ?? settings.mask
        let range = MotionSettings.holdRange
        let ends = (HumanDuration.text(range.lowerBound), HumanDuration.text(range.upperBound))
        let holdRemedy = "Give one from \(ends.0) to \(ends.1), such as 10s."
        settings.hold =
            try keys.duration(.hold, "is not a duration.", remedy: holdRemedy, in: range) ?? settings.hold
        return settings
    }

    /// Reports schedules that depend on motion detection or a ring that the camera does not have.
    func checkMotion(of camera: CameraConfiguration, at path: String) {
        let pictures = camera.publish.count { $0.length == nil }
        for (number, schedule) in camera.publish.enumerated() {
            let isClip = number >= pictures
            let (list, index) = (
                FieldPath.joined(path, isClip ? "record" : "publish"), isClip ? number - pictures : number
            )
            let at = document[list].map { if case .list = $0.value { "\(list)[\(index)]" } else { list } } ?? list
            if schedule.when == .motion, camera.session.motion == nil {
                let detail = "The camera is not watched for motion."
                document.add(FieldPath.joined(at, "when"), detail, remedy: "Give the camera motion: {}.")
            }
            guard let before = schedule.before else { continue }
            let key = FieldPath.joined(at, "before")
            if !isClip, schedule.when != .motion {
                document.add(key, "Without when: motion there is nothing before which.", remedy: "Leave it out.")
            } else if !isClip, case .every = schedule.rate {
                document.add(key, "It cannot be combined with every.", remedy: "Give nth or all, or leave it out.")
            } else if before > camera.session.ring?.reach ?? .zero {
                let detail = "The camera keeps no pictures of that time."
                let remedy = "Give the camera a ring of as many seconds, such as ring: {seconds: 5}."
                document.add(key, detail, remedy: remedy)
            }
        }
    }
}

extension ConfigurationKey {
    enum Publish: String, CodingKey, CaseIterable {
        case every, nth, all, align, between, days, when, before, settle, integrity, reject, width, durability, tags
        case `for`, original

        static let ofFrames = allCases.filter { ![.for, .original].contains($0) }
        /// Keys of `record`.
        static let ofClips: [Self] = [.every, .align, .between, .days, .when, .before, .tags, .for, .original]
    }
    enum Latest: String, CodingKey, CaseIterable { case every, width, quality }
    enum Motion: String, CodingKey, CaseIterable { case threshold, area, mask, hold }
}
