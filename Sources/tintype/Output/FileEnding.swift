// SPDX-License-Identifier: Apache-2.0

/// Endings of names that promise another kind of file than tintype writes.
///
/// Such a name is refused, since programs would take the file for what it is not; any other name is taken.
enum FileEnding {
    /// Kinds of pictures, films and archives, all but JPEG.
    private static let noPicture: Set = [
        "avi", "avif", "bmp", "cr2", "dng", "exr", "gif", "gz", "heic", "heif", "ico", "jp2", "jxl", "mkv", "mov",
        "mp4", "nef", "pam", "pbm", "pdf", "pgm", "png", "pnm", "ppm", "psd", "qoi", "raw", "svg", "tar", "tga", "tgz",
        "tif", "tiff", "webm", "webp", "yuv", "zip",
    ]
    /// Kinds of archives, all but tar, with the program that makes one of a tar archive, if there is any.
    private static let noArchive: [String: String?] = [
        "gz": "gzip", "tgz": "gzip", "bz2": "bzip2", "tbz": "bzip2", "tbz2": "bzip2", "xz": "xz", "txz": "xz",
        "zst": "zstd", "tzst": "zstd", "lz4": "lz4", "lz": "lzip", "7z": nil, "cpio": nil, "rar": nil, "zip": nil,
    ]

    /// Why `name` is none for a JPEG picture, and what to do; nil for one that is.
    static func fault(ofPicture name: String) -> String? {
        guard let ending = ending(of: name), noPicture.contains(ending) else { return nil }
        return "tintype writes JPEG pictures, and “\(name)” is the name of another format. "
            + "Use a name that ends with .jpg, or convert the picture: tintype still -o - | convert - \(name)"
    }

    /// Why `name` is none for an export, and what to do; nil for one that is.
    static func fault(ofExport name: String) -> String? {
        guard let ending = ending(of: name), let program = noArchive[ending] else { return nil }
        let remedy =
            program.map { "Pipe the archive to \($0): tintype frames export … -o - | \($0) > \(name)" }
            ?? "Use a name that ends with .tar, or a folder."
        return "tintype writes tar archives without compression, and “\(name)” is the name of another format. \(remedy)"
    }

    /// In small letters; nil for a name without one.
    static func ending(of name: String) -> String? {
        let last = name.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        // A name that begins with a dot is hidden, and a folder's ends with a slash.
        guard let dot = last.dropFirst().lastIndex(of: ".") else { return nil }
        return last[last.index(after: dot)...].lowercased()
    }
}
