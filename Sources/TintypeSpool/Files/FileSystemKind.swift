// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// File system types by the durability they support, from statfs(2).
package enum FileSystemKind: Hashable, Sendable {
    /// ext4 and all types that are not listed here.
    case dependable
    /// XFS, Btrfs, bcachefs, ZFS: dependable, but writing to a memory map raises SIGBUS if the disk is full or gone.
    case unmappable
    /// FAT and exFAT: no journal.
    case fat(name: String)
    /// NFS, SMB and 9P: the disk of another machine.
    case network(name: String)
    case fuse
    /// tmpfs and ramfs.
    case memory

    /// Type for an `f_type` (linux/magic.h, and the sources of exFAT and SMB).
    package init(type: UInt32) {
        self =
            switch type {
            case 0x4D44: .fat(name: "FAT")
            case 0x2011_BAB0: .fat(name: "exFAT")
            case 0x6969: .network(name: "NFS")
            case 0xFF53_4D42, 0xFE53_4D42, 0x517B: .network(name: "SMB")
            case 0x0102_1997: .network(name: "9P")
            case 0x6573_5546: .fuse
            case 0x0102_1994, 0x8584_58F6: .memory
            case 0x5846_5342, 0x9123_683E, 0xCA45_1A4E, 0x2FC1_2FC1: .unmappable
            default: .dependable
            }
    }

    /// True if a folder's times change with each entry added or removed, to a second or better (POSIX).
    var keepsFolderTimes: Bool {
        switch self {
        case .dependable, .unmappable, .memory: true
        case .fat, .network, .fuse: false
        }
    }

    /// Reduced durability of a spool in `folder`; nil if the file system supports full durability.
    package func limit(of folder: String) -> SpoolLimit? {
        let (durability, fault, remedy): (Durability, String, String)
        switch self {
        case .dependable, .unmappable: return nil
        case .fat(let name):
            durability = .data
            fault = "on \(name), which has no journal: after a power cut a picture may be missing or have two names."
            remedy = "Put the spool on ext4, XFS or Btrfs for pictures that survive one."
        case .network(let name):
            durability = .data
            fault = "on \(name): the other machine decides when a name reaches the disk."
            remedy = "Put the spool on a disk of this machine for pictures that survive a power cut."
        case .fuse:
            durability = .none
            fault = "on a FUSE file system: its program decides when files reach the disk."
            remedy = "Put the spool on ext4, XFS or Btrfs for pictures that survive a power cut."
        case .memory:
            durability = .none
            fault = "in memory (tmpfs): its files are lost when the machine stops."
            remedy = "Put the spool on a disk to keep the pictures."
        }
        return SpoolLimit(durability: durability, sentence: "\(folder) is \(fault) \(remedy)")
    }
}
