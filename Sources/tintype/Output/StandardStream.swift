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

    /// Makes a closed pipe an error of `write` instead of a signal, and reserves the descriptors 0 to 2.
    ///
    /// Otherwise, in a process started with stdout closed, the socket could become descriptor 1, and the picture would
    /// be written back to the daemon. Call it before anything is opened.
    static func prepare() {
        _ = signal(SIGPIPE, SIG_IGN)
        for descriptor: CInt in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
            // Without /dev/null, writing fails just as well unless another file gets the descriptor.
            _ = try? SystemCalls.openNull()
        }
    }

    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// `COLUMNS` up to 10,000, else the terminal's, else 80; nil if it is none: programs get complete lines.
    var width: Int? {
        guard isTerminal else { return nil }
        if let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 {
            return min(columns, 10_000)
        }
        return SystemCalls.terminalWidth(of: descriptor) ?? 80
    }

    /// Writes binary data or JSON unchanged; blocks.
    func write(_ bytes: [UInt8]) throws(OutputError) {
        do {
            try Interruption.duringOutput { () throws(SystemError) in try SystemCalls.write(bytes, to: descriptor) }
        } catch {
            throw OutputError(stream: name, error)
        }
    }

    /// Blocks.
    func write(_ text: PrintedText) throws(OutputError) { try write(Array(text.string.utf8)) }

    /// Writes a line for programs, such as a path, escaped only on a terminal, as by ls(1); blocks.
    func write(exactly line: String) throws(OutputError) {
        try write(Array("\(isTerminal ? PrintableText.line(line) : line)\n".utf8))
    }

    /// Writes `value` as JSON and a newline; blocks.
    func write(json value: some Encodable, pretty: Bool = true) throws {
        try write(try JSONText.encode(value, pretty: pretty) + [UInt8(ascii: "\n")])
    }
}

/// JSON for stdout and stderr: exact for programs, and safe on a terminal.
enum JSONText {
    /// Encodes `value` like ``WireFormat``, with terminal control characters as `\uXXXX` (RFC 8259, 7).
    static func encode(_ value: some Encodable, pretty: Bool = true) throws -> [UInt8] {
        let json = try WireFormat.encode(value, pretty: pretty)
        // In ASCII, the encoder leaves only DEL and its own newlines unescaped.
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

/// Text that is safe to print: literals are kept, interpolated values escaped by ``PrintableText/line(_:)``, so that
/// no name moves the cursor or starts a new line.
struct PrintedText: Hashable, ExpressibleByStringInterpolation {
    private(set) var string: String

    init(stringLiteral value: String) { string = value }

    init(stringInterpolation: StringInterpolation) { string = stringInterpolation.string }

    /// Escapes `foreign` but keeps its newlines, for messages of ArgumentParser.
    init(lines foreign: String) {
        string = foreign.split(separator: "\n", omittingEmptySubsequences: false)
            .map { PrintableText.line(String($0)) }.joined(separator: "\n")
    }

    init(_ parts: some Sequence<PrintedText>, separator: PrintedText = "") {
        string = parts.map(\.string).joined(separator: separator.string)
    }

    static func + (left: Self, right: Self) -> Self { "\(left)\(right)" }
    static func += (left: inout Self, right: Self) { left.string += right.string }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var string: String

        init(literalCapacity: Int, interpolationCount: Int) { string = "" }

        mutating func appendLiteral(_ literal: String) { string += literal }

        mutating func appendInterpolation(_ safe: PrintedText) { string += safe.string }

        mutating func appendInterpolation(_ foreign: some CustomStringConvertible) {
            string += PrintableText.line(foreign.description)
        }
    }
}
