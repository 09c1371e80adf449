// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

// Each call throws ``Problem`` if the daemon replies with one, and ``ClientError`` if there is no valid reply.
extension ControlExchange {
    package func frame(_ id: FrameID) async throws -> FrameRecord {
        try await read(ControlRequest("GET", "/v1/frames/\(id)"))
    }

    package func image(of id: FrameID) async throws -> [UInt8] {
        try await succeed(ControlRequest("GET", "/v1/frames/\(id)/image", deadline: Self.transfer)).body
    }

    package func frames(_ query: FrameQuery) async throws -> FramePage {
        try await read(ControlRequest("POST", "/v1/frames/query", json: query, deadline: Self.lookUp))
    }

    /// Returns once the change is on disk.
    package func apply(_ change: FrameChange) async throws -> FrameOutcome {
        try await read(ControlRequest("PATCH", "/v1/frames", json: change, deadline: Self.writing))
    }

    /// Deletes frames permanently; returns once the deletion is on disk.
    package func delete(_ selection: FrameSelection) async throws -> FrameOutcome {
        try await read(ControlRequest("DELETE", "/v1/frames", json: selection, deadline: Self.writing))
    }

    package func spools() async throws -> SpoolList {
        try await read(ControlRequest("GET", "/v1/spool", deadline: Self.lookUp))
    }

    /// Reconciles folder and catalog, without a deadline: it may take hours.
    package func verify(_ request: VerificationRequest) async throws -> VerificationList {
        try await read(ControlRequest("POST", "/v1/spool/verify", json: request, deadline: nil))
    }

    /// Applies the retention rules or lists what they would delete, without a deadline.
    package func retention(_ request: RetentionRequest) async throws -> RetentionList {
        try await read(ControlRequest("POST", "/v1/spool/retention", json: request, deadline: nil))
    }

    /// A picture may be large and the disk slow.
    private static var transfer: Duration { .seconds(60) }
    /// Exceeds the daemon's own limit of 10 s for a disk.
    private static var lookUp: Duration { .seconds(12) }
    /// Exceeds the daemon's own limit of 60 s for thousands of frames.
    private static var writing: Duration { .seconds(65) }
}
