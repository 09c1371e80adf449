// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Logging

/// The levels of `--log-level`: lines of this level and of more severe ones are written.
enum LogLevel: String, CaseIterable, ExpressibleByArgument {
    case trace
    case debug
    case info
    case notice
    case warning
    case error
    case critical

    /// The level of the logging library.
    var level: Logger.Level {
        switch self {
        case .trace: .trace
        case .debug: .debug
        case .info: .info
        case .notice: .notice
        case .warning: .warning
        case .error: .error
        case .critical: .critical
        }
    }
}
