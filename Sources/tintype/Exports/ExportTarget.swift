// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Where exported files go; its calls block.
protocol ExportTarget {
    /// Adds a file of that relative name; one that is there already is left if it is the same.
    mutating func add(_ name: String, _ bytes: [UInt8], at time: Timestamp) throws(OutputError)

    /// Adds the manifest and makes the export whole.
    mutating func finish(_ manifest: ManifestLines) throws(OutputError)
}

/// Where an export goes, as `-o` says it.
enum ExportDestination: Hashable {
    /// A tar archive to stdout: `-`.
    case standardOutput
    /// A tar archive in a file: a name that ends with `.tar`.
    case archive(String)
    /// A folder, made if need be.
    case folder(String)

    init(_ option: String) {
        let isArchive = FileEnding.ending(of: option) == "tar"
        self = option == "-" ? .standardOutput : isArchive ? .archive(option) : .folder(option)
    }

    /// Refuses what certainly cannot take the pictures, and begins the export.
    func open() throws(OutputError) -> any ExportTarget {
        switch self {
        case .standardOutput:
            try OutputTarget.standardOutput.check()
            return ArchiveExport(to: .stream(.output))
        case .archive(let path):
            try OutputTarget.file(path).check()
            return ArchiveExport(to: .file(try StreamedFile(path)))
        case .folder(let path): return try FolderExport(path)
        }
    }
}
