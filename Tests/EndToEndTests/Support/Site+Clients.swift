// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import tintype

extension Site {
    /// Posts a JSON request of stills and returns the reply.
    func post(_ body: String, to camera: String = "pattern") async throws -> ControlResponse {
        let (path, headers) = ("/v1/cameras/\(camera)/stills", ["Content-Type": "application/json"])
        let request = ControlRequest(
            method: "POST",
            path: path,
            headers: headers,
            body: Array(body.utf8),
            deadline: .patience
        )
        return try await client.send(request)
    }

    /// Takes a still by a JSON request and returns its record.
    func record(_ body: String, of camera: String = "pattern") async throws -> StillRecord {
        let reply = try await post(body, to: camera)
        #expect(reply.status == 201, "\(body): \(String(decoding: reply.body, as: UTF8.self))")
        return try #require(try WireFormat.decode(StillList.self, from: reply.body).stills.first)
    }

    /// Takes a still of the camera `pattern`, and returns its record.
    func still(_ request: StillRequest = StillRequest(deadline: .patience)) async throws -> StillRecord {
        try await client.still(request, of: "pattern")
    }

    /// Expects that djpeg(1) decodes a picture without a warning.
    func expectWhole(_ path: String, _ what: String) async throws {
        let djpeg = try await shell("djpeg '\(path)' > /dev/null")
        #expect(djpeg.status == 0 && djpeg.errors.isEmpty, "\(what): \(djpeg.errors)")
    }

    /// Values of `/metrics` by name and labels as printed.
    func metrics() async throws -> [Substring: Double] {
        let reply = try await client.send(ControlRequest(method: "GET", path: "/metrics", deadline: .patience))
        try #require(reply.status == 200)
        let lines = String(decoding: reply.body, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
        return Dictionary(
            uniqueKeysWithValues: try lines.map { line in
                let end = try #require(line.lastIndex(of: " "))
                return (line[..<end], try #require(Double(line[end...].dropFirst())))
            }
        )
    }

    /// Starts curl(1) at the daemon's socket.
    func curl(_ arguments: String...) throws -> Child {
        try start("/usr/bin/curl", ["-sN", "--unix-socket", socket] + arguments)
    }

    /// Compiles `Tests/Support/NAME.c` as a library for LD_PRELOAD and returns its path.
    func library(_ name: String) async throws -> String {
        let path = "\(folder)/\(name).so"
        let source = Programs.repository.appending(path: "Tests/Support/\(name).c").path
        let outcome = try await shell("gcc -O2 -Wall -Wextra -Werror -shared -fPIC -o '\(path)' '\(source)'")
        try #require(outcome.status == 0, "gcc: \(outcome.errors)")
        return path
    }

    /// Size of a picture fully decoded by Pillow, such as `640x480`.
    func size(of path: String) async throws -> String {
        try await python("pillow", ["size", path])
    }

    /// Paths of the pictures in the spool, relative to its folder.
    var pictures: [String] {
        get throws { try FileManager.default.subpathsOfDirectory(atPath: spool).filter { $0.hasSuffix(".jpg") } }
    }
}
