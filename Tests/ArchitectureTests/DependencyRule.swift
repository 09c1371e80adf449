// SPDX-License-Identifier: Apache-2.0

/// Modules and libraries that each target may import.
enum DependencyRule {
    /// Modules that every target may import: the standard library, libc and Foundation.
    static let common: Set<String> = ["Synchronization", "Glibc", "FoundationEssentials", "Foundation"]

    /// Additional modules that each target may import.
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
        "tintype": [
            "ArgumentParser", "CEmptyICU", "Dispatch", "NIOCore", "NIOHTTP1", "NIOPosix", "Subprocess", "SystemPackage",
            "TintypeModel",
        ],
    ]

    /// Dependencies of the targets that only tests use; no target in `Sources` may depend on these targets.
    static let allowedForTests: [String: Set<String>] = [
        "TestSupport": ["CV4L2", "Logging", "TintypeModel", "TintypeSystem"]
    ]

    /// Targets without Swift code.
    static let withoutSwift: Set<String> = [
        "CV4L2", "CEmptyICU", "CPage", "CTurboJPEG", "CCrypto", "CExif", "CFreeType",
    ]

    /// Constructs that bypass the checks of the language.
    static let escapes = ["try!", "fatalError(", "Task.detached"]

    static let longestFile = 300
}
