// SPDX-License-Identifier: Apache-2.0

/// A new file that takes the place of another once it is whole.
///
/// Where the file system knows files without a name (`O_TMPFILE`) it has none before that, so that a command that is
/// interrupted leaves nothing; elsewhere it has a hidden one beside its place.
struct HiddenFile {
    let descriptor: CInt
    /// The name that it has, or gets for a moment.
    let path: String
    private let isNamed: Bool

    /// An empty file for the place of `target`; blocks.
    init(for target: String) throws(OutputError) {
        path = OutputFile.temporaryName(beside: target)
        if let descriptor = SystemCalls.createUnnamed(in: OutputFile.folder(of: target), mode: 0o666) {
            self.descriptor = descriptor
            isNamed = false
            return
        }
        do throws(SystemError) {
            descriptor = try SystemCalls.create(path, mode: 0o666)
            isNamed = true
        } catch {
            throw OutputError("create", path, error)
        }
    }

    /// Gives it the name `target`, in place of a file that had it; it must still be open.
    func rename(to target: String) throws(SystemError) {
        if !isNamed { try SystemCalls.link(descriptor, to: path) }
        try SystemCalls.rename(path, to: target)
    }

    /// Removes the hidden name, if it has one; closing it is up to the caller.
    func remove() { SystemCalls.remove(path) }
}
