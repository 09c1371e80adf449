// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// Takes a name apart, part by part of its pattern.
///
/// Frame numbers and seconds since 1970 have no fixed length: the longest is tried first, then shorter ones.
struct NameReader {
    let camera: String
    var parts: ArraySlice<FileNames.Part>
    var rest: ArraySlice<UInt8>
    private(set) var sequence: UInt32?
    private(set) var id: FrameID?
    private(set) var numbers: [Character: Int] = [:]

    /// Whether the whole name is one of the pattern, with the number of an attempt behind it or without.
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

    /// The time that was read; nil where it was not all said.
    var time: WallTimeReading? { WallTimeReading(numbers) }

    /// `-2` to `-100000`.
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

    /// The first `count` bytes if all are digits.
    private func digits(_ count: Int) -> String? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Reads the rest of the name with each of `lengths` that the number may have.
    private mutating func readNumber(_ lengths: ClosedRange<Int>, _ keep: (inout NameReader, String) -> Bool) -> Bool {
        for length in lengths.reversed() {
            // Zeros stand before a number only as far as the least length asks for them.
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

    /// Keeps a number that was read; false where the name says another at another place.
    private mutating func keep(_ letter: Character, _ number: Int, _ length: Int) -> Bool {
        rest = rest.dropFirst(length)
        let known = numbers.updateValue(number, forKey: letter)
        return known == nil || known == number
    }
}

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
