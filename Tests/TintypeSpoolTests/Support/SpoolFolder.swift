// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Logging
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import TintypeSystem

@testable internal import TintypeSpool

/// A temporary folder for the spools of one test, removed with this object.
final class SpoolFolder: Sendable {
    let path: String
    private let parent: String

    init(named name: String = "spool") {
        parent = FileManager.default.temporaryDirectory.path + "/tintype-spool-\(UUID().uuidString)"
        path = "\(parent)/\(name)"
        do {
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        } catch {
            Issue.record(error, "\(parent) cannot be made")
        }
    }

    deinit {
        // A closing spool removes the WAL of its catalog while the folder is being removed: try again.
        for _ in 0..<100 where FileManager.default.fileExists(atPath: parent) {
            try? FileManager.default.removeItem(atPath: parent)
        }
    }

    var configuration: SpoolStore.Configuration { SpoolStore.Configuration(folder: path) }

    /// Returns a configuration of a spool in this folder with these retention settings.
    func configuration(
        _ retention: RetentionSettings,
        cameras: [String: RetentionSettings] = [:]
    ) -> SpoolStore.Configuration {
        var configuration = configuration
        configuration.retention = retention
        configuration.cameraRetention = cameras
        return configuration
    }

    static func opened(
        _ retention: RetentionSettings = RetentionSettings(),
        files: (any FileSystem)? = nil,
        clock: any MonotonicClock = .system,
        logger: Logger = .quiet
    ) async throws -> (folder: SpoolFolder, spool: SpoolStore) {
        let folder = SpoolFolder()
        return (folder, try await folder.open(retention, files: files, clock: clock, logger: logger))
    }

    /// Opens a spool in this folder and reconciles it, as the daemon does in the background.
    func open(
        _ retention: RetentionSettings = RetentionSettings(),
        cameras: [String: RetentionSettings] = [:],
        files: (any FileSystem)? = nil,
        clock: any MonotonicClock = .system,
        logger: Logger = .quiet
    ) async throws -> SpoolStore {
        try await open(configuration(retention, cameras: cameras), files: files, clock: clock, logger: logger)
    }

    /// Opens a spool with this configuration and reconciles it.
    func open(
        _ configuration: SpoolStore.Configuration,
        files: (any FileSystem)? = nil,
        clock: any MonotonicClock = .system,
        logger: Logger = .quiet
    ) async throws -> SpoolStore {
        let spool = try await SpoolStore.open(configuration, logger: logger, files: files, clock: clock)
        do {
            _ = try await spool.verify(until: soon)
            return spool
        } catch {
            // No background work outlives the test.
            await spool.close(until: soon)
            throw error
        }
    }

    /// Copies the current state of the spool, as a power cut or kill would leave it.
    func copy() throws -> SpoolFolder {
        let other = SpoolFolder()
        try FileManager.default.copyItem(atPath: path, toPath: other.path)
        return other
    }

    /// Returns the relative paths of all regular `.jpg` files outside the spool's own folders.
    func pictures() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path).filter { name in
            name.hasSuffix(".jpg") && !name.hasPrefix(".") && !name.hasSuffix("latest.jpg")
        }.sorted()
    }

    /// Returns the spool's files that this process has open.
    func openPaths() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { descriptor in
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
        }.filter { $0.hasPrefix(path) }
    }

    func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)").sorted()
    }

    func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")))
    }

    func size(_ name: String) throws -> Int {
        let size = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")[.size] as? Int
        return size ?? 0
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        let url = URL(fileURLWithPath: "\(path)/\(name)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    func makeSparse(_ name: String, _ bytes: UInt64) throws {
        try write([], to: name)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(path)/\(name)"))
        try file.truncate(atOffset: bytes)
        try file.close()
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }

    /// Makes a folder in the spool, or the spool's folder itself, with intermediate folders.
    func makeFolder(_ name: String = "") throws {
        try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: target)
    }

    /// Returns the target of a symbolic link, by default the `latest.jpg` of a camera.
    func target(_ name: String = "door/latest.jpg") throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: "\(path)/\(name)")
    }
}

extension SpoolStore {
    /// Opens the spool like the daemon; throws the reason if that fails.
    static func open(
        _ configuration: Configuration,
        logger: Logger = .quiet,
        files: (any FileSystem)? = nil,
        clock: any MonotonicClock = .system,
        tell: @escaping EventSink = { _ in },
        until deadline: MonotonicTime = soon
    ) async throws(Problem) -> SpoolStore {
        let (spool, reason) = await openOrWait(
            configuration,
            logger: logger,
            files: files,
            clock: clock,
            tell: tell,
            until: deadline
        )
        if let reason { throw reason }
        return spool
    }
}
