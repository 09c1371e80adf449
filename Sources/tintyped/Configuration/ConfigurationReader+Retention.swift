// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import TintypeSpool
internal import Yams

extension ConfigurationReader {
    /// The rules by which pictures of a spool or a camera are deleted: the value of `key`, a list of rules or a
    /// mapping.
    ///
    /// `Limits` are the keys of the mapping; without the key, nothing goes.
    static func retention<Key, Limits: RetentionKey>(
        _ keys: MappingReader<Key>,
        _ key: Key,
        _ limits: Limits.Type
    ) -> RetentionSettings {
        guard let node = keys.node(key), node.yamlType != .null else { return RetentionSettings() }
        if case .sequence(let sequence) = node {
            return RetentionSettings(rules: rules(sequence, at: keys.name(key), faults: keys.faults))
        }
        guard let reader = keys.mapping(key, limits) else { return RetentionSettings() }
        var settings = RetentionSettings()
        if let rules = reader.node(.rules) {
            if case .sequence(let sequence) = rules {
                settings.rules = Self.rules(sequence, at: reader.name(.rules), faults: keys.faults)
            } else {
                reader.fault(.rules, "The value is \(rules.kind) and not a list of rules.", remedy: ruleRemedy)
            }
        }
        settings.maxAge = reader.scalar(.maxAge, "an age from 1m to 10y", remedy: ageRemedy) { age($0.string) }
        settings.maxFrames = reader.integer(.maxFrames, in: 1...1_000_000_000)
        settings.maxBytes = reader.scalar(.maxBytes, "a number of bytes", remedy: bytesRemedy) { bytes($0.string) }
        if let minFree = Limits.leastFree {
            settings.minFree =
                reader.scalar(minFree, "a number of bytes", remedy: bytesRemedy) { bytes($0.string) }
                .map { UInt64($0) } ?? settings.minFree
        }
        return settings
    }

    private static let ruleRemedy = "Give a list such as [{keep: 30d, where: \"verdict:intact\"}]."
    private static let ageRemedy = "Give a number and its unit (m, h, d or y), such as 30d or 1y."
    private static let bytesRemedy = "Give a number and its unit (k, M, G or T, of 1024 each), such as 20G."

    private static func age(_ text: String) -> Duration? {
        HumanDuration.parse(text).flatMap { $0 >= RetentionSettings.shortestAge ? $0 : nil }
    }

    private static func bytes(_ text: String) -> Int? { HumanBytes.parse(text).flatMap { $0 > 0 ? $0 : nil } }

    private static func rules(
        _ sequence: Node.Sequence,
        at path: String,
        faults: FaultCollector
    ) -> [RetentionRule] {
        sequence.enumerated().compactMap { index, node in
            let keys = MappingReader<ConfigurationKey.RetentionRule>(node, at: "\(path)[\(index)]", faults: faults)
            guard node.mapping != nil else { return nil }
            let keep = keys.scalar(.keep, "an age from 1m to 10y", remedy: ageRemedy) { age($0.string) }
            let filter = filter(keys)
            for key in [ConfigurationKey.RetentionRule.keep, .where] where keys.node(key) == nil {
                faults.add(node.mark, key: keys.name(key), "The key \(key.rawValue) is missing.", remedy: ruleRemedy)
            }
            guard let keep, let filter else { return nil }
            return RetentionRule(keep: keep, filter: filter)
        }
    }

    private static func filter(_ keys: MappingReader<ConfigurationKey.RetentionRule>) -> FrameFilter? {
        let remedy = "Give a filter such as \"verdict:intact\"."
        let text = keys.text(.where, "a filter", remedy: remedy) { !$0.isEmpty }
        guard let text else { return nil }
        do throws(Problem) {
            return try FrameFilter(parsing: text, field: keys.name(.where))
        } catch {
            keys.fault(.where, error.detail, remedy: error.remedy)
            return nil
        }
    }
}

/// Keys of a `retention` mapping.
protocol RetentionKey: RawRepresentable, CaseIterable, Hashable where RawValue == String {
    static var rules: Self { get }
    static var maxAge: Self { get }
    static var maxFrames: Self { get }
    static var maxBytes: Self { get }
    /// The key for the free space of the file system; nil where there is none.
    static var leastFree: Self? { get }
}

extension ConfigurationKey.Retention: RetentionKey {
    static var leastFree: Self? { .minFree }
}

extension ConfigurationKey.CameraRetention: RetentionKey {
    static var leastFree: Self? { nil }
}
