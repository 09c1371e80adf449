// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The system calls of exporting pictures.
extension SystemCalls {
    /// The bytes of a regular file that is exactly so long; nil if it is anything else or may not be read.
    ///
    /// The last part of the path is not followed if it is a link.
    static func file(_ path: String, of size: Int) -> [UInt8]? {
        guard let descriptor = try? result({ unsafe Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) })
        else { return nil }
        defer { _ = close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) == size
        else { return nil }
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
            filled = 0
            while filled < size {
                let rest = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...]
                )
                let count = unsafe Glibc.read(descriptor, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                filled += count
            }
        }
        return bytes.count == size ? bytes : nil
    }

    /// Makes a folder and those above it that are not there; one that is there is no error (mkdir(2)).
    static func makeFolders(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            _ = try result { unsafe mkdir(path, 0o777) }
        } catch {
            switch error.code {
            case EEXIST:
                var status = stat()
                _ = try result { unsafe fstatat(AT_FDCWD, path, &status, 0) }
                guard status.st_mode & S_IFMT == S_IFDIR else { throw SystemError(code: ENOTDIR) }
            case ENOENT:
                guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { throw error }
                try makeFolders(String(path[..<slash]))
                _ = try result { unsafe mkdir(path, 0o777) }
            default: throw error
            }
        }
    }

    /// Makes a folder of our own among temporary files, for this user only, and returns its path (mkdtemp(3)).
    static func makeTemporaryFolder() throws(SystemError) -> String {
        var template = Array("\(temporaryFolder)/tintype-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw SystemError(code: errno) }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// A file among temporary files that has no name any more: it is gone when it is closed (mkstemp(3)).
    static func openUnnamed() throws(SystemError) -> CInt {
        var template = Array("\(temporaryFolder)/tintype-XXXXXX".utf8CString)
        let descriptor = try result { unsafe mkstemp(&template) }
        _ = unsafe unlink(template)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    /// The next bytes of an open file from `offset` on, at most 64 KiB; none at its end (pread(2)).
    static func read(_ descriptor: CInt, from offset: Int) throws(SystemError) -> [UInt8] {
        var code: CInt = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, filled in
            filled = 0
            do throws(SystemError) {
                let count = try result { unsafe CInt(pread(descriptor, buffer.baseAddress, buffer.count, offset)) }
                filled = Int(count)
            } catch {
                code = error.code
            }
        }
        guard code == 0 else { throw SystemError(code: code) }
        return bytes
    }

    private static var temporaryFolder: String {
        let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? ""
        return folder.isEmpty ? "/tmp" : folder
    }
}
