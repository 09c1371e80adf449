// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel
import TintypeSpool

@testable import tintyped

struct RetentionSettingsTests {
    private static let intact = RetentionRule(keep: .seconds(30 * 86_400), filter: .is(.verdict(.intact)))

    private func read(_ text: String) throws -> DaemonConfiguration { try ConfigurationReader.read(text, file: "f") }

    private func faults(_ text: String) throws -> [String] {
        let error = try #require(throws: ConfigurationError.self) { _ = try read(text) }
        return error.faults.map(\.description)
    }

    @Test func `reads every key of a spool's and a camera's retention`() throws {
        let configuration = try read(
            """
            spool:
              retention:
                rules:
                  - {keep: 30d, where: "verdict:intact"}
                  - {keep: 1y, where: "any(tag:alarm, not camera:yard)"}
                maxAge: 36h
                maxFrames: 500000
                maxBytes: 1.5G
                films: 90d
                minFree: 2G
            cameras:
              front:
                device: /dev/video0
                retention: {maxAge: 90d, maxFrames: 10, maxBytes: 64k, films: 1y, rules: []}
            """
        )
        let alarms = FrameFilter.any([.is(.tag("alarm")), .not(.is(.camera("yard")))])
        let spool = RetentionSettings(
            rules: [Self.intact, RetentionRule(keep: .seconds(365 * 86_400), filter: alarms)],
            maxAge: .seconds(36 * 3600),
            maxFrames: 500_000,
            maxBytes: 3 << 29,
            films: .seconds(90 * 86_400),
            minFree: 2 << 30
        )
        #expect(configuration.spool.retention == spool)
        let (age, year) = (Duration.seconds(90 * 86_400), Duration.seconds(365 * 86_400))
        let camera = RetentionSettings(maxAge: age, maxFrames: 10, maxBytes: 65_536, films: year)
        #expect(configuration.cameras[0].retention == camera)
    }

    @Test func `accepts a bare list of rules`() throws {
        let configuration = try read(
            """
            spool: {retention: [{keep: 30d, where: "verdict:intact"}]}
            cameras: {front: {device: /dev/video0, retention: [{keep: 1d, where: pinned}]}}
            """
        )
        #expect(configuration.spool.retention == RetentionSettings(rules: [Self.intact]))
        #expect(configuration.cameras[0].retention.rules.map(\.filter) == [.is(.pinned(true))])
        #expect(try read("spool: {retention: }").spool.retention == RetentionSettings())
    }

    @Test func `reports each fault with key, place and remedy`() throws {
        let faults = try faults(
            """
            spool:
              retention:
                rules:
                  - {keep: 30, where: "verdict:intact"}
                  - {keep: 30d, where: "verdict:fine"}
                  - {keep: 30d}
                  - all
                maxAge: 30s
                maxFrames: 0
                maxBytes: much
                minFree: 0
                minFrames: 3
            cameras:
              front:
                device: /dev/video0
                retention: {minFree: 1G}
            """
        )
        let expected = [
            ("f:4:16: spool.retention.rules[0].keep: \"30\" is no time", "such as 30d"),
            ("f:5:28: spool.retention.rules[1].where: ", "character 9"),
            ("f:6:9: spool.retention.rules[2]: The key where is missing.", "verdict:intact"),
            ("f:7:9: spool.retention.rules[3]: ", "Give keys"),
            ("f:8:13: spool.retention.maxAge: \"30s\" is no time from 1m to 10y", ""),
            ("f:9:16: spool.retention.maxFrames: ", "from 1 to"),
            ("f:10:15: spool.retention.maxBytes: \"much\" is not a number of bytes", "such as 20G"),
            ("f:11:14: spool.retention.minFree: ", "such as 20G"),
            ("f:12:5: spool.retention.minFrames: There is no such key.", "maxFrames"),
            ("f:16:17: cameras.front.retention.minFree: There is no such key.", ""),
        ]
        #expect(faults.count == expected.count, "\(faults.joined(separator: "\n"))")
        for (fault, (beginning, words)) in zip(faults, expected) {
            #expect(fault.hasPrefix(beginning) && fault.contains(words.isEmpty ? " " : words), "\(fault)")
        }
    }

    @Test(arguments: ["kind:film", "camera:yard, kind:clip", "any(kind:film, kind:clip)"])
    func `rejects a rule that no still can match`(_ filter: String) throws {
        let faults = try faults("spool: {retention: [{keep: 1d, where: \"\(filter)\"}]}")
        #expect(
            faults.count == 1 && faults[0].contains("never matches: rules concern stills only")
                && faults[0].contains("films: 30d")
        )
        for filter in ["kind:still", "not kind:film", "any(kind:film, tag:a)"] {
            _ = try read("spool: {retention: [{keep: 1d, where: \"\(filter)\"}]}")
        }
    }

    @Test func `rejects retention that is neither a list nor a mapping`() throws {
        for value in ["30d", "5", "{rules: {keep: 30d}}"] {
            #expect(try !faults("spool: {retention: \(value)}").isEmpty)
        }
    }
}
