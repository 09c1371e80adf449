// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import FoundationEssentials
internal import TintypeModel

/// Command that asks the daemon and writes its answer; throws ``Problem``, ``ClientError`` or ``OutputError``.
protocol DaemonCommand: AsyncParsableCommand {
    var shared: SharedOptions { get }
}

extension DaemonCommand {
    var isJSON: Bool { shared.json }
    var client: ControlClient { ControlClient(socket: SocketPath.choose(option: shared.socket)) }

    /// Calls `ask` with an open connection and the name of the camera: `camera`, or the daemon's only one.
    func withCamera<Answer>(
        _ camera: String?,
        _ ask: (_ connection: ControlConnection, _ name: String) async throws -> Answer
    ) async throws -> Answer {
        try await client.withConnection { try await ask($0, try await CameraChoice.name(camera, at: $0)) }
    }

    /// Writes `answer` to stdout: with `--json` as indented JSON, else as `text`.
    func write<Answer: Encodable>(_ answer: Answer, _ text: (Answer) throws -> PrintedText) throws {
        guard !isJSON else { return try write(json: answer) }
        try StandardStream.output.write(try text(answer))
    }

    func write(json value: some Encodable) throws { try StandardStream.output.write(json: value) }

    /// Writes `value` as a line: with `--json` as JSON, else as `text`.
    func writeLine<Value: Encodable>(_ value: Value, _ text: (Value) -> PrintedText) throws {
        guard !isJSON else { return try StandardStream.output.write(json: value, pretty: false) }
        try StandardStream.output.write(text(value))
    }

    var width: Int? { StandardStream.output.width }
}

enum SocketPath {
    /// The option, else `TINTYPE_SOCKET` unless empty, else the packaged socket.
    static func choose(option: String?, environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        if let option { return option }
        if let path = environment["TINTYPE_SOCKET"], !path.isEmpty { return path }
        return ControlClient.defaultSocket
    }
}

/// Options of every command, accepted before or after its name.
struct SharedOptions: ParsableArguments {
    @Option(
        "The socket of tintyped (default: TINTYPE_SOCKET, else /run/tintype/tintyped.sock).",
        "path",
        completion: .file()
    )
    var socket: String?

    @Flag(help: "Print the daemon's JSON instead of text, and failures as JSON on stderr.")
    var json = false

    func validate() throws {
        if socket == "" { throw ValidationError("--socket needs the path of a socket.") }
    }
}

struct CameraArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The camera; you may leave it out where there is only one.", valueName: "camera"),
        completion: Completion.cameras
    )
    var name: String?
}

enum CameraChoice {
    /// Throws `camera-not-found` or `camera-ambiguous` if no name is given, `invalid-request` if it is empty.
    static func name(_ name: String?, at connection: some ControlExchange) async throws -> String {
        if let name { return try checked(name) }
        return try only(of: try await connection.cameras().cameras.map(\.name))
    }

    /// Rejects an empty name, for example from an unset shell variable.
    static func checked(_ name: String) throws(Problem) -> String {
        guard name.isEmpty else { return name }
        let remedy = "Name a camera (tintype cameras lists them), or leave the name out."
        throw Problem(.invalidRequest, "The camera's name is empty.", remedy: remedy, field: "camera")
    }

    static func only(of names: [String]) throws(Problem) -> String {
        let remedy = "Plug one in, or read why it was not found: sudo journalctl -u tintyped"
        return try CameraName.only(of: names, orElse: remedy) { _ in "Name one of them." }
    }
}

/// Parses option values; errors are one sentence, to which ArgumentParser adds the option's name.
enum OptionText {
    static func integer(_ text: String, in range: ClosedRange<Int>) throws -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw ValidationError("“\(text)” is not a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    static func number(_ text: String, in range: ClosedRange<Double>) throws -> Double {
        if let number = Double(text), range.contains(number) { return number }
        throw ValidationError("“\(text)” \(FilmStyle.notNumber(in: range))")
    }

    /// Duration such as `200ms`; in a range with negative values, also a time before now such as `-1.5s`.
    ///
    /// `range` is in milliseconds.
    static func time(_ text: String, in range: ClosedRange<Double>) throws -> Duration {
        let isRelative = range.lowerBound < 0
        let isEarlier = isRelative && text.hasPrefix("-")
        let size = HumanDuration.parse(isEarlier || isRelative && text.hasPrefix("+") ? String(text.dropFirst()) : text)
        if let time = size.map({ isEarlier ? .zero - $0 : $0 }), range.contains(time.millisecondCount) { return time }
        let least = HumanDuration.text(.milliseconds(range.lowerBound))
        let most = HumanDuration.text(.milliseconds(range.upperBound))
        let example = !isRelative ? "200ms or 2s" : range.upperBound > 0 ? "-2s or 500ms" : "-1.5s"
        throw ValidationError("“\(text)” is not a time from \(least) to \(most), such as \(example).")
    }

    /// `nearest` returns the valid word that an invalid one probably means, also for each of a comma-separated list.
    static func value<Value>(
        _ text: String,
        _ remedy: String,
        nearest: (String) -> String? = { _ in nil },
        _ read: (String) -> Value?
    ) throws -> Value {
        if let value = read(text) { return value }
        let question = Spelling.question(for: text.split(separator: ",").map(String.init), by: nearest)
        throw ValidationError("“\(text)” is not valid here. \(question ?? remedy)")
    }

    @Sendable static func tag(_ text: String) throws -> String {
        try value(text, StillRequest.tagRemedy) { StillRequest.isValid(tag: $0) ? $0 : nil }
    }
}

/// Refuses the command line with `message` unless `condition` holds.
func ensure(_ condition: Bool, _ message: @autoclosure () -> String) throws(ValidationError) {
    if !condition { throw ValidationError(message()) }
}

extension Option where Value == String? {
    init(_ help: String, _ value: String, completion: CompletionKind? = nil) {
        self.init(help: ArgumentHelp(help, valueName: value), completion: completion)
    }
}

// Options with a range; a value may begin with a hyphen if the range has negative ones.

extension Option where Value == Int? {
    init(_ help: String, _ value: String, in range: ClosedRange<Int>) {
        self.init(parsing: .taking(range), help: ArgumentHelp(help, valueName: value)) {
            try OptionText.integer($0, in: range)
        }
    }
}

extension Option where Value == Double? {
    init(_ help: String, _ value: String, in range: ClosedRange<Double>) {
        self.init(help: ArgumentHelp(help, valueName: value)) { try OptionText.number($0, in: range) }
    }
}

extension Option where Value == Duration? {
    init(_ help: String, _ value: String = "time", name: NameSpecification = .long, in range: ClosedRange<Double>) {
        self.init(name: name, parsing: .taking(range), help: ArgumentHelp(help, valueName: value)) {
            try OptionText.time($0, in: range)
        }
    }
}

extension SingleValueParsingStrategy {
    fileprivate static func taking(_ range: ClosedRange<some Numeric>) -> Self {
        range.lowerBound < 0 ? .unconditional : .next
    }
}
