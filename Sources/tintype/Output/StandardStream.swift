// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Glibc
internal import Synchronization
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
        let text = String(decoding: json, as: UTF8.self).unicodeScalars.map { scalar in
            if scalar == "\n" || PrintableText.isSafe(scalar) { return String(scalar) }
            return String(scalar).utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined()
        }
        return Array(text.joined().utf8)
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

/// Progress of a command in the last line of a terminal; prints nothing if stderr is not one.
final class ProgressBar: Sendable {
    /// Minimum time between updates: more could not be read, and a slow terminal would delay the work.
    private static let pause = Duration.milliseconds(100)

    /// Time of the last update, shared by all bars because there is one terminal.
    private static let shown = Mutex<ContinuousClock.Instant?>(nil)
    let isShown: Bool

    init(isShown: Bool) { self.isShown = isShown && StandardStream.error.isTerminal }

    /// Shows the progress, at most once per ``pause``; `fraction` is 0 to 1, or nil if unknown.
    func update(_ fraction: Double?, _ label: @autoclosure () -> String) {
        guard isShown, isDue() else { return }
        let width = StandardStream.error.width ?? 80
        // Failure to write to the terminal is not a failure of the command.
        try? StandardStream.error.write(Array("\r\(Self.line(fraction, label(), width: width))\u{1B}[K".utf8))
    }

    private func isDue() -> Bool {
        Self.shown.withLock { shown in
            let now = ContinuousClock.now
            if let shown, now - shown < Self.pause { return false }
            shown = now
            return true
        }
    }

    func clear() {
        guard isShown else { return }
        Self.shown.withLock { $0 = nil }
        try? StandardStream.error.write(Array("\r\u{1B}[K".utf8))
    }

    /// Shows the time and the progress returned by `state`, twice a second while `work` runs, then clears it.
    func during<Value>(
        _ state: @escaping @Sendable () async -> (fraction: Double?, label: String)? = { nil },
        _ work: () async throws -> Value
    ) async throws -> Value {
        defer { clear() }
        guard isShown else { return try await work() }
        let start = ContinuousClock.now
        let show = { @Sendable in
            let state = await state()
            try Task.checkCancellation()
            let elapsed = SpokenDuration.text(ContinuousClock.now - start)
            self.update(state?.fraction, [state?.label, elapsed].compactMap(\.self).joined(separator: ", "))
        }
        try await show()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while true {
                    try await Task.sleep(for: .milliseconds(500))
                    try await show()
                }
            }
            defer { group.cancelAll() }
            return try await work()
        }
    }

    /// A bar beside the label, leaving the last column free, because some terminals wrap there.
    static func line(_ fraction: Double?, _ label: String, width: Int) -> String {
        let room = width - label.count - 4
        guard let fraction, room >= 5 else { return String(label.prefix(max(0, width - 1))) }
        let done = Int((min(max(fraction, 0), 1) * Double(room)).rounded(.down))
        return "[\(String(repeating: "#", count: done))\(String(repeating: "-", count: room - done))] \(label)"
    }
}
