// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TintypeModel

@testable import tintyped

/// Spools with equal or nested folders, under any path.
struct SpoolFolderTests {
    private func fault(_ first: String, _ second: String, _ third: String = "/x/c") -> ConfigurationFault? {
        let text = """
            spool: {folder: "\(first)"}
            spools:
              usb: {folder: "\(second)"}
              card: {folder: "\(third)"}
            """
        let error = #expect(throws: ConfigurationError.self) { try ConfigurationReader.read(text, file: "t.yaml") }
        #expect(error?.faults.count == 1)
        return error?.faults.first
    }

    @Test(arguments: [("/x/a", "/x/a/"), ("/x/a", "/x//a/b"), ("/x/a/b", "/x/a"), ("/x/a", "/y/../x/./a/b")])
    func `reports a shared folder by line and key`(_ first: String, _ second: String) {
        let wrong = fault(first, second)
        #expect(wrong?.key == "spools.usb.folder")
        #expect(wrong?.place?.line == 3)
        #expect(wrong?.detail.contains("the spool default, \(first)") == true)
        let last = fault("/x/c", first, second)
        #expect(last?.key == "spools.card.folder" && last?.place?.line == 4)
        #expect(last?.detail.contains("the spool usb, \(first)") == true)
    }

    @Test func `resolves symlinks above a folder that does not exist yet`() throws {
        let (manager, temporary) = (FileManager.default, TemporaryFolder())
        let folder = temporary.path
        try manager.createDirectory(atPath: "\(folder)/disk", withIntermediateDirectories: true)
        try manager.createSymbolicLink(atPath: "\(folder)/link", withDestinationPath: "disk")
        try manager.createSymbolicLink(atPath: "\(folder)/other", withDestinationPath: "\(folder)/link/../link")
        try manager.createSymbolicLink(atPath: "\(folder)/round", withDestinationPath: "round")
        for alias in ["link", "other", "link/spool/deeper"] {
            #expect(fault("\(folder)/disk/spool", "\(folder)/\(alias)")?.key == "spools.usb.folder")
        }
        var file = DaemonConfiguration()
        file.spools = [SpoolSettings(name: "usb", folder: "\(folder)/other/b")]
        func settings(_ spool: String) throws -> DaemonSettings {
            try DaemonSettings(file, DaemonFlags(spool: spool, workingFolder: folder))
        }
        let shared = #expect(throws: Problem.self) { try settings("disk/b") }
        #expect(shared?.detail.contains("default and usb") == true)
        #expect(try settings("disk/c").configuration.spools.count == 1)
        #expect(try settings("round").configuration.spools.count == 1)
    }
}
