// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// The name of a picture's file relative to the spool, as in
/// `door/2026/11/21/143012.345678Z-000001234.jpg`: camera, day and time in UTC, and the driver's frame number.
package struct SpoolPath: Hashable, Sendable {
    /// The camera, valid by ``CameraName``.
    package var camera: String
    /// When the exposure began; from 0000 to 9999.
    package var capturedAt: Timestamp
    /// The driver's frame number, of nine digits or more.
    package var sequence: UInt32
    /// 1 for the first file of that time and number; further ones have `-2`, `-3` and so on at the end.
    package var attempt: Int

    /// The name of the picture `attempt` of that camera, time and number.
    package init(camera: String, capturedAt: Timestamp, sequence: UInt32, attempt: Int = 1) {
        self.camera = camera
        self.capturedAt = capturedAt
        self.sequence = sequence
        self.attempt = attempt
    }

    /// The folder of the day with every folder above it, outermost first, relative to the spool.
    package var folders: [String] {
        let time = capturedAt.utc
        let year = "\(camera)/\(Timestamp.pad(time.year, 4))"
        let month = "\(year)/\(Timestamp.pad(time.month, 2))"
        return [camera, year, month, "\(month)/\(Timestamp.pad(time.day, 2))"]
    }

    /// The file's name relative to the camera's folder: what `latest.jpg` links to.
    package var withinCamera: String { String(description.dropFirst(camera.count + 1)) }
}

extension SpoolPath: CustomStringConvertible {
    /// The path relative to the spool.
    package var description: String {
        let time = capturedAt.utc
        let suffix = attempt == 1 ? "" : "-\(attempt)"
        return "\(folders[3])/"
            + "\(Timestamp.pad(time.hour, 2))\(Timestamp.pad(time.minute, 2))\(Timestamp.pad(time.second, 2))"
            + ".\(Timestamp.pad(time.microsecond, 6))Z-\(Timestamp.pad(Int(sequence), 9))\(suffix).jpg"
    }

    /// Reads what ``description`` writes; nil for anything else.
    package init?(_ text: String) {
        guard
            let match = text.wholeMatch(
                of:
                    /([^\/]+)\/(\d{4})\/(\d{2})\/(\d{2})\/(\d{2})(\d{2})(\d{2})\.(\d{6})Z-(\d{9,10})(?:-(\d{1,6}))?\.jpg/
            ),
            CameraName.isValid(String(match.1)),
            let sequence = UInt32(match.9)
        else { return nil }
        let parts = [match.2, match.3, match.4, match.5, match.6, match.7, match.8].compactMap { Int($0) }
        let components = Timestamp.Components(
            year: parts[0],
            month: parts[1],
            day: parts[2],
            hour: parts[3],
            minute: parts[4],
            second: parts[5],
            microsecond: parts[6]
        )
        guard let time = Timestamp(utc: components) else { return nil }
        self.init(
            camera: String(match.1),
            capturedAt: time,
            sequence: sequence,
            attempt: match.10.flatMap { Int($0) } ?? 1
        )
        guard description == text else { return nil }
    }
}
