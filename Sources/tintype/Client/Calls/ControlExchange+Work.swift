// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// Calls of the worker, and files of any size.
extension ControlExchange {
    /// Reads the file of a frame in parts.
    package func file(of id: FrameID, each: ([UInt8]) async throws -> Void) async throws {
        try await parts(of: "/v1/frames/\(id)/image", each)
    }

    /// Reads the file of a frame of a batch in parts.
    package func file(of id: FrameID, inBatch batch: String, each: ([UInt8]) async throws -> Void) async throws {
        try await parts(of: "\(Self.path(batch))/\(id)", each)
    }

    /// Reads the recording of a clip in parts, or only its first bytes.
    func recording(ofBatch batch: String, upTo end: Int = .max, each: ([UInt8]) async throws -> Void) async throws {
        try await parts(of: Self.path(batch) + "/recording", upTo: end, each)
    }

    /// Passes the ranges of a file to `each`, in order; a picture is mostly one.
    private func parts(of path: String, upTo end: Int = .max, _ each: ([UInt8]) async throws -> Void) async throws {
        var offset = 0
        while true {
            let part = try await part(of: path, at: offset, min(end - offset, 8 << 20))
            try await each(part.bytes)
            offset += part.bytes.count
            guard offset < min(part.total, end) else { return }
        }
    }

    /// Range of a file (RFC 9110, 14), and the size of the file.
    private func part(of path: String, at offset: Int, _ size: Int) async throws -> (bytes: [UInt8], total: Int) {
        let range = ["Range": "bytes=\(offset)-\(offset + size - 1)"]
        let reply = try await succeed(ControlRequest("GET", path, headers: range, deadline: Self.transfer))
        let field = reply.header("Content-Range")?.wholeMatch(of: /bytes ([0-9]+)-[0-9]+\/([0-9]+)/)
        // Without the field the reply is the whole file.
        guard field.map({ Int($0.1) == offset && !reply.body.isEmpty }) ?? (offset == 0) else {
            throw ClientError.unexpected("The reply to GET \(path) is another part of the file.")
        }
        return (reply.body, field.flatMap { Int($0.2) } ?? reply.body.count)
    }

    /// Pictures of a film, the oldest first.
    package func pictures(ofBatch batch: String, after cursor: FrameCursor?) async throws -> FramePage {
        let query = cursor.map { [(name: "cursor", value: "\($0)")] } ?? []
        let path = Self.path(batch) + "/pictures"
        return try await read(ControlRequest("GET", path, query: query, deadline: Self.opening))
    }

    /// Sends a part of a film or clip, at most 1 MiB; that at offset 0 begins anew.
    package func send(_ part: [UInt8], at offset: Int, ofBatch batch: String) async throws {
        let (path, query) = (Self.path(batch) + "/video", [(name: "offset", value: "\(offset)")])
        let type = ["Content-Type": "application/octet-stream"]
        _ = try await succeed(
            ControlRequest("PUT", path, query: query, headers: type, body: part, deadline: Self.transfer)
        )
    }

    package func report(_ report: WorkReport, ofBatch batch: String, within limit: Duration?) async throws {
        let limit = limit ?? (report.video == nil ? Self.opening : Self.storing)
        _ = try await succeed(ControlRequest("POST", Self.path(batch), json: report, deadline: limit))
    }

    private static func path(_ batch: String) -> String { "/v1/work/\(ControlRequest.percentEncoded(batch))" }
}
