// SPDX-License-Identifier: Apache-2.0
internal import TintypeImaging
package import TintypeModel

/// The pattern of the names that pictures have below their camera's folder, and the way back from a name.
///
/// Fields of strftime(3), `%f` for the microseconds, and `{camera}`, `{sequence}` and `{id}`. The time is that of the
/// capture: in UTC, or in the local time zone where the pattern has `%z`, without which local time would be ambiguous.
package struct FileNames: Hashable, Sendable {
    /// Why a pattern cannot be used.
    package struct Fault: Error, Hashable, Sendable {
        /// The fault, in one sentence.
        package var detail: String
        /// The remedy, in one sentence.
        package var remedy: String
    }

    enum Part: Hashable, Sendable {
        case text(String)
        case field(NameField)
    }

    /// The names of pictures by default: day folders, and the time with the frame number.
    package static let standard = FileNames(
        pattern: "%Y/%m/%d/%H%M%S.%fZ-{sequence}",
        parts: [
            .field(.time("Y")), .text("/"), .field(.time("m")), .text("/"), .field(.time("d")), .text("/"),
            .field(.time("H")), .field(.time("M")), .field(.time("S")), .text("."), .field(.time("f")), .text("Z-"),
            .field(.sequence),
        ]
    )

    /// The pattern as it was given.
    package let pattern: String
    let parts: [Part]

    private init(pattern: String, parts: [Part]) {
        self.pattern = pattern
        self.parts = parts
    }

    /// Reads a pattern; an ending `.jpg` may stand in it.
    ///
    /// Throws where it has fields that are not known, and where its names could leave the camera's folder, be hidden,
    /// or be too long for a file system.
    package init(_ pattern: String) throws(Fault) {
        let stem = pattern.hasSuffix(".jpg") ? String(pattern.dropLast(4)) : pattern
        try self.init(pattern: pattern, parts: Self.parts(of: stem))
        try check()
    }

    /// Whether names say the time of the time zone that the machine is in.
    package var isLocal: Bool { parts.contains(.field(.time("z"))) }

    /// The name of a picture of which this is known; the first attempt.
    package func path(camera: String, capturedAt: Timestamp, sequence: UInt32, id: FrameID) -> SpoolPath {
        let offset = isLocal ? LocalTime(capturedAt).secondsFromUTC : 0
        return path(
            of: NamedPicture(camera: camera, capturedAt: capturedAt, sequence: sequence, id: id, offset: offset)
        )
    }

    func path(of picture: NamedPicture) -> SpoolPath {
        let stem = parts.map { part in
            switch part {
            case .text(let text): text
            case .field(let field): field.text(for: picture)
            }
        }
        return SpoolPath(camera: picture.camera, stem: stem.joined())
    }
}
