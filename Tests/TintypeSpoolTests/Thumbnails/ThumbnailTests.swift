// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Synchronization
internal import TestSupport
internal import Testing
internal import TintypeImaging
internal import TintypeModel

@testable internal import TintypeSpool

struct ThumbnailTests {
    /// A grey picture of 640x480.
    private static func large() throws -> [UInt8] {
        let size = FrameSize(width: 640, height: 480)
        let layout = PictureLayout(pixelFormat: .grey, size: size, bytesPerRow: size.width, color: .jfif)
        let pixels = (0..<size.area).map { UInt8(truncatingIfNeeded: $0 % size.width / 3 &+ $0 / size.width) }
        var encoder = JPEGEncoder()
        return try unsafe encoder.encode(pixels.span.bytes, layout: layout, quality: 80)
    }

    /// A still of that picture, one second after the one before for each number.
    static func largeStill(_ number: Int) throws -> Still {
        var taken = still(number, picture: try large())
        (taken.record.width, taken.record.height) = (640, 480)
        return taken
    }

    private func stored(
        _ folder: SpoolFolder,
        _ picture: [UInt8],
        files: (any FileSystem)? = nil
    ) async throws -> (Spool, FrameID) {
        let spool = try await folder.open(files)
        var taken = still(picture: picture)
        (taken.record.width, taken.record.height) = (640, 480)
        return (spool, try await spool.store(taken, durability: .none, until: soon).id)
    }

    @Test func `a thumbnail has the width that is asked for, and is made once`() async throws {
        let folder = try SpoolFolder()
        let (spool, id) = try await stored(folder, try Self.large())
        let small = try await spool.thumbnail(of: id, width: 160, until: soon)
        #expect(try JPEGHeader.read(small.rawSpan).size == FrameSize(width: 160, height: 120))
        #expect(try folder.names(in: ".thumbnails") == ["\(id)-160.jpg"])
        // What is kept is what is handed out.
        try folder.write(picture, to: ".thumbnails/\(id)-160.jpg")
        #expect(try await spool.thumbnail(of: id, width: 160, until: soon) == picture)
        let other = try await spool.thumbnail(of: id, width: 320, until: soon)
        #expect(try JPEGHeader.read(other.rawSpan).size == FrameSize(width: 320, height: 240))
    }

    @Test(arguments: [640, 1920])
    func `a picture that is no wider is given as it is, and nothing is kept`(width: Int) async throws {
        let folder = try SpoolFolder()
        let (spool, id) = try await stored(folder, try Self.large())
        #expect(try await spool.thumbnail(of: id, width: width, until: soon) == (try Self.large()))
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/.thumbnails"))
    }

    @Test func `an unknown frame, one whose file is gone and one that is no picture have their reasons`() async throws {
        let folder = try SpoolFolder()
        let (spool, id) = try await stored(folder, [UInt8](repeating: 7, count: 5000))
        let broken = await #expect(throws: Problem.self) { try await spool.thumbnail(of: id, width: 160, until: soon) }
        #expect(broken?.code == .corruptOnly)
        #expect(broken?.detail.contains(folder.path) == true)
        let unknown = await #expect(throws: Problem.self) {
            try await spool.thumbnail(of: FrameID(at: noon), width: 160, until: soon)
        }
        #expect(unknown?.code == .frameNotFound)
        try FileManager.default.removeItem(atPath: "\(folder.path)/\(try #require(try folder.pictures().first))")
        let gone = await #expect(throws: Problem.self) { try await spool.thumbnail(of: id, width: 160, until: soon) }
        #expect(gone?.code == .frameNotFound)
        #expect(gone?.detail.contains("is gone") == true)
        let late = await #expect(throws: Problem.self) { try await spool.thumbnail(of: id, width: 160, until: past) }
        #expect(late?.code == .deadlineExceeded)
    }

    @Test func `thumbnails go with their frame, also where the deletion was cut off and ended at the next start`()
        async throws
    {
        let folder = try SpoolFolder()
        let (spool, id) = try await stored(folder, try Self.large())
        let second = try await spool.store(try Self.largeStill(1), durability: .none, until: soon).id
        for id in [id, second] { _ = try await spool.thumbnail(of: id, width: 160, until: soon) }
        #expect(try await spool.statistics(until: soon).thumbnailBytes >= 8192)
        #expect(try await spool.delete(.ids([id]), until: soon).changed == 1)
        #expect(try folder.names(in: ".thumbnails") == ["\(second)-160.jpg"])
        await spool.close(until: soon)
        let catalog = try Catalog(path: "\(folder.path)/catalog.sqlite", logger: quiet)
        try catalog.addTombstones(over: try [second].compactMap { try catalog.row($0) })
        try catalog.close()
        let again = try await folder.open()
        #expect(try folder.names(in: ".thumbnails") == [])
        #expect(try await again.statistics(until: soon).thumbnailBytes == 0)
    }

    @Test func `a thumbnail that takes long holds up neither stills nor look-ups`() async throws {
        let folder = try SpoolFolder()
        let files = StuckReads()
        let (spool, id) = try await stored(folder, try Self.large(), files: files)
        files.shut()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                let small = try await spool.thumbnail(of: id, width: 160, until: soon)
                #expect(try JPEGHeader.read(small.rawSpan).size == FrameSize(width: 160, height: 120))
            }
            try await eventually("the thumbnail is being made") { files.waiting == 1 }
            let record = try await spool.store(still(1), durability: .full, until: soon)
            _ = try await spool.frame(record.id, until: soon)
            #expect(files.waiting == 1)
            files.open()
            try await group.waitForAll()
        }
    }

    @Test func `the folder of thumbnails is none of the spool's pictures at the next start`() async throws {
        let folder = try SpoolFolder()
        let (spool, id) = try await stored(folder, try Self.large())
        let small = try await spool.thumbnail(of: id, width: 160, until: soon)
        await spool.close(until: soon)
        let again = try await folder.open()
        #expect(try await again.thumbnail(of: id, width: 160, until: soon) == small)
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/.quarantine"))
    }
}

/// Files whose pictures can be read only after ``open()``.
private final class StuckReads: FileLayer {
    let files = SystemFiles()
    private let state = Mutex((isShut: false, waiting: 0))
    private let gate = DispatchSemaphore(value: 0)

    /// How many calls do not return now.
    var waiting: Int { state.withLock { $0.waiting } }

    func shut() { state.withLock { $0.isShut = true } }

    func open() {
        let waiting = state.withLock { state in
            state.isShut = false
            return state.waiting
        }
        for _ in 0..<waiting { gate.signal() }
    }

    func read(_ path: String, atMost limit: Int) throws(FileError) -> [UInt8] {
        let isShut = state.withLock { state in
            if state.isShut { state.waiting += 1 }
            return state.isShut
        }
        if isShut { gate.wait() }
        return try files.read(path, atMost: limit)
    }
}
