// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

enum OutputTarget: Hashable {
    /// `-`, or a path that leads to the file of stdout.
    case standardOutput
    /// A new or replaced file, or an existing device or pipe.
    case file(String)

    init(_ option: String) {
        self = option == "-" || SystemCalls.isStandardOutput(option) ? .standardOutput : .file(option)
    }

    /// Throws if the target certainly cannot take a picture.
    func check() throws(OutputError) {
        switch self {
        case .standardOutput:
            guard StandardStream.output.isTerminal else { return }
            let remedy = "Give -o a file, or pipe the output to a program."
            throw OutputError("stdout is a terminal, and a picture would garble it.", remedy: remedy)
        case .file(let path):
            let type = try Self.type(path)
            guard type != S_IFDIR else {
                throw OutputError("\(path) is a folder.", remedy: "Give the name of a file in it.")
            }
            guard type == nil || type == S_IFREG else { return }
            let folder = try AtomicFile.destination(of: path).enclosingFolder
            try OutputError.naming("make a file in", folder, try SystemCalls.checkWritable(folder))
        }
    }

    /// Blocks until a pipe has a reader.
    func open() throws(OutputError) -> OpenOutput {
        try check()
        guard case .file(let path) = self else { return .standardOutput }
        let type = try Self.type(path)
        return type == nil || type == S_IFREG ? .file(try AtomicFile(path)) : .stream(try OpenStream(path))
    }

    /// Blocks.
    func write(_ bytes: [UInt8]) throws(OutputError) {
        let output = try open()
        try output.write(bytes)
        try output.finish()
    }

    private static func type(_ path: String) throws(OutputError) -> mode_t? {
        try OutputError.naming("stat", path, try SystemCalls.mode(path)).map { $0 & S_IFMT }
    }
}

/// Open target of `-o`; all calls block.
enum OpenOutput {
    case standardOutput
    case stream(OpenStream)
    case file(AtomicFile)

    func write(_ bytes: [UInt8]) throws(OutputError) {
        switch self {
        case .standardOutput: try StandardStream.output.write(bytes)
        case .stream(let stream): try stream.write(bytes)
        case .file(let file): try file.write(bytes)
        }
    }

    /// A file gets its name.
    func finish() throws(OutputError) { if case .file(let file) = self { try file.finish() } }
}

/// An open device or pipe; a pipe's reader sees the end of file on deinitialization.
final class OpenStream: Sendable {
    private let path: String
    private let descriptor: CInt

    /// Opens an existing device or pipe; blocks until a pipe has a reader.
    init(_ path: String) throws(OutputError) {
        self.path = path
        let open = { () throws(SystemError) in try SystemCalls.openForWriting(path) }
        descriptor = try OutputError.naming("open", path, try Interruption.duringOutput(open))
    }

    deinit { close(descriptor) }

    /// Blocks until all bytes are written.
    func write(_ bytes: [UInt8]) throws(OutputError) {
        let write = { [descriptor] () throws(SystemError) in try SystemCalls.write(bytes, to: descriptor) }
        try OutputError.naming("write to", path, try Interruption.duringOutput(write))
    }
}

/// Writes the pictures of one command to the destination of `-o`; none overwrites another.
struct PictureWriter {
    private let pattern: FilePattern
    private let isStream: Bool
    let isStandardOutput: Bool
    /// stdout, or the device or pipe, opened at the first picture.
    private var stream: OpenOutput?
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
        if stream == nil { stream = try OutputTarget(pattern.text).open() }
        try stream?.write(still.picture)
        return pattern.text
    }
}

struct UniquePaths {
    var taken: Set<String> = []

    /// Reserves `path` or, if taken, the path with `-2`, `-3` and so on before its extension.
    mutating func reserve(_ path: String) -> String {
        let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let dot = path[name...].dropFirst().lastIndex(of: ".") ?? path.endIndex
        var (free, attempt) = (path, 1)
        while !taken.insert(free).inserted {
            attempt += 1
            free = "\(path[..<dot])-\(attempt)\(path[dot...])"
        }
        return free
    }
}

/// Path for `-o` with fields of strftime(3) and the counter `%i`.
///
/// strftime(3) does not use `%i`; `%03i` has at least three digits. The time is that of the capture, in the local time
/// zone. A path without `%` is used unchanged.
struct FilePattern: Hashable {
    let text: String

    /// “%%i” is a percent sign and an i.
    private static var counter: Regex<(Substring, Substring?)> { /%(?:%|([0-9]{0,2})i)/ }

    init(_ text: String) { self.text = text }

    var isPlain: Bool { !text.contains("%") }

    func path(at time: Timestamp, number: Int) throws(OutputError) -> String {
        guard !isPlain else { return text }
        let format = text.replacing(Self.counter) { match in
            match.1.map { Timestamp.pad(number, Int($0) ?? 1) } ?? "%%"
        }
        guard let path = SystemCalls.formatted(format, time), !path.isEmpty else {
            let detail = "“\(text)” gives no name for a file, or one that is too long."
            throw OutputError(detail, remedy: "Give -o a name such as %Y%m%d-%H%M%S.jpg.")
        }
        return path
    }

    /// True if pictures taken at this interval get different names, as far as predictable.
    func givesDistinctNames(every: Duration) -> Bool {
        if text.matches(of: Self.counter).contains(where: { $0.1 != nil }) { return true }
        // Begins at a full hour, to be independent of the current time.
        let hour = Timestamp(microseconds: 1_735_689_600_000_000)
        guard let first = try? path(at: hour, number: 1), let second = try? path(at: hour + every, number: 2) else {
            return true
        }
        return first != second
    }
}

/// File name extensions of other formats, refused because programs would misinterpret the file.
enum FileEnding {
    private static let noPicture: Set = [
        "avi", "avif", "bmp", "cr2", "dng", "exr", "gif", "gz", "heic", "heif", "ico", "jp2", "jxl", "mkv", "mov",
        "mp4", "nef", "pam", "pbm", "pdf", "pgm", "png", "pnm", "ppm", "psd", "qoi", "raw", "svg", "tar", "tga", "tgz",
        "tif", "tiff", "webm", "webp", "yuv", "zip",
    ]
    private static let archives: Set = [
        "7z", "bz2", "cpio", "gz", "lz", "lz4", "rar", "tar", "tbz", "tbz2", "tgz", "txz", "tzst", "xz", "zip", "zst",
    ]

    /// Reason and remedy if `name` does not suit a JPEG picture; nil if it does.
    static func fault(ofPicture name: String) -> String? {
        guard let ending = ending(of: name), noPicture.contains(ending) else { return nil }
        return "tintype writes JPEG pictures, and “\(name)” is the name of another format. "
            + "Use a name that ends with .jpg, or convert the picture: tintype still -o - | convert - \(name)"
    }

    static func fault(ofExport name: String) -> String? {
        guard let ending = ending(of: name), archives.contains(ending) else { return nil }
        return "tintype exports into a folder, and “\(name)” is the name of an archive. "
            + "Name a folder, and make an archive of it with tar(1)."
    }

    /// Extension in lower case; nil if none.
    private static func ending(of name: String) -> String? {
        let last = name.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        // A leading dot marks a hidden file, and a trailing slash a folder.
        guard let dot = last.dropFirst().lastIndex(of: ".") else { return nil }
        return last[last.index(after: dot)...].lowercased()
    }
}
