// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

final class TemporaryFolder: Sendable {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.path + "/tintyped-\(UUID().uuidString.prefix(8))"
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            Issue.record(error, "\(path) cannot be made")
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String) throws -> String { try write(Array(text.utf8), to: name) }

    func write(_ bytes: [UInt8], to name: String) throws -> String {
        let file = "\(path)/\(name)"
        try Data(bytes).write(to: URL(filePath: file))
        return file
    }
}
