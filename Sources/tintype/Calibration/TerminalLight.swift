// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

/// The terminal that the command runs in, as a light: black or white all over.
struct TerminalLight: Sendable {
    /// Sequences of ECMA-48: the colour of the background, the nearest of 16 first for terminals that know no others,
    /// then erase the screen with it.
    private static let white = "\u{1B}[107m\u{1B}[48;2;255;255;255m\u{1B}[2J"
    private static let black = "\u{1B}[40m\u{1B}[48;2;0;0;0m\u{1B}[2J"
    /// The screen that full-screen programs use, without a cursor; and back to the usual one.
    private static let begin = "\u{1B}[?1049h\u{1B}[?25l"
    private static let end = "\u{1B}[0m\u{1B}[2J\u{1B}[?25h\u{1B}[?1049l"

    private let descriptor: CInt

    /// The controlling terminal, as it is; throws a problem where there is none.
    init() throws(Problem) {
        do throws(SystemError) {
            descriptor = try SystemCalls.openForWriting("/dev/tty")
        } catch {
            throw Problem(
                .invalidRequest,
                "There is no terminal that could flash (/dev/tty: \(error)).",
                remedy:
                    "Run the command in a terminal that the camera sees, or flash another light and tell the daemon "
                    + "when (POST /v1/cameras/CAMERA/calibration; see tintype(1))."
            )
        }
    }

    /// Closes it.
    func close() { Glibc.close(descriptor) }

    /// The times between two changes, none shorter than `shortest`.
    static func pauses(atLeast shortest: Duration) -> ClosedRange<Duration> {
        max(.milliseconds(500), shortest)...max(.milliseconds(1500), shortest * 2)
    }

    /// Changes the light so often, at random moments, from black to white first, and leaves the terminal as it was.
    ///
    /// - Parameters:
    ///   - count: how often.
    ///   - shortest: the shortest time between two changes, for slow cameras.
    /// - Returns: when the terminal had taken each change.
    /// - Throws: what writing throws, and `CancellationError`.
    func flash(_ count: Int, atLeast shortest: Duration) async throws -> [Timestamp] {
        let pauses = Self.pauses(atLeast: shortest)
        defer { try? show(Self.end) }
        try show(Self.begin + Self.black)
        // The exposure adapts to the dark screen first.
        try await Task.sleep(for: pauses.upperBound)
        var moments: [Timestamp] = []
        for index in 0..<count {
            let range = pauses.lowerBound.nanosecondCount...pauses.upperBound.nanosecondCount
            try await Task.sleep(for: .nanoseconds(Int64.random(in: range)))
            try show(index % 2 == 0 ? Self.white : Self.black)
            moments.append(.now())
        }
        // The last change is to be seen whole.
        try await Task.sleep(for: pauses.upperBound)
        return moments
    }

    /// Writes to the terminal, and waits until it has taken all (tcdrain(3)).
    private func show(_ text: String) throws(SystemError) {
        try SystemCalls.write(Array(text.utf8), to: descriptor)
        try SystemCalls.result { tcdrain(descriptor) }
    }
}
