// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Logging
internal import TintypeModel

@testable internal import TintypeSpool

extension SpoolFolder {
    /// A spool in this folder with these settings of retention, reconciled.
    func open(
        _ retention: RetentionSettings,
        cameras: [String: RetentionSettings] = [:],
        files: (any FileSystem)? = nil,
        logger: Logger = quiet
    ) async throws -> Spool {
        var configuration = configuration
        configuration.retention = retention
        configuration.cameraRetention = cameras
        return try await open(configuration, files, logger: logger)
    }

    /// What sqlite3(1) says of the catalog, line by line.
    @discardableResult
    func sql(_ statement: String) throws -> [String] {
        try catalogOutput("\(path)/catalog.sqlite", statement)
            .split(separator: "\n").map(String.init)
    }

    /// Lets all pictures be of a time when the clock was synchronised, whatever this machine's is.
    func believeTimes() throws { try sql("UPDATE frame SET isClockSynchronized = 1") }
}

/// What the clocks say `age` after ``noon``.
func clocks(_ age: Duration, isSynchronized: Bool = true, boot: String = "a") -> ClockReading {
    ClockReading(
        bootID: boot,
        uptime: .seconds(86_400) + age,
        wall: Timestamp(microseconds: noon.microseconds + age.nanosecondCount / 1000),
        isSynchronized: isSynchronized
    )
}
