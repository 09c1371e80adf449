// SPDX-License-Identifier: Apache-2.0

extension FileSystem {
    /// Makes a file with these bytes, which are on the disk when this returns if it `isFlushed`.
    ///
    /// One that does not get all of them is removed again. Blocks.
    package func makeFile(
        _ path: String,
        _ bytes: [UInt8],
        mode: UInt32,
        isFlushed: Bool = false
    ) throws(FileError) {
        let file = try create(path, mode: mode)
        do throws(FileError) {
            do throws(FileError) {
                try write(bytes, to: file)
                if isFlushed { try syncData(of: file) }
            } catch {
                try? close(file)
                throw error
            }
            try close(file)
        } catch {
            try? remove(path)
            throw error
        }
    }

    /// Removes a file, whose name is gone from the disk, too, when this returns if `isFlushed`; blocks.
    package func remove(_ path: String, isFlushed: Bool) throws(FileError) {
        try remove(path)
        guard isFlushed, let end = path.lastIndex(of: "/") else { return }
        try syncFolder(String(path[..<end]))
    }
}
