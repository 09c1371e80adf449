// SPDX-License-Identifier: Apache-2.0

extension Spool {
    /// Where a spool is, who may read it, and what pictures are called in it.
    package struct Configuration: Hashable, Sendable {
        /// The name of the spool that cameras have for which no other is named.
        package static let defaultName = "default"

        /// Its name in the configuration and in the records of its frames.
        package var name: String
        /// The folder; made if its parent is there.
        ///
        /// A relative path counts from the working directory.
        package var folder: String
        /// The permission bits of every folder made in it.
        package var folderMode: UInt32
        /// The permission bits of every picture.
        package var fileMode: UInt32
        /// The owner of its folders and files.
        package var ownership: Ownership
        /// The names of pictures below their camera's folder.
        package var names: FileNames
        /// The cameras whose `latest.jpg` is a picture of its own, by ``Spool/replaceLatest(of:by:until:)``: stills
        /// leave it alone.
        package var ownLatest: Set<String> = []
        /// The rules by which its pictures are deleted automatically.
        package var retention = RetentionSettings()
        /// Which pictures of single cameras do, by their names, besides.
        package var cameraRetention: [String: RetentionSettings] = [:]

        /// A spool in `folder`.
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
