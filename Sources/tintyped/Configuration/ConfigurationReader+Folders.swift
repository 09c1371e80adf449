// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import Yams

extension ConfigurationReader {
    /// Notes where two spools share a folder, or one is inside of another: each would take the other's for its own.
    static func checkFolders(
        _ root: MappingReader<ConfigurationKey.Root>,
        of all: DaemonConfiguration,
        faults: FaultCollector
    ) {
        let further = root.node(.spools)?.mapping
        for (index, spool) in all.spools.enumerated() {
            let keys = further?.first { $0.key.string == spool.name }?.value.mapping
            // One without a folder is wrong already.
            guard let folder = keys?["folder"] else { continue }
            for other in [all.spool] + all.spools.prefix(index)
            where FolderPath.overlap(spool.folder, other.folder) {
                faults.add(
                    folder.mark,
                    key: "\(root.name(.spools)).\(spool.name).folder",
                    "It is the folder of the spool \(other.name), \(other.folder), or one of the two is inside of the "
                        + "other.",
                    remedy: "Give each spool a folder of its own."
                )
            }
        }
    }
}
