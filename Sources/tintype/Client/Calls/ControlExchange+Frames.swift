// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

// Each call throws ``Problem`` where the daemon answers with one, and ``ClientError`` where no reply can be had.
extension ControlExchange {
    /// The record of a stored frame (`GET /v1/frames/{id}`).
    package func frame(_ id: FrameID) async throws -> FrameRecord {
        try await read(ControlRequest("GET", "/v1/frames/\(id)"))
    }

    /// The JPEG file of a stored frame (`GET /v1/frames/{id}/image`).
    package func image(of id: FrameID) async throws -> [UInt8] {
        try await succeed(ControlRequest("GET", "/v1/frames/\(id)/image", deadline: Self.transfer)).body
    }

    /// A page of the frames that fit (`POST /v1/frames/query`).
    package func frames(_ query: FrameQuery) async throws -> FramePage {
        try await read(ControlRequest("POST", "/v1/frames/query", json: query, deadline: Self.lookUp))
    }

    /// Changes frames (`PATCH /v1/frames`); returns once that is on the disk.
    package func change(_ change: FrameChange) async throws -> FrameOutcome {
        try await read(ControlRequest("PATCH", "/v1/frames", json: change, deadline: Self.writing))
    }

    /// Deletes frames for good (`DELETE /v1/frames`); returns once that is on the disk.
    package func delete(_ selection: FrameSelection) async throws -> FrameOutcome {
        try await read(ControlRequest("DELETE", "/v1/frames", json: selection, deadline: Self.writing))
    }

    /// How every spool is, and what is in it (`GET /v1/spool`).
    package func spools() async throws -> SpoolList {
        try await read(ControlRequest("GET", "/v1/spool", deadline: Self.lookUp))
    }

    /// Compares folder and catalog (`POST /v1/spool/verify`), which may take hours; there is no deadline.
    package func verify(_ request: VerificationRequest) async throws -> VerificationList {
        try await read(ControlRequest("POST", "/v1/spool/verify", json: request, deadline: nil))
    }

    /// Applies the rules of retention, or tells what they would do (`POST /v1/spool/retention`); there is no deadline.
    package func retention(_ request: RetentionRequest) async throws -> RetentionList {
        try await read(ControlRequest("POST", "/v1/spool/retention", json: request, deadline: nil))
    }

    /// A picture may be large and its disk slow.
    private static var transfer: Duration { .seconds(60) }
    /// The daemon itself gives a disk 10 s.
    private static var lookUp: Duration { .seconds(12) }
    /// The daemon itself gives a disk 60 s for thousands of frames.
    private static var writing: Duration { .seconds(65) }
}
