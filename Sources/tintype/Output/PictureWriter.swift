// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

/// Writes the pictures of one command to the destination of `-o`; none overwrites another.
struct PictureWriter {
    private let pattern: FilePattern
    private let isStream: Bool
    let isStandardOutput: Bool
    /// The device or pipe, opened at the first picture.
    private var stream: OpenStream?
    private var count = 0
    private var paths = UniquePaths()

    /// Throws if the destination certainly cannot take a picture; call it before the camera is used.
    init(_ option: String) throws(OutputError) {
        pattern = FilePattern(option)
        isStream = Self.isStream(option)
        isStandardOutput = OutputTarget(option) == .standardOutput
        try OutputTarget(isStream ? option : pattern.path(at: .now(), number: 1)).check()
    }

    /// True if `option` takes a sequence of pictures: stdout, or an existing device or pipe.
    static func isStream(_ option: String) -> Bool {
        if OutputTarget(option) == .standardOutput { return true }
        guard let mode = try? SystemCalls.mode(option) else { return false }
        return ![S_IFREG, S_IFDIR].contains(mode & S_IFMT)
    }

    /// True if file names cannot be known from the command line and must be printed.
    var namesFiles: Bool { !isStream && (!pattern.isPlain || count > 1) }

    /// Writes the next picture and returns the path of its file; blocks.
    mutating func write(_ still: Still) throws(OutputError) -> String {
        count += 1
        guard isStream else {
            let path = paths.reserve(try pattern.path(at: still.record.capturedAt, number: count))
            try OutputTarget(path).write(still.picture)
            return path
        }
        if isStandardOutput {
            try StandardStream.output.write(still.picture)
        } else {
            if stream == nil { stream = try OpenStream(pattern.text) }
            try stream?.write(still.picture)
        }
        return pattern.text
    }
}
