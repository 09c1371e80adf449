// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// Parses a name, part by part of its pattern; of numbers that vary in length, longer matches are tried first.
struct NameReader {
    let camera: String
    var parts: ArraySlice<FileNames.Part>
    var rest: ArraySlice<UInt8>
    private(set) var sequence: UInt32?
    private(set) var id: FrameID?
    private(set) var numbers: [Character: Int] = [:]

    /// Returns true if the whole name matches the pattern, with or without an attempt number.
    mutating func readAll() -> Bool {
        while let part = parts.popFirst() {
            switch part {
            case .text(let text): guard take(text) else { return false }
            case .field(.camera): guard take(camera) else { return false }
            case .field(.id):
                guard let id = FrameID(String(decoding: rest.prefix(36), as: UTF8.self)),
                    take(id.description)
                else { return false }
                self.id = id
            case .field(.sequence):
                return readNumber(9...10) { reader, digits in
                    reader.sequence = UInt32(digits)
                    return reader.sequence != nil
                }
            case .field(.time("s")):
                return readNumber(1...12) { reader, digits in
                    reader.numbers["s"] = Int(digits)
                    return true
                }
            case .field(.time(let letter)): guard read(letter) else { return false }
            }
        }
        return rest.isEmpty || isAttempt(rest)
    }

    var time: WallTimeReading? { WallTimeReading(numbers) }

    /// Matches `-2` to `-100000`.
    private func isAttempt(_ text: ArraySlice<UInt8>) -> Bool {
        let digits = String(decoding: text.dropFirst(), as: UTF8.self)
        guard text.first == UInt8(ascii: "-"), let number = Int(digits) else { return false }
        return (2...SpoolPath.lastAttempt).contains(number) && String(number) == digits
    }

    private mutating func take(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }

    private func digits(_ count: Int) -> String? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Parses the rest of the name with each length of the number, longest first.
    private mutating func readNumber(_ lengths: ClosedRange<Int>, _ keep: (inout NameReader, String) -> Bool) -> Bool {
        for length in lengths.reversed() {
            // Leading zeros appear only in numbers of the minimum length.
            guard let digits = digits(length), length == lengths.lowerBound || !digits.hasPrefix("0") else { continue }
            var attempt = self
            attempt.rest = rest.dropFirst(length)
            if keep(&attempt, digits), attempt.readAll() {
                self = attempt
                return true
            }
        }
        return false
    }

    private mutating func read(_ letter: Character) -> Bool {
        switch letter {
        case "a", "A", "b", "B", "p": return readWord(letter)
        case "z":
            guard let sign = rest.first, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(sign) else { return false }
            rest = rest.dropFirst()
            guard let text = digits(4), let digits = Int(text), digits % 100 < 60 else { return false }
            let seconds = (digits / 100 * 60 + digits % 100) * 60
            return keep(letter, sign == UInt8(ascii: "-") ? -seconds : seconds, 4)
        default:
            let length = ["Y": 4, "G": 4, "j": 3, "f": 6, "u": 1][letter] ?? 2
            guard let text = digits(length), let number = Int(text) else { return false }
            return keep(letter, number, length)
        }
    }

    private mutating func readWord(_ letter: Character) -> Bool {
        let words =
            switch letter {
            case "a": WallTime.weekdays.map { String($0.prefix(3)) }
            case "A": WallTime.weekdays
            case "b": WallTime.months.map { String($0.prefix(3)) }
            case "B": WallTime.months
            default: ["AM", "PM"]
            }
        guard let index = words.firstIndex(where: { rest.starts(with: $0.utf8) }) else { return false }
        return keep(letter, index, words[index].utf8.count)
    }

    /// Stores a parsed number; false if the same field appeared with another value.
    private mutating func keep(_ letter: Character, _ number: Int, _ length: Int) -> Bool {
        rest = rest.dropFirst(length)
        let known = numbers.updateValue(number, forKey: letter)
        return known == nil || known == number
    }
}

package struct NameReading: Hashable, Sendable {
    /// The first path component.
    package var camera: String
    /// Capture time; nil if the pattern lacks the day, hour, minute or second.
    package var capturedAt: Timestamp?
    /// Driver's frame number, if in the pattern.
    package var sequence: UInt32?
    /// Frame id, if in the pattern.
    package var id: FrameID?
}

extension FileNames {
    /// Parses a path relative to the spool by this pattern, else by the standard pattern.
    ///
    /// The standard pattern covers files named under another configuration. Returns nil for a name of neither. The time
    /// has the resolution of the pattern, at least one second.
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
            // 31 February or hour 24: not a name of ours.
            guard let moment = time.moment else { return nil }
            reading.capturedAt = moment
        }
        return reading
    }
}
