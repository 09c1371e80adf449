// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TintypeModel

@testable import tintyped

/// Spools with equal or nested folders, under any path.
struct SpoolFolderTests {
    private func shared(_ folders: String...) -> String? {
        var file = DaemonConfiguration()
        file.spool.folder = folders[0]
        file.spools = folders.dropFirst().enumerated().map { SpoolSettings(name: "usb\($0)", folder: $1) }
        do throws(Problem) {
            _ = try DaemonSettings(file, DaemonFlags(workingFolder: "/"))
            return nil
        } catch {
            return error.detail
        }
    }

    @Test(arguments: [("/x/a", "/x/a/"), ("/x/a", "/x//a/b"), ("/x/a/b", "/x/a"), ("/x/a", "/y/../x/./a/b")])
    func `reports a shared folder by the names of its spools`(_ first: String, _ second: String) {
        let words = "share a folder, or one is inside of the other: \(first) and \(second)."
        #expect(shared(first, second, "/x/c") == "The spools default and usb0 \(words)")
        #expect(shared("/x/c", first, second) == "The spools usb0 and usb1 \(words)")
        #expect(shared("/x/ab", first, "/x/c") == nil)
    }

    @Test func `resolves symlinks above a folder that does not exist yet`() throws {
        let (manager, temporary) = (FileManager.default, TemporaryFolder())
        let folder = temporary.path
        try manager.createDirectory(atPath: "\(folder)/disk", withIntermediateDirectories: true)
        try manager.createSymbolicLink(atPath: "\(folder)/link", withDestinationPath: "disk")
        try manager.createSymbolicLink(atPath: "\(folder)/other", withDestinationPath: "\(folder)/link/../link")
        try manager.createSymbolicLink(atPath: "\(folder)/round", withDestinationPath: "round")
        for alias in ["link", "other", "link/spool/deeper"] {
            #expect(shared("\(folder)/disk/spool", "\(folder)/\(alias)") != nil, "\(alias)")
        }
        var file = DaemonConfiguration()
        file.spools = [SpoolSettings(name: "usb", folder: "\(folder)/other/b")]
        func settings(_ spool: String) throws -> DaemonSettings {
            try DaemonSettings(file, DaemonFlags(spool: spool, workingFolder: folder))
        }
        let error = #expect(throws: Problem.self) { try settings("disk/b") }
        #expect(error?.detail.contains("default and usb") == true)
        #expect(try settings("disk/c").configuration.spools.count == 1)
        #expect(try settings("round").configuration.spools.count == 1)
    }
}
