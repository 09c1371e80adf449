// SPDX-License-Identifier: Apache-2.0

extension Spool {
    /// Location, access rights and naming of a spool.
    package struct Configuration: Hashable, Sendable {
        /// Name of the spool for cameras without a configured one.
        package static let defaultName = "default"

        /// Name in the configuration and in frame records.
        package var name: String
        /// Created if its parent exists.
        ///
        /// A relative path is relative to the working directory.
        package var folder: String
        package var folderMode: UInt32
        package var fileMode: UInt32
        package var ownership: Ownership
        /// Names of pictures below their camera's folder.
        package var names: FileNames
        /// Cameras whose `latest.jpg` is a separate picture, written by ``Spool/replaceLatest(of:by:until:)``; stills
        /// do not update it.
        package var ownLatest: Set<String> = []
        package var retention = RetentionSettings()
        /// Additional retention settings by camera name.
        package var cameraRetention: [String: RetentionSettings] = [:]

        package init(
            name: String = defaultName,
            folder: String,
            folderMode: UInt32 = 0o750,
            fileMode: UInt32 = 0o640,
            ownership: Ownership = Ownership(),
            names: FileNames = .standard
        ) {
            self.name = name
            self.folder = folder
            self.folderMode = folderMode
            self.fileMode = fileMode
            self.ownership = ownership
            self.names = names
        }
    }
}
