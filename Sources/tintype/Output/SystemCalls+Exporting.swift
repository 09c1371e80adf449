// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// What exporting and opening pictures needs.
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

    /// Whether this process may run the file (access(2)).
    static func mayRun(_ path: String) -> Bool { unsafe access(path, X_OK) == 0 }

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

    /// The next bytes of an open file from `offset` on, at most 64 kB; none at its end (pread(2)).
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

    /// Runs a program with these arguments and returns its exit status, 128 and the number for a signal; blocks.
    ///
    /// It has stdin, stdout and stderr of this process, and ends by SIGPIPE as programs do, which this process ignores. The
    /// C functions are `posix_spawn` and `waitpid`.
    static func run(
        _ program: String,
        _ arguments: [String],
        _ environment: [String: String]
    ) throws(SystemError) -> CInt {
        var argv: [UnsafeMutablePointer<CChar>?] = unsafe ([program] + arguments).map { unsafe strdup($0) }
        unsafe argv.append(nil)
        var envp: [UnsafeMutablePointer<CChar>?] = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") }
        unsafe envp.append(nil)
        defer {
            for index in 0...arguments.count { unsafe free(argv[index]) }
            for index in 0..<environment.count { unsafe free(envp[index]) }
        }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        var process: pid_t = 0
        let code = unsafe posix_spawn(&process, program, nil, &attributes, &argv, &envp)
        guard code == 0 else { throw SystemError(code: code) }
        var status: CInt = 0
        _ = try result { unsafe waitpid(process, &status, 0) }
        // WIFEXITED and its like are macros.
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }

    private static var temporaryFolder: String {
        let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? ""
        return folder.isEmpty ? "/tmp" : folder
    }
}
