// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Runs `body` with a new folder of its own, which is removed afterwards.
func withTemporaryFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    // Short: a socket's path has at most 103 bytes.
    let folder = "/tmp/ttc-\(UInt32.random(in: 0...UInt32.max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try await body(folder)
}
