// SPDX-License-Identifier: Apache-2.0
internal import TintypeCapture
internal import TintypeImaging
internal import TintypeModel

extension ConfigurationReader {
    private typealias ScheduleFields = FieldReader<ConfigurationKey.Publish>

    /// A mapping, or a list of mappings; of frames, or of clips.
    func publish(at path: String, of camera: CameraConfiguration, isClip: Bool) throws(Problem) -> [PublishSchedule] {
        guard let value = document[path]?.value else { return [] }
        let remedy = "Give a schedule, such as {every: 60s}."
        if value == .list([]) { document.add(path, "The list is empty.", remedy: remedy) }
        guard case .list = value else { return [try schedule(at: path, of: camera, isClip)].compactMap(\.self) }
        return try list(at: path, "is no list of schedules.", remedy: remedy) { (path) throws(Problem) in
            try schedule(at: path, of: camera, isClip)
        } ?? []
    }

    func latest(at path: String) throws(Problem) -> LatestSettings? {
        try section(at: path, ConfigurationKey.Latest.self, LatestSettings()) { (keys, latest) throws(Problem) in
            latest.every = try keys.interval(.every) ?? latest.every
            latest.width = try keys.integer(.width, in: ImageOptions.sideRange)
            latest.quality = try keys.integer(.quality, in: ImageOptions.qualityRange)
        }
    }

    /// Settings of a camera whose look, ring and motion detection have been read.
    private func schedule(
        at path: String,
        of camera: CameraConfiguration,
        _ isClip: Bool
    ) throws(Problem) -> PublishSchedule? {
        let known = isClip ? ConfigurationKey.Publish.ofClips : ConfigurationKey.Publish.ofFrames
        guard let keys = try fields(at: path, ConfigurationKey.Publish.self, of: known.map(\.rawValue)) else {
            return nil
        }
        let when = try keys.word(.when, PublishSchedule.Occasion.self)
        let isOfWholeMotion = isClip && when == .motion && keys[.every] == nil
        guard let rate = try isOfWholeMotion ? .nth(1) : rate(keys, isClip) else { return nil }
        var schedule = PublishSchedule(rate: rate)
        schedule.hours = try keys.hours(.between)
        schedule.days = try days(keys) ?? schedule.days
        schedule.when = when ?? schedule.when
        schedule.before = try keys.span(.before, in: .zero...HumanDuration.usualRange.upperBound, suchAs: "5s")
        schedule.settle = try keys.word(.settle, SettlePolicy.self) ?? schedule.settle
        schedule.integrity = try keys.word(.integrity, Integrity.self) ?? schedule.integrity
        schedule.reject = try reject(keys, schedule.integrity) ?? schedule.reject
        schedule.width = try keys.integer(.width, in: ImageOptions.sideRange)
        schedule.durability = try keys.word(.durability, Durability.self) ?? schedule.durability
        schedule.tags = try keys.tags(.tags) ?? schedule.tags
        if isClip {
            let range = Duration.milliseconds(100) ... .seconds(3600)
            schedule.length = try keys.span(.for, in: range, suchAs: "10s") ?? .seconds(isOfWholeMotion ? 60 : 10)
            schedule.isOriginal = try keys.flag(.original) ?? false
        }
        checkSlots(of: schedule, keys)
        check(schedule, of: camera, keys)
        return schedule
    }

    private func rate(_ keys: ScheduleFields, _ isClip: Bool) throws(Problem) -> PublishSchedule.Rate? {
        let given = [ConfigurationKey.Publish.every, .nth, .all].filter { keys[$0] != nil }
        if given.count > 1 {
            let remedy = "Keep one of them; for several schedules give a list of mappings."
            document.add(keys.path(of: given[1]), "It cannot be combined with \(given[0].rawValue).", remedy: remedy)
            return nil
        }
        if keys[.every] != nil {
            let alignment = try alignment(keys)
            return try keys.interval(.every).map { .every($0, alignment) }
        }
        if keys[.nth] != nil { return try keys.integer(.nth, in: 1...1_000_000).map { .nth($0) } }
        // As in {all, durability: data}.
        if keys[.all] == .unusable { return .nth(1) }
        if keys[.all] != nil { return try keys.isGiven(.all, as: "true") ? .nth(1) : nil }
        let missing =
            isClip ? "clips have neither every nor when: motion" : "schedule has neither every nor nth nor all"
        document.add(keys.path, "The \(missing).", remedy: "Give one of them, such as every: 60s.")
        return nil
    }

    private func alignment(_ keys: ScheduleFields) throws(Problem) -> SlotTimes.Alignment {
        let give = "start, clock, or a time of the day such as 12:00"
        return try keys.text(.align, is: "an alignment", give: give) { text -> SlotTimes.Alignment? in
            if text == "start" { return .start }
            let minutes = text == "clock" ? 0 : DayHours.minutes(of: text)
            return minutes.flatMap { $0 < DayHours.day ? .clock(minutes: $0) : nil }
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

    /// Reports a schedule that needs a motion detection or a ring that the camera does not have, or whose pictures a
    /// masked camera refuses.
    private func check(_ schedule: PublishSchedule, of camera: CameraConfiguration, _ keys: ScheduleFields) {
        if schedule.integrity == .raw, camera.session.look?.isMasked == true {
            let detail = Problem.unjudgedOfMasked.detail
            document.add(keys.path(of: .integrity), detail, remedy: "Leave integrity: raw out.")
        }
        if schedule.when == .motion, camera.session.motion == nil {
            let detail = "The camera is not watched for motion."
            document.add(keys.path(of: .when), detail, remedy: "Give the camera motion: {}.")
        }
        guard let before = schedule.before else { return }
        let (path, isClip) = (keys.path(of: .before), schedule.length != nil)
        if !isClip, schedule.when != .motion {
            document.add(path, "Without when: motion there is nothing before which.", remedy: "Leave it out.")
        } else if !isClip, case .every = schedule.rate {
            document.add(path, "It cannot be combined with every.", remedy: "Give nth or all, or leave it out.")
        } else if before > camera.session.ring?.reach ?? .zero {
            let remedy = "Give the camera a ring of as many seconds, such as ring: {seconds: 5}."
            document.add(path, "The camera keeps no pictures of that time.", remedy: remedy)
        }
    }

    /// Reports slots that differ from day to day, or never fall into the allowed times.
    private func checkSlots(of schedule: PublishSchedule, _ keys: ScheduleFields) {
        guard case .every(let every, let alignment) = schedule.rate else {
            if keys[.align] != nil {
                let detail = "Without every there is nothing to align."
                document.add(keys.path(of: .align), detail, remedy: "Leave it out.")
            }
            return
        }
        guard alignment != .start else { return }
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
        try span(key, in: PublishSchedule.shortest...PublishSchedule.longest, suchAs: "60s")
    }
}

extension ConfigurationReader {
    /// Settings of a camera whose size and look have been read.
    func motion(at path: String, of camera: CameraConfiguration) throws(Problem) -> MotionSettings? {
        try section(at: path, ConfigurationKey.Motion.self, MotionSettings()) { (keys, motion) throws(Problem) in
            motion.threshold = try keys.integer(.threshold, in: MotionSettings.thresholdRange) ?? motion.threshold
            let give = "a share of the picture from 0.1% to 100%, such as 0.5%"
            let area = try keys.percent(.area, is: "a share of the picture", give: give, in: MotionSettings.areaRange)
            motion.area = area ?? motion.area
            motion.look = camera.session.look
            motion.mask = try keys.shapes(.mask, of: camera.uprightSize) ?? motion.mask
            motion.hold = try keys.span(.hold, in: MotionSettings.holdRange, suchAs: "10s") ?? motion.hold
        }
    }
}
