// SPDX-License-Identifier: Apache-2.0

/// Which of our modules and which libraries each target may import (DESIGN, section 2).
enum DependencyRule {
    /// The modules that every target may import: the standard library, libc and Foundation's essentials.
    static let common: Set<String> = ["Synchronization", "Glibc", "FoundationEssentials", "Foundation"]

    /// What else a target may import.
    static let allowed: [String: Set<String>] = [
        "TintypeModel": [],
        "TintypeDigest": ["CCrypto"],
        "TintypeThreads": ["CV4L2", "TintypeModel"],
        "TintypeDevice": ["CV4L2", "TintypeModel", "TintypeThreads"],
        "TintypePattern": ["CV4L2", "TintypeDevice", "TintypeModel", "TintypeThreads"],
        "TintypeImaging": ["CExif", "CFreeType", "CTurboJPEG", "TintypeModel"],
        "TintypeFrames": ["TintypeDevice", "TintypeImaging", "TintypeModel", "TintypeThreads"],
        "TintypeCapture": [
            "CoreMetrics", "Logging", "TintypeDevice", "TintypeFrames", "TintypeImaging", "TintypeModel",
            "TintypeThreads",
        ],
        "TintypeStills": [
            "TintypeCapture", "TintypeDevice", "TintypeFrames", "TintypeImaging", "TintypeModel", "TintypeThreads",
        ],
        "TintypeSpool": [
            "CV4L2", "CoreMetrics", "GRDB", "GRDBSQLite", "Logging", "TintypeDigest", "TintypeImaging", "TintypeModel",
            "TintypeThreads",
        ],
        "TintypeControl": [
            "CPage", "CoreMetrics", "HTTPTypes", "Hummingbird", "HummingbirdCore", "Logging", "NIOCore", "NIOHTTP1",
            "NIOPosix",
            "ServiceLifecycle", "TintypeDigest", "TintypeModel", "TintypeThreads",
        ],
        "TintypeClient": ["NIOCore", "NIOHTTP1", "NIOPosix", "TintypeModel"],
        "tintyped": [
            "ArgumentParser", "CEmptyICU", "CoreMetrics", "Dispatch", "Logging", "ServiceLifecycle",
            "Subprocess",
            "SystemPackage",
            "TintypeCapture",
            "TintypeControl", "TintypeDevice", "TintypeFrames", "TintypeImaging", "TintypeModel", "TintypePattern",
            "TintypeSpool", "TintypeStills", "TintypeThreads", "Yams",
        ],
        "tintype": ["ArgumentParser", "CEmptyICU", "Dispatch", "TintypeClient", "TintypeModel"],
    ]

    /// What the targets that only tests use may depend on; none of `Sources` may use one of them.
    static let allowedForTests: [String: Set<String>] = [
        "TestSupport": ["CV4L2", "Logging", "TintypeModel", "TintypeThreads"]
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
