// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// The facts that a picture's name says of it.
package struct NameReading: Hashable, Sendable {
    /// The camera: the first folder.
    package var camera: String
    /// When it was taken; nil where the pattern does not say day, hour, minute and second.
    package var capturedAt: Timestamp?
    /// The driver's frame number, where the pattern says it.
    package var sequence: UInt32?
    /// The frame's id, where the pattern says it.
    package var id: FrameID?
}

extension FileNames {
    /// Reads the path of a file relative to the spool: as a name of this pattern, else as one of the standard pattern,
    /// which another configuration may have given it.
    ///
    /// Nil for a name of neither. The time is exact to what the pattern says, at least to the second.
    package func reading(_ path: String) -> NameReading? {
        own(path) ?? (self == .standard ? nil : Self.standard.own(path))
    }

    private func own(_ path: String) -> NameReading? {
        guard let slash = path.firstIndex(of: "/"), path.hasSuffix(".jpg") else { return nil }
        let camera = String(path[..<slash])
        guard CameraName.isValid(camera) else { return nil }
        let stem = Array(path[path.index(after: slash)...].dropLast(4).utf8)
        var reader = NameReader(camera: camera, parts: parts[...], rest: stem[...])
        guard reader.readAll() else { return nil }
        var reading = NameReading(camera: camera, sequence: reader.sequence, id: reader.id)
        if let time = reader.time {
            // 31 February and 24 o'clock are no times: such a name is not ours.
            guard let moment = time.moment else { return nil }
            reading.capturedAt = moment
        }
        return reading
    }
}
