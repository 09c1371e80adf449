// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

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
