// SPDX-License-Identifier: Apache-2.0

/// The kinds of log lines that the journal's message catalog explains; `systemd/tintype.catalog` has a text for each.
///
/// The raw value is the field `MESSAGE_ID=` of the line (systemd.journal-fields(7)): 128 bits in hexadecimal, made once by
/// systemd-id128(1). It never changes: users search for it. A call gives it as metadata of the name ``key``.
package enum MessageID: String, CaseIterable, Sendable, CustomStringConvertible {
    /// A camera cannot be opened, or its stream broke.
    case cameraLost = "0f7a24e4b9cc4eab8d87231812eba38e"
    /// Its first good frame has come after that.
    case cameraBack = "4697fddd31ff4f0bb5b191fdecc65a2b"
    /// Its stream breaks again and again.
    case cameraUnsteady = "ded03a534a8c4536b9328ef1b1690cb4"
    /// A driver call does not return.
    case driverStuck = "d5a3f4939df94adab63c62032d767b40"
    /// A picture found no room on the disk.
    case spoolFull = "ed1ec791344041acaa3b9c9f5a38570a"
    /// The spool cannot be used.
    case spoolUnavailable = "9b0c7b77ff2c4ab5951f49940a4b5a2d"
    /// A picture in the spool is damaged, and was moved away.
    case pictureQuarantined = "b30f860b7d9d4f8486002b0a8a45f12b"
    /// A schedule cannot publish.
    case publishingFailed = "32065f9fd1c8400a863d1faf59e7aad9"
    /// A hook failed.
    case hookFailed = "2c42cba628b940c19bb44449c97459bb"
    /// A new configuration was refused; the old one stays.
    case configurationRefused = "6337372fedb04c149d1f1edf4dc4336a"
    /// A client was refused.
    case accessRefused = "6a2608f44e01497f91d27d6dcc142cf5"
    /// A part of the daemon does not answer, so the watchdog of systemd will restart it.
    case unresponsive = "89bf376205234140ae10beb4ecae705a"

    /// The metadata key; log lines for people leave it out.
    package static let key = "message-id"

    package var description: String { rawValue }
}
