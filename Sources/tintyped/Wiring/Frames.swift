// SPDX-License-Identifier: Apache-2.0
internal import TintypeControl
internal import TintypeModel
internal import TintypeSpool

/// The stored frames, as the API asks for them.
struct Frames: FrameService {
    /// A look-up that takes longer waits for a disk that does not answer.
    private static let patience = Duration.seconds(5)

    let spool: Spool

    func frame(_ id: FrameID) async throws(Problem) -> StillRecord {
        try await spool.frame(id, until: .now() + Self.patience)
    }

    func picture(of id: FrameID) async throws(Problem) -> [UInt8] {
        try await spool.picture(of: id, until: .now() + Self.patience)
    }
}
