// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Runs `body` with a new folder, removed afterwards.
package func inTemporaryFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    let folder = try makeFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try body(folder)
}

/// Asynchronous form of ``inTemporaryFolder(_:)``.
package func withTemporaryFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let folder = try makeFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try await body(folder)
}

private func makeFolder() throws -> String {
    // Short: a socket's path has at most 103 bytes.
    let folder = "/tmp/tt-\(UInt32.random(in: 0...UInt32.max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    return folder
}
