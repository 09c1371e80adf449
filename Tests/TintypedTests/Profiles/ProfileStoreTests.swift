// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TintypeModel

@testable import tintyped

struct ProfileStoreTests {
    private static let settings = ControlSettings(["gain": .integer(7), "mode": .text("auto"), "hflip": .boolean(true)])
    private let temporary = TemporaryFolder()
    private let folder: String
    private let store: ProfileStore

    init() {
        folder = temporary.path + "/state"
        store = ProfileStore(in: folder, clock: ManualClock())
    }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test func `another store reads a saved profile`() async throws {
        #expect(try await store.profiles(of: "front").isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder))
        try await store.save(Self.settings, as: "night", of: "front")
        try await store.save(ControlSettings(["gain": .integer(1)]), as: "day.2", of: "front")
        let again = try await ProfileStore(in: folder, clock: ManualClock()).profiles(of: "front")
        #expect(again.map(\.name) == ["day.2", "night"])
        #expect(again[1] == ControlProfile(name: "night", source: .saved, controls: Self.settings))
        #expect(try await store.profiles(of: "back").isEmpty)
    }

    @Test func `a saved profile is readable by user and group only`() async throws {
        try await store.save(Self.settings, as: "night", of: "front")
        #expect(try mode("\(folder)/profiles/front/night.json") == 0o640)
        for path in ["", "/profiles", "/profiles/front"] { #expect(try mode(folder + path) == 0o750) }
    }

    @Test func `replaces a profile without leaving temporary files`() async throws {
        try await store.save(Self.settings, as: "night", of: "front")
        try await store.save(ControlSettings(["gain": .integer(1)]), as: "night", of: "front")
        #expect(try await store.profiles(of: "front").first?.controls.values == ["gain": .integer(1)])
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/profiles/front")
        #expect(names == ["night.json"])
    }

    @Test(arguments: [
        "[1]", "", "{", "{\"gain\": []}", "{\"gain\": 9223372036854775808}", "{\"gain\": 1e308}", "{\"gain\": 1e999}",
    ])
    func `lists an invalid file as damaged with a remedy`(_ text: String) async throws {
        try await store.save(Self.settings, as: "night", of: "front")
        let path = "\(folder)/profiles/front/day.json"
        try Data(text.utf8).write(to: URL(filePath: path))
        let listed = try await store.profiles(of: "front")
        #expect(listed.map(\.name) == ["day", "night"] && listed[1].damage == nil)
        #expect(listed[0].damage?.contains("understand the profile \(path)") == true)
        #expect(listed[0].damage?.hasSuffix("Save it again, or remove the file.") == true)
        #expect(try await store.profile("night", of: "front")?.controls == Self.settings)
        #expect(try await store.profile("dusk", of: "front") == nil)
        #expect(await problem { try await store.profile("day", of: "front") } != nil)
        try await store.save(Self.settings, as: "day", of: "front")
        #expect(try await store.profiles(of: "front").allSatisfy { $0.damage == nil })
    }

    @Test func `does not read a profile of 8 TiB`() async throws {
        try await store.save(Self.settings, as: "night", of: "front")
        try await store.save(Self.settings, as: "day", of: "front")
        let file = try FileHandle(forWritingTo: URL(filePath: "\(folder)/profiles/front/day.json"))
        try file.truncate(atOffset: 8 << 40)
        try file.close()
        let listed = try await store.profiles(of: "front")
        #expect(listed.map { $0.damage == nil } == [false, true])
        #expect(listed[0].damage?.contains("file too large") == true)
        #expect(try await store.remove("day", of: "front"))
    }

    @Test(arguments: ["Night", "a b", "\u{1B}[31mred", "\u{202E}x", "é", String(repeating: "x", count: 200)])
    func `neither lists nor removes a file with an invalid name`(_ name: String) async throws {
        try await store.save(Self.settings, as: "night", of: "front")
        let files = "\(folder)/profiles/front"
        try FileManager.default.copyItem(atPath: "\(files)/night.json", toPath: "\(files)/\(name).json")
        #expect(try await store.profiles(of: "front").map(\.name) == ["night"])
        #expect(try await !store.remove(name, of: "front"))
    }

    @Test(arguments: ["../front/night", "..", "/etc/passwd", "night\0", ""])
    func `removes a profile once, and nothing by an invalid name`(_ name: String) async throws {
        try await store.save(Self.settings, as: "night", of: "front")
        #expect(try await !store.remove(name, of: "front"))
        #expect(try await store.profiles(of: "front").map(\.name) == ["night"])
        for isThere in [true, false] { #expect(try await store.remove("night", of: "front") == isThere) }
    }

    @Test func `limits number and size of a camera's profiles`() async throws {
        for number in 0..<ProfileStore.most { try await store.save(Self.settings, as: "p\(number)", of: "front") }
        let refused = await problem { try await store.save(Self.settings, as: "more", of: "front") }
        #expect(refused?.code == .configurationConflict && refused?.detail.contains("64") == true)
        try await store.save(ControlSettings(["gain": .integer(1)]), as: "p7", of: "front")
        try await store.save(Self.settings, as: "more", of: "back")
        #expect(try await store.remove("p8", of: "front"))
        try await store.save(Self.settings, as: "more", of: "front")
        let large = ControlSettings(["label": .text(String(repeating: "x", count: 70_000))])
        #expect(await problem { try await store.save(large, as: "p7", of: "front") }?.code == .tooLarge)
        #expect(try await store.profiles(of: "front").count == ProfileStore.most)
    }

    @Test func `a failed replacement leaves no temporary file`() async throws {
        try await store.save(Self.settings, as: "day", of: "front")
        let path = "\(folder)/profiles/front"
        try FileManager.default.createDirectory(atPath: "\(path)/night.json", withIntermediateDirectories: false)
        #expect(await problem { try await store.save(Self.settings, as: "night", of: "front") } != nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted() == ["day.json", "night.json"])
    }

    @Test func `hidden and backup files are not profiles`() async throws {
        try await store.save(Self.settings, as: "night", of: "front")
        let path = "\(folder)/profiles/front"
        for name in [".night-7.json", "night.json~"] {
            try FileManager.default.copyItem(atPath: "\(path)/night.json", toPath: "\(path)/\(name)")
        }
        #expect(try await store.profiles(of: "front").map(\.name) == ["night"])
    }

    @Test func `concurrent first saves all succeed`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask { try await store.save(Self.settings, as: "p\(number)", of: "front") }
            }
            try await group.waitForAll()
        }
        #expect(try await store.profiles(of: "front").count == 8)
    }

    @Test func `does not follow a symlink in place of a camera's folder`() async throws {
        try await store.save(Self.settings, as: "night", of: "front")
        let elsewhere = "\(folder)/elsewhere"
        try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/profiles/yard", withDestinationPath: elsewhere)
        #expect(await problem { try await store.save(Self.settings, as: "night", of: "yard") } != nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).isEmpty)
    }

    @Test func `a folder that cannot be created is named with --state as remedy`() async throws {
        let file = try temporary.write("x", to: "file")
        let store = ProfileStore(in: file, clock: ManualClock())
        let problem = await problem { try await store.save(Self.settings, as: "night", of: "front") }
        #expect(problem?.code == .spoolUnavailable)
        #expect(problem?.detail.contains(file) == true)
        #expect(problem?.remedy.contains("--state") == true, "\(problem?.remedy ?? "")")
    }
}
