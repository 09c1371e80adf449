// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import Yams

extension ConfigurationReader {
    private typealias Keys = MappingReader<ConfigurationKey.Publish>

    /// The schedules of a camera's `publish`: one mapping, or a list of them.
    static func publish(
        _ camera: MappingReader<ConfigurationKey.Camera>,
        faults: FaultCollector
    ) -> [PublishSchedule] {
        guard let node = camera.node(.publish) else { return [] }
        let name = camera.name(.publish)
        guard case .sequence(let list) = node else {
            return [schedule(node, at: name, faults: faults)].compactMap(\.self)
        }
        if list.isEmpty {
            camera.fault(.publish, "The list is empty.", remedy: "Give a schedule, such as {every: 60s}.")
        }
        return list.enumerated().compactMap { index, node in
            schedule(node, at: "\(name)[\(index)]", faults: faults)
        }
    }

    /// How often a camera's `latest.jpg` is replaced; nil where it says nothing.
    static func latest(_ camera: MappingReader<ConfigurationKey.Camera>) -> LatestSettings? {
        guard let keys = camera.mapping(.latest, ConfigurationKey.Latest.self) else { return nil }
        var settings = LatestSettings()
        settings.every = keys.interval(.every) ?? settings.every
        settings.width = keys.integer(.width, in: StillRendering.sideRange)
        settings.quality = keys.integer(.quality, in: StillRendering.qualityRange)
        return settings
    }

    private static func schedule(_ node: Node, at name: String, faults: FaultCollector) -> PublishSchedule? {
        let keys = Keys(node, at: name, faults: faults)
        guard node.mapping != nil else { return nil }
        let rates = [ConfigurationKey.Publish.every, .nth, .all].filter { keys.node($0) != nil }
        guard let first = rates.first else {
            let remedy = "Give one of them, such as every: 60s, nth: 30 or all: true."
            faults.add(node.mark, key: name, "The schedule has neither every nor nth nor all.", remedy: remedy)
            return nil
        }
        guard rates.count == 1 else {
            let remedy = "Keep one of them; for several schedules give a list of mappings."
            keys.fault(rates[1], "It cannot be combined with \(first.rawValue).", remedy: remedy)
            return nil
        }
        guard let rate = rate(keys, faults: faults) else { return nil }
        var schedule = PublishSchedule(rate: rate)
        schedule.hours = keys.scalar(
            .between,
            "a part of the day",
            remedy:
                "Give its begin and its end, such as 06:00-20:00, or 22:00-05:00 for one that continues after midnight."
        ) { DayHours($0.string) }
        schedule.days = days(keys) ?? schedule.days
        schedule.settle = keys.word(.settle, SettlePolicy.self) ?? schedule.settle
        schedule.integrity = keys.word(.integrity, Integrity.self) ?? schedule.integrity
        schedule.reject = reject(keys, schedule.integrity) ?? schedule.reject
        schedule.width = keys.integer(.width, in: StillRendering.sideRange)
        schedule.durability = keys.word(.durability, Durability.self) ?? schedule.durability
        schedule.tags = tags(keys) ?? schedule.tags
        checkSlots(of: schedule, keys)
        return schedule
    }

    private static func rate(_ keys: Keys, faults: FaultCollector) -> PublishSchedule.Rate? {
        if keys.node(.every) != nil {
            let alignment = alignment(keys)
            return keys.interval(.every).map { .every($0, alignment) }
        }
        if keys.node(.align) != nil {
            keys.fault(.align, "Without every there is nothing to align.", remedy: "Leave it out.")
        }
        if keys.node(.nth) != nil { return keys.integer(.nth, in: PublishSchedule.nthRange).map { .nth($0) } }
        if keys.node(.all)?.yamlType == .null { return .nth(1) }
        return keys.scalar(.all, "true", remedy: "Give true or nothing, or leave it out.") {
            $0.string == "true" ? .nth(1) : nil
        }
    }

    private static func alignment(_ keys: Keys) -> SlotTimes.Alignment {
        keys.scalar(
            .align,
            "an alignment",
            remedy: "Give start, clock, or a time of the day such as 12:00."
        ) { scalar -> SlotTimes.Alignment? in
            switch scalar.string {
            case "start": return .start
            case "clock": return .clock(minutes: 0)
            default:
                guard let minutes = DayHours.minutes(of: scalar.string), minutes < DayHours.day else { return nil }
                return .clock(minutes: minutes)
            }
        } ?? .start
    }

    private static func days(_ keys: Keys) -> Set<Weekday>? {
        let words = keys.words(.days)
        guard let words else { return nil }
        let days = words.map(Weekday.days)
        guard !days.isEmpty, days.allSatisfy({ $0 != nil }) else {
            keys.fault(
                .days,
                "\"\(words.joined(separator: ", "))\" is not a list of days.",
                remedy: "Give days such as sat, [mon, wed] or mon-fri, of mon, tue, wed, thu, fri, sat and sun."
            )
            return nil
        }
        return Set(days.compactMap(\.self).joined())
    }

    private static func reject(_ keys: Keys, _ integrity: Integrity) -> Set<Appearance>? {
        guard let words = keys.words(.reject) else { return nil }
        let looks = Set(words.compactMap(Appearance.init))
        guard looks.count == words.count, integrity != .raw else {
            keys.fault(
                .reject,
                integrity == .raw
                    ? "It cannot be combined with integrity raw, which takes every frame."
                    : "\"\(words.joined(separator: ", "))\" is not a list of different words of \(Appearance.words).",
                remedy: "Give some of \(Appearance.words), and integrity strict or tolerant."
            )
            return nil
        }
        return looks
    }

    private static func tags(_ keys: Keys) -> [String]? {
        guard let tags = keys.words(.tags) else { return nil }
        guard (1...StillRequest.mostTags).contains(tags.count), tags.allSatisfy(StillRequest.isValid(tag:)),
            Set(tags).count == tags.count
        else {
            keys.fault(
                .tags,
                "\"\(tags.joined(separator: ", "))\" is not a list of at most \(StillRequest.mostTags) different tags.",
                remedy: StillRequest.tagRemedy
            )
            return nil
        }
        return tags
    }

    /// Notes it where the wall clock does not say when the slots are, or none is ever in the part of the day.
    private static func checkSlots(of schedule: PublishSchedule, _ keys: Keys) {
        guard case .every(let every, .clock) = schedule.rate else { return }
        let day = Duration.seconds(86_400)
        guard every <= day || (every.nanosecondCount % day.nanosecondCount == 0) else {
            keys.fault(
                .align,
                "Slots \(HumanDuration.text(every)) apart fall at other times on each day.",
                remedy: "Let every be a day or less, or whole days; or leave align out."
            )
            return
        }
        let utc = LocalZone { _ in 0 }
        guard schedule.times(in: utc).run(from: Timestamp(microseconds: 0)) == nil else { return }
        keys.fault(
            schedule.hours == nil ? .days : .between,
            "No slot of \(schedule) falls into it.",
            remedy: "Give a time of the day in it with align, such as align: 12:00, or a shorter every."
        )
    }
}

extension MappingReader {
    /// The duration from one picture to the next that is the value of `key`.
    fileprivate func interval(_ key: Key) -> Duration? {
        let remedy = "Give a number and its unit (ms, s, m, h or d), such as 60s or 5m."
        guard let every = scalar(key, "a duration", remedy: remedy, { HumanDuration.parse($0.string) }) else {
            return nil
        }
        guard (PublishSchedule.shortest...PublishSchedule.longest).contains(every) else {
            fault(
                key,
                "\"\(node(key)?.string ?? "")\" is out of range.",
                remedy: "Give a duration from \(HumanDuration.text(PublishSchedule.shortest))"
                    + " to \(HumanDuration.text(PublishSchedule.longest))."
            )
            return nil
        }
        return every
    }

    /// The word that is the value of `key`.
    fileprivate func word<Word: RawRepresentable<String> & CaseIterable>(_ key: Key, _ type: Word.Type) -> Word? {
        let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
        return scalar(key, "one of \(words)", remedy: "Give one of them.") { Word(rawValue: $0.string) }
    }

    /// The words that are the value of `key`: a list of them, or one.
    fileprivate func words(_ key: Key) -> [String]? {
        guard let node = node(key) else { return nil }
        if case .sequence(let list) = node { return list.map { $0.scalar?.string ?? $0.kind } }
        return scalar(key, "a word or a list of them", remedy: "Give one or several.") { [$0.string] }
    }
}
