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
    private static let archives: Set = [
        "7z", "bz2", "cpio", "gz", "lz", "lz4", "rar", "tar", "tbz", "tbz2", "tgz", "txz", "tzst", "xz", "zip", "zst",
    ]

    /// Why `name` is none for a JPEG picture, and what to do; nil for one that is.
    static func fault(ofPicture name: String) -> String? {
        guard let ending = ending(of: name), noPicture.contains(ending) else { return nil }
        return "tintype writes JPEG pictures, and “\(name)” is the name of another format. "
            + "Use a name that ends with .jpg, or convert the picture: tintype still -o - | convert - \(name)"
    }

    /// Why `name` is none for an export, and what to do; nil for one that is.
    static func fault(ofExport name: String) -> String? {
        guard let ending = ending(of: name), archives.contains(ending) else { return nil }
        return "tintype exports into a folder, and “\(name)” is the name of an archive. "
            + "Name a folder, and make an archive of it with tar(1)."
    }

    /// In small letters; nil for a name without one.
    private static func ending(of name: String) -> String? {
        let last = name.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        // A name that begins with a dot is hidden, and a folder's ends with a slash.
        guard let dot = last.dropFirst().lastIndex(of: ".") else { return nil }
        return last[last.index(after: dot)...].lowercased()
    }
}
