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

    /// Puts a file with these bytes in the place of what has this name, whole or not at all; after a power cut, too, if it
    /// `isFlushed`.
    ///
    /// It is made as `temporary` on the same file system, in the place of what was left there. Blocks.
    package func replaceFile(
        _ path: String,
        by bytes: [UInt8],
        mode: UInt32,
        isFlushed: Bool = false,
        through temporary: String
    ) throws(FileError) {
        try remove(temporary)
        try makeFile(temporary, bytes, mode: mode, isFlushed: isFlushed)
        do throws(FileError) {
            try replace(path, by: temporary)
        } catch {
            try? remove(temporary)
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
