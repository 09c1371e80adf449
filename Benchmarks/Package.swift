// swift-tools-version:6.3
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// A package of its own, so that measuring the encoder neither resolves nor builds the server stack, and so that the
// main package needs no libjpeg headers for a reference that only a benchmark uses.
//
// TintypeModel, TintypeImaging and the C modules under Sources/ are symbolic links to the folders of the main package.
// Their interfaces have `package` access, which ends at the package: as targets of this one they can be called without
// making anything public that should not be.
let package = Package(
    name: "tintype-benchmarks",
    targets: [
        .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
        .systemLibrary(name: "CExif", pkgConfig: "libexif", providers: [.apt(["libexif-dev"])]),
        .systemLibrary(name: "CFreeType", pkgConfig: "freetype2", providers: [.apt(["libfreetype-dev"])]),
        .target(name: "TintypeModel"),
        .target(name: "TintypeImaging", dependencies: ["CExif", "CFreeType", "CTurboJPEG", "TintypeModel"]),
        // libjpeg62-turbo-dev
        .target(name: "CScanlineEncoder", linkerSettings: [.linkedLibrary("jpeg")]),
        .executableTarget(
            name: "encoder-benchmark",
            dependencies: ["CScanlineEncoder", "TintypeImaging", "TintypeModel"]
        ),
        .executableTarget(name: "damage-benchmark", dependencies: ["TintypeImaging", "TintypeModel"]),
    ]
)

// As in the main package.
for target in package.targets where target.type != .system && target.name != "CScanlineEncoder" {
    target.swiftSettings = [
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
}
