// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

// Each call throws ``Problem`` where the daemon answers with one, and ``ClientError`` where no reply can be had.
extension ControlExchange {
    /// The record of a stored frame (`GET /v1/frames/{id}`).
    package func frame(_ id: FrameID) async throws -> FrameRecord {
        try await read(FrameRecord.self, ControlRequest("GET", "/v1/frames/\(id)"))
    }

    /// The JPEG file of a stored frame (`GET /v1/frames/{id}/image`).
    package func image(of id: FrameID) async throws -> [UInt8] {
        try await succeed(ControlRequest("GET", "/v1/frames/\(id)/image", deadline: Self.transfer)).body
    }

    /// The picture of a stored frame, at most `width` pixels wide, of ``ThumbnailWidth/range``
    /// (`GET /v1/frames/{id}/thumbnail`).
    package func thumbnail(of id: FrameID, width: Int = ThumbnailWidth.standard) async throws -> [UInt8] {
        let query = [ControlRequest.QueryItem("width", "\(width)")]
        return try await succeed(
            ControlRequest("GET", "/v1/frames/\(id)/thumbnail", query: query, deadline: Self.transfer)
        ).body
    }

    /// A page of the frames that fit (`POST /v1/frames/query`).
    package func frames(_ query: FrameQuery) async throws -> FramePage {
        try await send(FramePage.self, "POST", "/v1/frames/query", query, deadline: Self.lookUp)
    }

    /// Changes frames (`PATCH /v1/frames`); returns once that is on the disk.
    package func change(_ change: FrameChange) async throws -> FrameOutcome {
        try await send(FrameOutcome.self, "PATCH", "/v1/frames", change, deadline: Self.writing)
    }

    /// Changes one frame (`PATCH /v1/frames/{id}`), and returns its record as it is then.
    package func change(_ id: FrameID, _ edit: FrameEdit) async throws -> FrameRecord {
        try await send(FrameRecord.self, "PATCH", "/v1/frames/\(id)", edit, deadline: Self.writing)
    }

    /// Deletes frames for good (`DELETE /v1/frames`); returns once that is on the disk.
    package func delete(_ selection: FrameSelection) async throws -> FrameOutcome {
        try await send(FrameOutcome.self, "DELETE", "/v1/frames", selection, deadline: Self.writing)
    }

    /// Deletes one frame for good (`DELETE /v1/frames/{id}`); throws `frame-not-found`.
    package func delete(_ id: FrameID) async throws {
        _ = try await succeed(ControlRequest("DELETE", "/v1/frames/\(id)", deadline: Self.writing))
    }

    /// How every spool is, and what is in it (`GET /v1/spool`).
    package func spools() async throws -> SpoolList {
        try await read(SpoolList.self, ControlRequest("GET", "/v1/spool", deadline: Self.lookUp))
    }

    /// Compares folder and catalog (`POST /v1/spool/verify`), which may take hours; there is no deadline.
    package func verify(_ request: VerificationRequest) async throws -> VerificationList {
        try await send(VerificationList.self, "POST", "/v1/spool/verify", request, deadline: nil)
    }

    /// Applies the rules of retention, or tells what they would do (`POST /v1/spool/retention`); there is no deadline.
    package func retention(_ request: RetentionRequest) async throws -> RetentionList {
        try await send(RetentionList.self, "POST", "/v1/spool/retention", request, deadline: nil)
    }

    /// A picture may be large and its disk slow.
    private static var transfer: Duration { .seconds(60) }
    /// The daemon itself gives a disk 10 s.
    private static var lookUp: Duration { .seconds(12) }
    /// The daemon itself gives a disk 60 s for thousands of frames.
    private static var writing: Duration { .seconds(65) }

    private func send<Value: Decodable>(
        _ type: Value.Type,
        _ method: String,
        _ path: String,
        _ body: some Encodable,
        deadline: Duration?
    ) async throws -> Value {
        try await read(
            type,
            ControlRequest(
                method,
                path,
                headers: ["Content-Type": "application/json"],
                body: try WireFormat.encode(body),
                deadline: deadline
            )
        )
    }
}
