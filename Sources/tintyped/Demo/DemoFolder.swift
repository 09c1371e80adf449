// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Glibc
internal import TintypeModel

/// Temporary folder of a demo, locked (flock(2)) until the process ends.
struct DemoFolder: Sendable {
    let path: String
    /// Keeps the lock, which the kernel releases even after SIGKILL.
    private let descriptor: CInt

    static let prefix = "tintype-demo-"

    /// Creates a folder below `parent` that only its user can enter (mkdtemp(3)).
    init(in parent: String) throws(Problem) {
        while true {
            var template = Array("\(parent)/\(Self.prefix)XXXXXX".utf8CString)
            guard unsafe mkdtemp(&template) != nil else {
                let detail = "mkdtemp in \(parent): \(ErrnoText.of(errno))."
                throw Problem(.internalError, detail, remedy: "Set TMPDIR to a folder that you may write to.")
            }
            let made = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
            // Nil if a demo that started at the same moment has taken it for a leftover.
            guard let lock = Self.lock(made) else { continue }
            (path, descriptor) = (made, lock)
            return
        }
    }

    /// Removes the folders of demos that were killed; a folder counts as one if it is locked by nobody, belongs to this
    /// user alone, and has no entry that a demo does not make.
    static func removeLeftovers(in parent: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] where name.hasPrefix(prefix) {
            let path = "\(parent)/\(name)"
            guard let lock = lock(path) else { continue }
            defer { close(lock) }
            let entries = try? FileManager.default.contentsOfDirectory(atPath: path)
            if let entries, Demo.entries.isSuperset(of: entries) { try? FileManager.default.removeItem(atPath: path) }
        }
    }

    /// Removes the folder, and again what other threads of the process still write into it.
    func remove() {
        for _ in 0..<3 where FileManager.default.fileExists(atPath: path) {
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    /// Nil if the folder is locked, is a link, is not of this user with mode 0700, or was removed meanwhile.
    private static func lock(_ path: String) -> CInt? {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var (opened, present) = (stat(), stat())
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, unsafe fstat(descriptor, &opened) == 0,
            unsafe lstat(path, &present) == 0, opened.st_ino == present.st_ino, opened.st_dev == present.st_dev,
            opened.st_uid == geteuid(), opened.st_mode & 0o777 == 0o700
        else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}
