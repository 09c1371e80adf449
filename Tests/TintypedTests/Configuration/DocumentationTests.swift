// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import TestSupport
import Testing
import TintypeCapture
import TintypeModel
import Yams

@testable import tintyped

/// Documentation of the configuration, checked against the reader.
struct DocumentationTests {
    /// config/tintyped.yaml with its commented-out keys enabled.
    private static func example() throws -> String {
        let key = /^( *)# ?( *(?:- \{)?[A-Za-z]+:(?: [^ ].*)?)$/
        let comment = /^#( +#.*)$/
        let text = try Repository.text("config/tintyped.yaml")
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if let match = line.wholeMatch(of: comment) { return String(match.1) }
            if let match = line.wholeMatch(of: key) { return String(match.1 + match.2) }
            return String(line)
        }.joined(separator: "\n")
    }

    private static func paths(_ node: Node, below path: String = "") -> [String] {
        if case .sequence(let list) = node { return list.flatMap { paths($0, below: path) } }
        guard case .mapping(let mapping) = node else { return [] }
        return mapping.flatMap { key, value -> [String] in
            let name = ["cameras.", "hooks.", "uploads."].contains(path) ? "NAME" : key.string ?? ""
            // Keys below these are free names of controls, profiles, spools and header fields.
            let isFree = ["cameras.NAME.controls", "cameras.NAME.profiles", "spools", "uploads.NAME.headers"]
                .contains(path + name)
            return [path + name] + (isFree ? [] : paths(value, below: "\(path)\(name)."))
        }
    }

    @Test func `config/tintyped.yaml parses to the defaults`() throws {
        let text = try Repository.text("config/tintyped.yaml")
        let configuration = try ConfigurationReader.read(text, file: "tintyped.yaml")
        #expect(configuration == DaemonConfiguration())
    }

    @Test func `the commented-out keys show the defaults`() throws {
        let configuration = try ConfigurationReader.read(try Self.example(), file: "tintyped.yaml")
        let camera = try #require(configuration.cameras.first)
        let defaults = CameraConfiguration(name: camera.name, source: camera.source)
        #expect(camera.session.warmth == defaults.session.warmth)
        #expect(camera.session.quality == defaults.session.quality)
        #expect(camera.session.ring == RingConfiguration(quality: camera.session.quality))
        #expect(camera.session.allowsGap == defaults.session.allowsGap)
        #expect(camera.session.stall == .auto && camera.session.firstFrame == .auto)
        let alarms = CameraAlarm.allCases.map { ($0, CameraAlarm.usualTime) }
        #expect(camera.session.alarms == Dictionary(uniqueKeysWithValues: alarms))
        #expect(camera.readsCodes == defaults.readsCodes)
        let recover = try #require(camera.recover)
        #expect(recover == RecoverConfiguration(command: recover.command))
        #expect(camera.latest?.every == LatestSettings().every)
        #expect(camera.film?.minutes == FilmSettings().minutes && camera.film?.style.fps == FilmStyle.standardRate)
        #expect(camera.publish.first.map { [$0.settle.rawValue, $0.integrity.rawValue] } == ["auto", "strict"])
        #expect(camera.publish.first?.durability == .full)
        #expect(configuration.socket.group != nil)
        #expect(configuration.spool.owner != nil && configuration.spool.group != nil)
        #expect(configuration.spools.map(\.name) == [camera.spool])
        let uploads = configuration.uploads
        #expect(uploads.map(\.options.order) == [.oldest, .oldest] && uploads.allSatisfy { $0.options.record == nil })
        #expect(uploads.allSatisfy { $0.priority == 0 && !$0.deletes } && configuration.jobs == JobSettings())
    }

    @Test func `config/tintyped.yaml has every key`() throws {
        let node = try #require(try Yams.compose(yaml: try Self.example()))
        let documented = Set(Self.paths(node)).subtracting(["cameras.NAME", "hooks.NAME", "uploads.NAME"])
        #expect(documented == Set(ConfigurationKey.allPaths))
    }

    @Test(arguments: [
        "README.md", "docs/how-to/access.md", "docs/how-to/alarms.md", "docs/how-to/clips.md", "docs/how-to/codes.md",
        "docs/how-to/films.md", "docs/how-to/hooks.md", "docs/how-to/keeping.md", "docs/how-to/motion.md",
        "docs/how-to/publishing.md", "docs/how-to/uploads.md", "docs/reference/cameras.md",
        "docs/reference/rendering.md", "docs/start/first-steps.md", "docs/start/page.md",
    ])
    func `configurations in the documentation are valid`(_ path: String) throws {
        let blocks = try Repository.text(path).split(separator: "```").filter { $0.hasPrefix("yaml\n") }
        #expect(!blocks.isEmpty)
        for block in blocks { _ = try ConfigurationReader.read(String(block.dropFirst(5)), file: path) }
    }

    @Test func `tintyped.yaml(5) has every key`() throws {
        let page = try Repository.text("man/tintyped.yaml.5")
        let entries = Set(page.split(separator: "\n").map(String.init))
        for path in ConfigurationKey.allPaths where path.contains(".") {
            let parts = path.split(separator: ".", maxSplits: 2).map(String.init)
            let isNamed = ["cameras", "hooks", "uploads"].contains(parts[0])
            let entry = isNamed ? ".BI \(parts[0]). NAME .\(parts[2])" : ".B \(path)"
            #expect(entries.contains(entry), "\(path) has no entry in man/tintyped.yaml.5")
        }
        let formats = page.replacing("\n", with: " ")
        for format in FourCC.supported.map(\.description) { #expect(formats.contains(format)) }
    }

    @Test func `tintyped(8) has every flag`() throws {
        let page = try Repository.text("man/tintyped.8").replacing("\\-", with: "-")
        let flags = Set(Tintyped.helpMessage(columns: 200).matches(of: /--[a-z-]+/).map { String($0.output) })
        #expect(flags.count >= 8)
        for flag in flags { #expect(page.contains(flag), "\(flag) is not in man/tintyped.8") }
    }

    @Test func `docs/reference/operations.md has every state, health reason and error`() throws {
        let sections = try Repository.text("docs/reference/operations.md").components(separatedBy: "\n## ")
        let states = try #require(sections.first { $0.hasPrefix("States of a camera\n") })
        for name in SessionState.Name.allCases { #expect(states.contains("\n| `\(name.rawValue)` |")) }
        let reasons = try #require(sections.first { $0.hasPrefix("Health\n") })
        for code in HealthReason.Code.allCases { #expect(reasons.contains("\n| `\(code.rawValue)` |")) }
        let errors = try #require(sections.first { $0.hasPrefix("Errors\n") })
        for code in ProblemCode.allCases {
            #expect(errors.contains("\n| `\(code.rawValue)` | \(code.exitStatus) |"))
        }
    }

    @Test func `manual pages and changelog have the current version`() throws {
        for page in ["man/tintyped.8", "man/tintyped.yaml.5"] {
            #expect(try Repository.text(page).contains("\"tintype \(TintypeVersion.current)\""))
        }
        #expect(try Repository.text("CHANGELOG.md").contains(TintypeVersion.current))
    }
}

extension ConfigurationKey {
    /// Path of every key, with `NAME` for a camera, a hook or an upload.
    fileprivate static var allPaths: [String] {
        let retention = Retention.allCases.map(\.rawValue) + RetentionRule.allCases.map { "rules.\($0.rawValue)" }
        let alarms = CameraAlarm.allCases.map(\.rawValue).flatMap { alarm in
            [alarm] + Alarm.allCases.map { "\(alarm).\($0.rawValue)" }
        }
        let camera: [(String, [String])] = [
            ("gps", Position.allCases.map(\.rawValue)), ("look", Look.allCases.map(\.rawValue)),
            ("look.overlay", Overlay.allCases.map(\.rawValue)), ("publish", Publish.ofFrames.map(\.rawValue)),
            ("record", Publish.ofClips.map(\.rawValue)),
            ("latest", Latest.allCases.map(\.rawValue)), ("film", Film.allCases.map(\.rawValue)),
            ("motion", Motion.allCases.map(\.rawValue)), ("alarms", alarms),
            ("recover", Recover.allCases.map(\.rawValue)), ("ring", Ring.allCases.map(\.rawValue)),
            ("match", CameraMatch.Key.allCases.map(\.rawValue)),
            ("retention", retention.filter { ![Retention.minFree, .keepUntil].map(\.rawValue).contains($0) }),
        ]
        return Root.allCases.map(\.rawValue) + Socket.allCases.map { "socket.\($0.rawValue)" }
            + TCP.allCases.map { "tcp.\($0.rawValue)" } + Access.allCases.map { "access.\($0.rawValue)" }
            + Spool.allCases.map { "spool.\($0.rawValue)" } + retention.map { "spool.retention.\($0)" }
            + Upload.allCases.map { "uploads.NAME.\($0.rawValue)" } + Jobs.allCases.map { "jobs.\($0.rawValue)" }
            + State.allCases.map { "state.\($0.rawValue)" } + Hook.allCases.map { "hooks.NAME.\($0.rawValue)" }
            + Camera.names.map { "cameras.NAME.\($0)" }
            + camera.flatMap { name, keys in keys.map { "cameras.NAME.\(name).\($0)" } }
    }
}
