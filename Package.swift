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
        .target(name: "CPage", exclude: ["page"]),
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
        .target(name: "TintypeSystem", dependencies: ["CCrypto", "CV4L2", "TintypeModel"]),
        .target(name: "TintypeImaging", dependencies: ["CExif", "CFreeType", "CTurboJPEG", "TintypeModel"]),
        .target(name: "TintypeDevice", dependencies: ["CV4L2", "TintypeModel", "TintypeSystem"]),
        .target(
            name: "TintypeCapture",
            dependencies: [
                "TintypeDevice", "TintypeImaging", "TintypeModel", "TintypeSystem", coreMetrics, logging,
            ]
        ),
        .target(
            name: "TintypeSpool",
            dependencies: [
                "CV4L2", "TintypeImaging", "TintypeModel", "TintypeSystem", coreMetrics, grdb, logging, sqlite,
            ]
        ),
        .target(
            name: "TintypeAPI",
            dependencies: [
                "CPage", "TintypeModel", "TintypeSystem", coreMetrics, hummingbird, hummingbirdCore, httpTypes, nioCore,
                nioHTTP1, nioPosix, logging, serviceLifecycle,
            ]
        ),
        .executableTarget(
            name: "tintyped",
            dependencies: [
                "CEmptyICU", "TintypeAPI", "TintypeCapture", "TintypeDevice", "TintypeImaging", "TintypeModel",
                "TintypeSpool", "TintypeSystem", argumentParser, coreMetrics, logging, serviceLifecycle, subprocess,
                systemPackage, yams,
            ],
            linkerSettings: linking
        ),
        .executableTarget(
            name: "tintype",
            dependencies: [
                "CEmptyICU", "TintypeModel", argumentParser, nioCore, nioHTTP1, nioPosix, subprocess, systemPackage,
            ],
            linkerSettings: linking
        ),
        .target(
            name: "TestSupport",
            dependencies: ["CV4L2", "TintypeModel", "TintypeSystem", logging],
            path: "Tests/TestSupport"
        ),
        .testTarget(name: "ArchitectureTests"),
        .testTarget(name: "TintypeModelTests", dependencies: ["TestSupport", "TintypeModel"]),
        .testTarget(
            name: "TintypeSystemTests",
            dependencies: ["CV4L2", "TestSupport", "TintypeModel", "TintypeSystem"]
        ),
        .testTarget(
            name: "TintypeImagingTests",
            dependencies: ["CTurboJPEG", "TestSupport", "TintypeImaging", "TintypeModel"]
        ),
        .testTarget(
            name: "TintypeDeviceTests",
            dependencies: ["CV4L2", "TestSupport", "TintypeDevice", "TintypeImaging", "TintypeModel", "TintypeSystem"]
        ),
        .testTarget(
            name: "TintypeCaptureTests",
            dependencies: [
                "TestSupport", "TintypeCapture", "TintypeDevice", "TintypeImaging", "TintypeModel", "TintypeSystem",
                logging,
            ]
        ),
        .testTarget(
            name: "TintypeSpoolTests",
            dependencies: [
                "TestSupport", "TintypeCapture", "TintypeDevice", "TintypeImaging", "TintypeModel", "TintypeSpool",
                "TintypeSystem", grdb, logging,
            ]
        ),
        .testTarget(
            name: "TintypeAPITests",
            dependencies: [
                "TestSupport", "TintypeAPI", "TintypeModel", "TintypeSystem", hummingbird, httpTypes, nioCore,
                nioEmbedded, nioHTTP1, nioPosix, logging, serviceLifecycle,
            ]
        ),
        .testTarget(
            name: "TintypeClientTests",
            dependencies: ["TestSupport", "TintypeModel", "tintype", nioCore, nioEmbedded, nioHTTP1, nioPosix]
        ),
        .testTarget(
            name: "TintypeCommandTests",
            dependencies: ["TestSupport", "TintypeModel", "tintype", argumentParser, nioCore, nioHTTP1, nioPosix]
        ),
        .testTarget(
            name: "TintypedTests",
            dependencies: [
                "TestSupport", "TintypeAPI", "TintypeCapture", "TintypeDevice", "TintypeImaging", "TintypeModel",
                "TintypeSpool", "TintypeSystem", "tintyped", argumentParser, coreMetrics, logging, serviceLifecycle,
                serviceLifecycleTestKit, yams,
            ]
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "TestSupport", "TintypeDevice", "TintypeImaging", "TintypeModel", "TintypeSystem", "tintype",
                "tintyped",
            ],
            exclude: ["not-run.txt"]
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
    if FileManager.default.fileExists(atPath: more.path) { target.exclude.append("All") }
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
    let goesThroughPixels = ["TintypeImaging", "TintypeDevice", "TintypeImagingTests", "TestSupport"].contains(
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
