// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import TintypeSpool

extension ConfigurationReader {
    private static let ruleRemedy = "Give a list such as [{keep: 30d, where: \"verdict:intact\"}]."

    /// A list of rules, or a mapping, without `minFree` and `keepUntil` for a camera; without a value, nothing is deleted.
    func retention(at path: String, ofCamera: Bool = false) throws(Problem) -> RetentionSettings {
        guard let value = document[path]?.value, value != .unusable else { return RetentionSettings() }
        if case .list = value { return RetentionSettings(rules: try rules(at: path)) }
        var settings = RetentionSettings()
        let ofSpool = ofCamera ? [ConfigurationKey.Retention.minFree, .keepUntil] : []
        let known = ConfigurationKey.Retention.allCases.filter { !ofSpool.contains($0) }.map(\.rawValue)
        guard let keys = try fields(at: path, ConfigurationKey.Retention.self, of: known) else { return settings }
        settings.rules = try rules(at: keys.path(of: .rules))
        settings.maxAge = try keys.age(.maxAge)
        settings.films = try keys.age(.films)
        settings.maxFrames = try keys.integer(.maxFrames, in: 1...1_000_000_000)
        settings.maxBytes = try keys.bytes(.maxBytes)
        let wrong = "is not “uploaded”."
        let remedy = "Give uploaded, or leave it out."
        let keeps = try keys.text(.keepUntil, wrong, remedy: remedy) { $0 == "uploaded" ? true : nil }
        settings.keepsUntilUploaded = keeps ?? false
        if !ofCamera, let minFree = try keys.bytes(.minFree) { settings.minFree = UInt64(minFree) }
        return settings
    }

    private func rules(at path: String) throws(Problem) -> [RetentionRule] {
        guard let value = document[path]?.value else { return [] }
        guard case .list(let items) = value else {
            document.add(.type("is not a list of rules.", remedy: Self.ruleRemedy), at: path)
            return []
        }
        var rules: [RetentionRule] = []
        for index in items.indices {
            let path = "\(path)[\(index)]"
            guard let keys = try fields(at: path, ConfigurationKey.RetentionRule.self) else { continue }
            for key in [ConfigurationKey.RetentionRule.keep, .where] where keys[key] == nil {
                let (detail, place) = ("The key \(key.rawValue) is missing.", document[path]?.place)
                document.add(keys.path(of: key), detail, remedy: Self.ruleRemedy, place: place)
            }
            let (keep, filter) = (try keys.age(.keep), try filter(keys, .where))
            if filter?.isOfVideos == true {
                let detail = "A rule concerns stills only, so it would never match."
                document.add(keys.path(of: .where), detail, remedy: "Give films: 30d beside the rules instead.")
            }
            if let keep, let filter { rules.append(RetentionRule(keep: keep, filter: filter)) }
        }
        return rules
    }

    /// Nil without the key, or with an invalid value, which is reported.
    func filter<Key>(_ keys: FieldReader<Key>, _ key: Key) throws(Problem) -> FrameFilter? {
        let remedy = "Give a filter such as \"verdict:intact\"."
        let path = keys.path(of: key)
        guard let text = try keys.freeText(key, "is not a filter.", remedy: remedy, where: { !$0.isEmpty }) else {
            return nil
        }
        do throws(Problem) {
            return try FrameFilter(parsing: text, field: path)
        } catch {
            let isQuoted = !ConfigurationKey.mayBeSecret(path)
            let detail = isQuoted ? error.detail : "The value is not a filter."
            document.add(path, detail, remedy: isQuoted ? error.remedy : remedy)
            return nil
        }
    }
}

extension FrameFilter {
    /// True if no still can match, because of a condition on the kind.
    fileprivate var isOfVideos: Bool {
        switch self {
        case .all(let filters): filters.contains(where: \.isOfVideos)
        case .any(let filters): !filters.isEmpty && filters.allSatisfy(\.isOfVideos)
        case .is(.kind(let kind)): kind != .still
        case .is, .not: false
        }
    }
}

extension FieldReader {
    /// True or false, as words.
    func isTrue(_ key: Key) throws(Problem) -> Bool? {
        try text(key, "is not true or false.", remedy: "Give true, or leave it out.") { Bool($0) }
    }

    fileprivate func age(_ key: Key) throws(Problem) -> Duration? {
        let remedy = "Give a number and its unit (m, h, d or y), such as 30d or 1y."
        return try text(key, "is not an age from 1m to 10y.", remedy: remedy) { text in
            HumanDuration.parse(text).flatMap { $0 >= RetentionSettings.shortestAge ? $0 : nil }
        }
    }

    func bytes(_ key: Key) throws(Problem) -> Int? {
        let remedy = "Give a number and its unit (k, M, G or T, of 1024 each), such as 20G."
        return try text(key, "is not a number of bytes.", remedy: remedy) { text in
            HumanBytes.parse(text).flatMap { $0 > 0 ? $0 : nil }
        }
    }
}

extension ConfigurationKey {
    /// Keys of the `retention` of a spool, and, without `minFree` and `keepUntil`, of a camera.
    enum Retention: String, CodingKey, CaseIterable {
        case rules, maxAge, maxFrames, maxBytes, films, minFree, keepUntil
    }
    enum RetentionRule: String, CodingKey, CaseIterable { case keep, `where` }
}
