// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Glibc
internal import TintypeModel

/// stdout and stderr, unbuffered.
struct StandardStream {
    static let output = StandardStream(descriptor: 1, name: "stdout")
    static let error = StandardStream(descriptor: 2, name: "stderr")

    let descriptor: CInt
    let name: String

    /// Makes a closed pipe an error of `write` in place of a signal, and keeps 0 to 2 from becoming files of ours.
    ///
    /// A process that is started with stdout closed would else get the socket as descriptor 1 and write the picture
    /// back to the daemon. To be called before anything is opened.
    static func prepare() {
        _ = signal(SIGPIPE, SIG_IGN)
        for descriptor: CInt in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
            // Without /dev/null writing fails just as well, unless a file of ours comes to be there.
            _ = try? SystemCalls.openNull()
        }
    }

    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// The columns that text may take: those of `COLUMNS`, 10,000 at most, or of the terminal, else 80; nil where it is no
    /// terminal, so that a file or a program gets all of it.
    var width: Int? {
        guard isTerminal else { return nil }
        if let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 {
            return min(columns, 10_000)
        }
        return SystemCalls.terminalWidth(of: descriptor) ?? 80
    }

    /// Writes all of `bytes` as they are: a picture, JSON; blocks.
    func write(_ bytes: [UInt8]) throws(OutputError) {
        do {
            try Interruption.duringOutput { () throws(SystemError) in try SystemCalls.write(bytes, to: descriptor) }
        } catch {
            throw OutputError(stream: name, error)
        }
    }

    /// Writes text for people; blocks.
    func write(_ text: PrintedText) throws(OutputError) { try write(Array(text.string.utf8)) }

    /// Writes a line that programs read, such as a path: exactly, but escaped on a terminal, as ls(1) does; blocks.
    func write(exactly line: String) throws(OutputError) {
        try write(Array("\(isTerminal ? PrintableText.line(line) : line)\n".utf8))
    }

    /// Writes `value` as JSON and a newline; blocks.
    func write(json value: some Encodable) throws {
        try write(try JSONText.encode(value) + [UInt8(ascii: "\n")])
    }
}

/// JSON for stdout and stderr: exact for programs, and safe on a terminal.
enum JSONText {
    /// `value` as ``WireFormat`` encodes it, with the characters as `\uXXXX` that a terminal would obey (RFC 8259, 7).
    static func encode(_ value: some Encodable, pretty: Bool = true) throws -> [UInt8] {
        let json = try WireFormat.encode(value, pretty: pretty)
        // Of ASCII the encoder leaves DEL alone, and newlines that are its own.
        guard json.contains(where: { $0 >= 0x7F }) else { return json }
        var text = ""
        for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
            if scalar == "\n" || PrintableText.isSafe(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                for unit in UTF16.encode(scalar) ?? .init() {
                    let digits = String(unit, radix: 16)
                    text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return Array(text.utf8)
    }
}
