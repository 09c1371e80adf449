// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

package struct NameReading: Hashable, Sendable {
    /// The first path component.
    package var camera: String
    /// Capture time; nil if the pattern lacks the day, hour, minute or second.
    package var capturedAt: Timestamp?
    package var sequence: UInt32?
    package var id: FrameID?
}

extension FileNames {
    /// Parses a path relative to the spool by this pattern, else by the standard pattern, for files named under another
    /// configuration; nil for a name of neither; the time has the resolution of the pattern, at least one second.
    package func reading(_ path: String) -> NameReading? { own(path) ?? Self.standard.own(path) }

    private func own(_ path: String) -> NameReading? {
        let bytes = path.utf8
        guard let slash = bytes.firstIndex(of: UInt8(ascii: "/")), path.hasSuffix(".jpg"),
            CameraName.isValid(String(path[..<slash]))
        else { return nil }
        let stem = bytes[bytes.index(after: slash)...].dropLast(4)
        return reading([.camera: String(path[..<slash])], parts[...], stem)
    }

    /// Parses `rest`, perhaps with an attempt number, by `parts`, longer matches first; `texts`: the fields before it.
    private func reading(
        _ texts: [NameField: String],
        _ parts: ArraySlice<NameField>,
        _ rest: Substring.UTF8View
    ) -> NameReading? {
        var (parts, rest) = (parts, rest)
        while let field = parts.popFirst() {
            let known = if case .text(let text) = field { text } else { texts[field] }
            guard let known else {
                let shortest = [.sequence: 9, .time("s"): 1, .time("A"): 6, .time("B"): 3][field] ?? field.longest
                for length in (shortest...field.longest).reversed() where length <= rest.count {
                    var texts = texts
                    texts[field] = String(decoding: rest.prefix(length), as: UTF8.self)
                    if let reading = reading(texts, parts, rest.dropFirst(length)) { return reading }
                }
                return nil
            }
            guard rest.starts(with: known.utf8) else { return nil }
            rest = rest.dropFirst(known.utf8.count)
        }
        let suffix = Substring(rest)
        let isAttempt = Int(suffix).map { (-SpoolPath.lastAttempt ... -2).contains($0) && String($0) == suffix }
        return suffix.isEmpty || isAttempt == true ? values(of: texts) : nil
    }

    /// Values of the fields of a name; nil if a picture with these values would have another name.
    private func values(of texts: [NameField: String]) -> NameReading? {
        let time = NameTime(texts)
        var reading = NameReading(camera: texts[.camera] ?? "", capturedAt: time.moment)
        reading.sequence = texts[.sequence].flatMap { UInt32($0) }
        reading.id = texts[.id].flatMap { FrameID($0) }
        for (field, text) in texts where field.text(for: reading, time) != text {
            // Without a moment, as with `%G-W%V`, a number only has to consist of digits.
            guard time.moment == nil, case .time(let letter) = field, "YymdjHIMSfuGV".contains(letter),
                text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
            else { return nil }
        }
        return reading
    }
}
