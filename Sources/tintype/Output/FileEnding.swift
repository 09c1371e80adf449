// SPDX-License-Identifier: Apache-2.0

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
