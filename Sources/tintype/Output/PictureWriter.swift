// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

/// Writes the pictures of one command to where `-o` says: none takes the place of another one of them.
struct PictureWriter {
    private let pattern: FilePattern
    private let isStream: Bool
    private var count = 0
    private var paths: Set<String> = []

    /// Refuses what certainly cannot take a picture; to be called before the camera is troubled.
    init(_ option: String) throws(OutputError) {
        pattern = FilePattern(option)
        isStream = Self.isStream(option)
        try target(isStream ? option : pattern.path(at: .now(), number: 1)).check()
    }

    /// Whether `option` takes several pictures one after the other: stdout, or a device or a pipe that is there.
    static func isStream(_ option: String) -> Bool {
        if option == "-" { return true }
        guard let mode = try? SystemCalls.mode(option) else { return false }
        return ![S_IFREG, S_IFDIR].contains(mode & S_IFMT)
    }

    /// Whether stdout is where the pictures go.
    var isStandardOutput: Bool { pattern.text == "-" }

    /// Whether the names of the files are not known from the command line, so that they must be printed.
    var namesFiles: Bool { !isStream && (!pattern.isPlain || count > 1) }

    /// Writes the next picture and returns the path of its file; blocks.
    mutating func write(_ still: Still) throws(OutputError) -> String {
        count += 1
        guard !isStream else {
            try target(pattern.text).write(still.picture)
            return pattern.text
        }
        let path = free(try pattern.path(at: still.record.capturedAt, number: count))
        try target(path).write(still.picture)
        paths.insert(path)
        return path
    }

    private func target(_ path: String) -> OutputTarget { OutputTarget(path) }

    /// `path` or, where a picture of this command has that already, the same with `-2`, `-3` and so on before its end.
    private func free(_ path: String) -> String {
        let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let dot = path[name...].dropFirst().lastIndex(of: ".") ?? path.endIndex
        var candidate = path
        var attempt = 1
        while paths.contains(candidate) {
            attempt += 1
            candidate = "\(path[..<dot])-\(attempt)\(path[dot...])"
        }
        return candidate
    }
}
