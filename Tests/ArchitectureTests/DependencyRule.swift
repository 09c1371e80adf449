// SPDX-License-Identifier: Apache-2.0

/// Which of our modules and which libraries each target may import (DESIGN, section 2).
enum DependencyRule {
    /// The modules that every target may import: the standard library, libc and Foundation's essentials.
    static let common: Set<String> = ["Synchronization", "Glibc", "FoundationEssentials", "Foundation"]

    /// What else a target may import.
    static let allowed: [String: Set<String>] = [
        "TintypeModel": [],
        "TintypeSystem": ["CCrypto", "CV4L2", "TintypeModel"],
        "TintypeImaging": ["CExif", "CFreeType", "CTurboJPEG", "TintypeModel"],
        "TintypeDevice": ["CV4L2", "TintypeModel", "TintypeSystem"],
        "TintypeCapture": [
            "CoreMetrics", "Logging", "TintypeDevice", "TintypeImaging", "TintypeModel", "TintypeSystem",
        ],
        "TintypeSpool": [
            "CV4L2", "CoreMetrics", "GRDB", "GRDBSQLite", "Logging", "TintypeImaging", "TintypeModel", "TintypeSystem",
        ],
        "TintypeAPI": [
            "CPage", "CoreMetrics", "HTTPTypes", "Hummingbird", "HummingbirdCore", "Logging", "NIOCore", "NIOHTTP1",
            "NIOPosix", "ServiceLifecycle", "TintypeModel", "TintypeSystem",
        ],
        "tintyped": [
            "ArgumentParser", "CEmptyICU", "CoreMetrics", "Dispatch", "Logging", "ServiceLifecycle", "Subprocess",
            "SystemPackage", "TintypeAPI", "TintypeCapture", "TintypeDevice", "TintypeImaging", "TintypeModel",
            "TintypeSpool", "TintypeSystem", "Yams",
        ],
        "tintype": ["ArgumentParser", "CEmptyICU", "Dispatch", "NIOCore", "NIOHTTP1", "NIOPosix", "TintypeModel"],
    ]

    /// What the targets that only tests use may depend on; none of `Sources` may use one of them.
    static let allowedForTests: [String: Set<String>] = [
        "TestSupport": ["CV4L2", "Logging", "TintypeModel", "TintypeSystem"]
    ]

    /// The targets that hold no Swift.
    static let withoutSwift: Set<String> = [
        "CV4L2", "CEmptyICU", "CPage", "CTurboJPEG", "CCrypto", "CExif", "CFreeType",
    ]

    /// Words that switch off what the language checks.
    static let escapes = ["try!", "fatalError(", "Task.detached"]

    /// The longest a source file may be.
    static let longestFile = 300
}
