// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// What the HTTP API asks of the spool.
package protocol FrameService: Sendable {
    /// The record of a stored frame.
    ///
    /// Throws `frame-not-found` or `spool-unavailable`.
    func frame(_ id: FrameID) async throws(Problem) -> StillRecord

    /// The JPEG file of a stored frame.
    ///
    /// Throws `frame-not-found` or `spool-unavailable`.
    func picture(of id: FrameID) async throws(Problem) -> [UInt8]
}
