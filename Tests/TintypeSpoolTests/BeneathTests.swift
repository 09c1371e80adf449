// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing

@testable internal import TintypeSpool

/// Paths that would lead out of the spool.
@Suite struct BeneathTests {
    private let folder: SpoolFolder
    private var files: SystemFiles { SystemFiles(root: folder.path, ownership: Ownership()) }
    private var outside: String { String(folder.path.dropLast("/spool".count)) }

    /// Makes a spool folder with a file, and next to it another folder that links in the spool point to.
    init() throws {
        folder = SpoolFolder()
        try folder.write([1], to: "door/one.jpg")
        try folder.write([2], to: "../other/two.jpg")
        try folder.link("door/away", to: "\(outside)/other")
        try folder.link("door/link.jpg", to: "\(outside)/other/two.jpg")
    }

    /// File calls with a path.
    private func calls(_ files: SystemFiles, _ path: String) -> [(String, () throws -> Void)] {
        let inside = "\(folder.path)/door/one.jpg"
        return [
            ("status", { if try files.status(of: path, following: true) == nil { throw CancellationError() } }),
            ("read", { _ = try files.read(path, atMost: 99) }),
            ("names", { _ = try files.names(in: path) }),
            ("target", { _ = try files.target(ofLink: path) }),
            ("availableBytes", { _ = try files.availableBytes(at: path) }),
            ("syncFolder", { try files.syncFolder(path) }),
            ("create", { try files.close(try files.create(path, mode: 0o640)) }),
            ("makeFolder", { try files.makeFolder(path, mode: 0o750) }),
            ("makeLink", { try files.makeLink(path, to: "x") }),
            ("move from", { try files.move(path, to: "\(folder.path)/door/three.jpg") }),
            ("move to", { try files.move(inside, to: path) }),
            ("replace", { try files.replace(path, by: inside) }),
            ("replace by", { try files.replace(inside, by: path) }),
            ("remove", { try files.remove(path) }),
        ]
    }

    /// Returns every file and its bytes, inside and outside the spool.
    private func all() throws -> [String: Data?] {
        var all: [String: Data?] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: outside) {
            all[path] = try? Data(contentsOf: URL(fileURLWithPath: "\(outside)/\(path)"))
        }
        return all
    }

    @Test func `no file call follows a path out of the spool`() throws {
        let before = try all()
        let paths = [
            "../other/two.jpg", "door/../../other/two.jpg", "door/../door/one.jpg", "door//one.jpg", "door/./one.jpg",
            "door/away/two.jpg", "door/away/new.jpg", "door/..", "/etc/passwd", "door/one.jpg/", "door/a\0/../one.jpg",
        ]
        for path in paths {
            for (name, call) in calls(files, "\(folder.path)/\(path)") {
                let error = #expect(throws: FileError.self, "\(name) \(path)") { try call() }
                #expect(error.map(\.isOfOneName) == true, "\(name) \(path): \(error as Any)")
            }
            #expect(try all() == before, "\(path)")
        }
    }

    @Test func `does not follow a link at the end of a path`() throws {
        let link = "\(folder.path)/door/link.jpg"
        #expect(try files.status(of: link, following: true)?.kind == .link)
        #expect(throws: FileError("open", link, code: ELOOP)) { try files.read(link, atMost: 99) }
        let away = "\(folder.path)/door/away"
        #expect(throws: FileError.self) { try files.names(in: away) }
        #expect(throws: FileError.self) { try files.syncFolder(away) }
    }

    @Test func `the spool folder itself may be a link`() throws {
        let link = "\(outside)/by-link"
        try folder.link("../by-link", to: folder.path)
        let files = SystemFiles(root: link, ownership: Ownership())
        #expect(try files.names(in: link) == ["door"])
        #expect(try files.read("\(link)/door/one.jpg", atMost: 99) == [1])
        #expect(try files.status(of: link, following: true)?.kind == .folder)
        try files.makeFolder("\(link)/.incoming", mode: 0o750)
        try files.makeFolder("\(link)/yard", mode: 0o750)
        try files.makeFile("\(link)/yard/three.jpg", [3], mode: 0o640)
        try files.syncFolder("\(link)/yard")
        #expect(try folder.bytes("yard/three.jpg") == [3])
    }

    @Test(arguments: [
        ("door/a.jpg", true), ("door/2026/11/21/a b\u{338}.jpg", true), ("yard/a.jpg", false), ("door.jpg", false),
        ("/door/a.jpg", false), ("door/../a.jpg", false), ("../door/a.jpg", false), ("door//a.jpg", false),
        ("door/.a.jpg", false), ("door/./a.jpg", false), ("door/a.jpg/", false), ("door/a", false), ("", false),
        ("door/..\u{338}/a.jpg", false), ("door/\u{0}.jpg", false), ("door/.jpg", false),
        ("door/" + String(repeating: "n", count: 252) + ".jpg", false),
        ("door/" + String(repeating: "n/", count: 2100) + "a.jpg", false),
    ])
    func `accepts only row paths of pictures below the camera's folder`(_ path: String, _ isPossible: Bool) {
        #expect(SpoolPath.isPossible(path, of: "door") == isPossible)
    }
}
