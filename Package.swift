// swift-tools-version:6.3
// SPDX-License-Identifier: Apache-2.0
import Foundation
import PackageDescription

let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let serviceLifecycleTestKit = Target.Dependency.product(
    name: "ServiceLifecycleTestKit",
    package: "swift-service-lifecycle"
)
let coreMetrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

// The toolchain's own linker: it makes the relocations small (make build), and is quicker than the system's.
let linking: [LinkerSetting] = [.unsafeFlags(["-use-ld=lld"])]

let package = Package(
    name: "tintype",
    products: [
        .executable(name: "tintyped", targets: ["tintyped"]),
        .executable(name: "tintype", targets: ["tintype"]),
    ],
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2", traits: []),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    ],
    targets: [
        .target(name: "CEmptyICU"),
        .target(name: "CPage", exclude: ["openapi.json", "page"]),
        .target(name: "CV4L2", linkerSettings: [.linkedLibrary("v4lconvert")]),
        .systemLibrary(
            name: "CTurboJPEG",
            pkgConfig: "libturbojpeg",
            providers: [.apt(["libturbojpeg0-dev"])]
        ),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CExif", pkgConfig: "libexif", providers: [.apt(["libexif-dev"])]),
        .systemLibrary(name: "CFreeType", pkgConfig: "freetype2", providers: [.apt(["libfreetype-dev"])]),
        .target(name: "TintypeModel"),
        .target(name: "TintypeDigest", dependencies: ["CCrypto"]),
        .target(name: "TintypeThreads", dependencies: ["CV4L2", "TintypeModel"]),
        .target(name: "TintypeDevice", dependencies: ["CV4L2", "TintypeModel", "TintypeThreads"]),
        .target(name: "TintypePattern", dependencies: ["CV4L2", "TintypeDevice", "TintypeModel", "TintypeThreads"]),
        .target(name: "TintypeImaging", dependencies: ["CExif", "CFreeType", "CTurboJPEG", "TintypeModel"]),
        .target(
            name: "TintypeFrames",
            dependencies: ["TintypeDevice", "TintypeImaging", "TintypeModel", "TintypeThreads"]
        ),
        .target(
            name: "TintypeCapture",
            dependencies: [
                "TintypeDevice", "TintypeFrames", "TintypeImaging", "TintypeModel", "TintypeThreads", coreMetrics,
                logging,
            ]
        ),
        .target(
            name: "TintypeStills",
            dependencies: [
                "TintypeCapture", "TintypeDevice", "TintypeFrames", "TintypeImaging", "TintypeModel", "TintypeThreads",
            ]
        ),
        .target(
            name: "TintypeSpool",
            dependencies: [
                "CV4L2", "TintypeDigest", "TintypeImaging", "TintypeModel", "TintypeThreads", coreMetrics, grdb,
                logging, sqlite,
            ]
        ),
        .target(
            name: "TintypeControl",
            dependencies: [
                "CPage", "TintypeDigest", "TintypeModel", "TintypeThreads", coreMetrics, hummingbird, hummingbirdCore,
                httpTypes, nioCore, nioHTTP1, nioPosix, logging, serviceLifecycle,
            ]
        ),
        .target(name: "TintypeClient", dependencies: ["TintypeModel", nioCore, nioPosix, nioHTTP1]),
        .executableTarget(
            name: "tintyped",
            dependencies: [
                "CEmptyICU", "TintypeCapture", "TintypeControl", "TintypeDevice", "TintypeFrames",
                "TintypeImaging",
                "TintypeModel", "TintypePattern", "TintypeSpool", "TintypeStills", "TintypeThreads", argumentParser,
                coreMetrics, logging, serviceLifecycle, subprocess, systemPackage, yams,
            ],
            linkerSettings: linking
        ),
        .executableTarget(
            name: "tintype",
            dependencies: ["CEmptyICU", "TintypeClient", "TintypeModel", argumentParser],
            linkerSettings: linking
        ),
        .target(
            name: "TestSupport",
            dependencies: ["CV4L2", "TintypeModel", "TintypeThreads", logging],
            path: "Tests/TestSupport"
        ),
        .testTarget(name: "ArchitectureTests"),
        .testTarget(name: "TintypeModelTests", dependencies: ["TestSupport", "TintypeModel"]),
        .testTarget(
            name: "TintypeThreadsTests",
            dependencies: ["CV4L2", "TestSupport", "TintypeModel", "TintypeThreads"]
        ),
        .testTarget(
            name: "TintypeImagingTests",
            dependencies: ["CTurboJPEG", "TestSupport", "TintypeImaging", "TintypeModel"]
        ),
        .testTarget(
            name: "TintypeDeviceTests",
            dependencies: [
                "CV4L2", "TestSupport", "TintypeDevice", "TintypeImaging", "TintypeModel",
                "TintypePattern", "TintypeThreads",
            ]
        ),
        .testTarget(
            name: "TintypeCaptureTests",
            dependencies: [
                "TestSupport", "TintypeCapture", "TintypeDevice", "TintypeFrames", "TintypeImaging", "TintypeModel",
                "TintypePattern", "TintypeStills", "TintypeThreads", logging,
            ]
        ),
        .testTarget(
            name: "TintypeSpoolTests",
            dependencies: [
                "TestSupport", "TintypeCapture", "TintypeDevice", "TintypeDigest", "TintypeFrames", "TintypeImaging",
                "TintypeModel", "TintypePattern", "TintypeSpool", "TintypeStills", "TintypeThreads", grdb, logging,
            ]
        ),
        .testTarget(
            name: "TintypeControlTests",
            dependencies: [
                "TestSupport", "TintypeControl", "TintypeDigest", "TintypeModel", hummingbird, httpTypes, nioCore,
                nioEmbedded, nioHTTP1, nioPosix, logging, serviceLifecycle,
            ]
        ),
        .testTarget(
            name: "TintypeClientTests",
            dependencies: ["TestSupport", "TintypeClient", "TintypeModel", nioCore, nioEmbedded, nioHTTP1, nioPosix]
        ),
        .testTarget(
            name: "TintypeCommandTests",
            dependencies: [
                "TestSupport", "TintypeClient", "TintypeModel", "tintype", argumentParser, nioCore, nioHTTP1, nioPosix,
            ]
        ),
        .testTarget(
            name: "TintypedTests",
            dependencies: [
                "TestSupport", "TintypeCapture", "TintypeControl", "TintypeDevice", "TintypeFrames",
                "TintypeImaging", "TintypeModel", "TintypePattern", "TintypeSpool", "TintypeStills", "TintypeThreads",
                "tintyped", argumentParser, coreMetrics, logging,
                serviceLifecycle, serviceLifecycleTestKit, yams,
            ]
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "TestSupport", "TintypeClient", "TintypeDevice", "TintypeDigest", "TintypeImaging", "TintypeModel",
                "TintypePattern", "tintype", "tintyped",
            ]
        ),
    ]
)

// Adds the test targets that only `make test-all` compiles, and what it needs in the release configuration: @testable imports
// and the assertions that a debug build has anyway. No flag of the debug configuration depends on it, so that one debug build
// serves `make still`, `make check`, `make test` and a developer.
let testsAll = Context.environment["TINTYPE_TEST_ALL"] != nil

// The folder All of a test target holds what only `make test-all` compiles and runs: what takes minutes, needs programs of others
// or a machine of its own, or measures time or memory.
let folder = URL(filePath: Context.packageDirectory).appending(path: "Tests")
for target in package.targets where target.type == .test && !testsAll {
    let more = folder.appending(path: target.name).appending(path: "All")
    if FileManager.default.fileExists(atPath: more.path) { target.exclude = ["All"] }
}

// The settings of every Swift target of ours; dependencies keep their own.
for target in package.targets
where ![.system, .plugin].contains(target.type) && !["CV4L2", "CEmptyICU", "CPage"].contains(target.name) {
    var settings: [SwiftSetting] = [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        .enableExperimentalFeature("Lifetimes"),
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
    ]
    // What goes through each pixel is optimised for speed in every configuration; `make build` optimises the rest for size
    // (Tests/Support/compiling.txt). Of two -O options the compiler follows the one that comes by -Xfrontend.
    let goesThroughPixels = ["TintypeImaging", "TintypePattern", "TintypeImagingTests", "TestSupport"].contains(
        target.name
    )
    if goesThroughPixels {
        settings += [
            .unsafeFlags(["-Xfrontend", "-O"]),
            .unsafeFlags(["-assert-config", "Debug"], .when(configuration: .debug)),
        ]
    }
    if testsAll {
        settings += [
            .define("TINTYPE_ASSERTIONS", .when(configuration: .release)),
            .unsafeFlags(["-enable-testing"], .when(configuration: .release)),
        ]
        // Tests run once for each time that they are compiled.
        if goesThroughPixels {
            settings.append(.unsafeFlags(["-assert-config", "Debug"], .when(configuration: .release)))
        } else if target.type == .test {
            settings.append(.unsafeFlags(["-Xfrontend", "-Onone"], .when(configuration: .release)))
        }
    }
    target.swiftSettings = settings
}
