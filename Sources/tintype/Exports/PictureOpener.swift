// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The action of `tintype frames open` on the paths of pictures.
enum PictureOpener: Hashable {
    /// Prints them.
    case printing
    /// Runs this program with all of them.
    case program(String)
    /// Runs the desktop's xdg-open(1), which takes one, for each.
    case desktop(String)

    /// The program that was asked for, else xdg-open if there is a desktop and a terminal, else printing.
    ///
    /// Throws where `program` is not to be found.
    static func choose(
        program: String?,
        prints: Bool,
        isTerminal: Bool,
        environment: [String: String],
        mayRun: (String) -> Bool = SystemCalls.mayRun
    ) throws(OutputError) -> PictureOpener {
        if prints { return .printing }
        if let program {
            guard let path = find(program, environment, mayRun) else {
                throw OutputError(
                    "There is no program “\(program)”.",
                    remedy: "Give --with a program of PATH, or the path of one."
                )
            }
            return .program(path)
        }
        let hasDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
        guard isTerminal, hasDesktop, let path = find("xdg-open", environment, mayRun) else { return .printing }
        return .desktop(path)
    }

    /// Opens pictures; blocks until the program has ended.
    func open(_ paths: [String], environment: [String: String]) throws(OutputError) {
        switch self {
        case .printing: for path in paths { try StandardStream.output.write(exactly: path) }
        case .program(let program): try Self.run(program, paths, environment)
        case .desktop(let program): for path in paths { try Self.run(program, [path], environment) }
        }
    }

    private static func run(
        _ program: String,
        _ arguments: [String],
        _ environment: [String: String]
    ) throws(OutputError) {
        let status: CInt
        do throws(SystemError) {
            status = try SystemCalls.run(program, arguments, environment)
        } catch {
            throw OutputError("run \(program): \(error).", remedy: "Use --print, and open the file yourself.")
        }
        guard status == 0 else {
            throw OutputError(
                "\(program) ended with status \(status).",
                remedy: "Use --print, and open the file yourself."
            )
        }
    }

    private static func find(
        _ program: String,
        _ environment: [String: String],
        _ mayRun: (String) -> Bool
    ) -> String? {
        guard !program.contains("/") else { return mayRun(program) ? program : nil }
        return (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").lazy
            .map { "\($0)/\(program)" }.first(where: mayRun)
    }
}
