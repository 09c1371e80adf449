// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeModel

enum DescriptorLimit {
    /// Raises the soft limit of open files to the hard limit (setrlimit(2), RLIMIT_NOFILE).
    ///
    /// The low soft limit exists for programs that call select(2), which the daemon does not (systemd, NEWS of 240).
    static func raise(logger: Logger) {
        var limit = current
        guard limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        if unsafe setrlimit(resource, &limit) != 0 {
            let text = ErrnoText.of(errno)
            let call = "setrlimit RLIMIT_NOFILE \(limit.rlim_max)"
            logger.warning("\(call): \(text). Raise LimitNOFILE= if connections fail.")
        }
    }

    static var openFiles: Int { Int(clamping: current.rlim_cur) }

    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    private static var current: rlimit {
        var limit = rlimit(rlim_cur: .max, rlim_max: .max)
        _ = unsafe getrlimit(resource, &limit)
        return limit
    }
}
