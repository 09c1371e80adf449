// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

struct ThumbnailStoreTests {
    private let folder: SpoolFolder
    private let ids = (0..<6).map { FrameID(at: Timestamp(microseconds: Int64($0) * 1_000_000)) }

    init() throws {
        folder = try SpoolFolder()
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/.incoming",
            withIntermediateDirectories: true
        )
        try folder.write(picture, to: "original.jpg")
    }

    private func store(
        _ bytes: Int = 64 << 20,
        files: any FileSystem = SystemFiles(),
        mode: UInt32 = 0o640
    ) -> ThumbnailStore {
        let configuration = Spool.Configuration(folder: folder.path, fileMode: mode, thumbnailBytes: bytes)
        return ThumbnailStore(configuration, files: files, logger: quiet)
    }

    private func keep(_ index: Int, in store: ThumbnailStore, width: Int = 320, of name: String = "original.jpg") {
        store.keep(picture, as: ThumbnailName(ids[index], width: width), of: "\(folder.path)/\(name)")
    }

    private var names: [String] { (try? folder.names(in: ".thumbnails")) ?? [] }

    private func name(_ index: Int, _ width: Int = 320) -> String { "\(ids[index])-\(width).jpg" }

    @Test func `what is kept is found again, by another store too, with the modes of the spool`() throws {
        let first = store(mode: 0o600)
        #expect(first.picture(ThumbnailName(ids[0], width: 320)) == nil)
        keep(0, in: first)
        #expect(first.picture(ThumbnailName(ids[0], width: 320)) == picture)
        #expect(first.picture(ThumbnailName(ids[0], width: 640)) == nil)
        #expect(first.bytes == 4096)
        let path = "\(folder.path)/.thumbnails/\(name(0))"
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        #expect(try folder.names(in: ".incoming") == [])
        let second = store()
        #expect(second.bytes == 4096)
        #expect(second.picture(ThumbnailName(ids[0], width: 320)) == picture)
    }

    @Test func `more than the budget goes, what was used longest ago first`() throws {
        let store = store(4 * 4096)
        for index in 0..<4 { keep(index, in: store) }
        #expect(store.picture(ThumbnailName(ids[0], width: 320)) != nil)
        keep(4, in: store)
        // Down to nine tenths of the budget, which three fit in.
        #expect(names == [name(0), name(3), name(4)])
        #expect(store.bytes == 3 * 4096)
    }

    @Test func `after a start the oldest frames count as used longest ago, and what is no thumbnail stays`() throws {
        let first = store()
        for index in [3, 0, 2] { keep(index, in: first) }
        try folder.write([1], to: ".thumbnails/notes.txt")
        let second = store(2 * 4096)
        keep(1, in: second)
        #expect(names == [name(1), "notes.txt"])
    }

    @Test func `no budget keeps none, nor does one that is too small for the picture`() {
        for budget in [0, 4095] {
            let store = store(budget)
            keep(0, in: store)
            #expect(names == [])
        }
    }

    @Test func `room is made by as many as are needed, and told`() {
        let store = store()
        for index in 0..<4 { keep(index, in: store) }
        #expect(store.makeRoom(5000) == 2 * 4096)
        #expect(names == [name(2), name(3)])
        #expect(store.makeRoom(1 << 30) == 2 * 4096)
        #expect(names == [])
        #expect(store.makeRoom(1) == 0)
    }

    @Test func `room is made of the oldest frames where the folder was not read yet`() {
        let first = store()
        for index in 0..<4 { keep(index, in: first) }
        keep(0, in: first, width: 640)
        #expect(store().makeRoom(1) == 2 * 4096)
        #expect(names == [name(1), name(2), name(3)])
        #expect(store().makeRoom(4097) == 2 * 4096)
        #expect(names == [name(3)])
        #expect(store().makeRoom(1 << 30) == 4096)
        #expect(store().makeRoom(1) == 0)
    }

    @Test func `thumbnails of a frame that is deleted go, of every width, also before the folder was read`() {
        let first = store()
        for width in [320, 640] { keep(0, in: first, width: width) }
        keep(1, in: first)
        store().remove([ids[0], ids[2]])
        #expect(names == [name(1)])
    }

    @Test func `the thumbnail of a picture that was deleted while it was made does not stay`() {
        let store = store()
        keep(0, in: store, of: "gone.jpg")
        #expect(names == [])
        #expect(store.bytes == 0)
    }

    @Test(arguments: [[], Array(picture.prefix(40)), [UInt8](repeating: 0, count: 300)])
    func `one that a power cut left torn is not handed out, and is made again`(bytes: [UInt8]) throws {
        keep(0, in: store())
        try folder.write(bytes, to: ".thumbnails/\(name(0))")
        let again = store()
        #expect(again.picture(ThumbnailName(ids[0], width: 320)) == nil)
        #expect(again.bytes == 0)
        keep(0, in: again)
        #expect(again.picture(ThumbnailName(ids[0], width: 320)) == picture)
    }

    @Test func `what cannot be kept is logged once and leaves nothing behind`() throws {
        let log = MessageLog()
        let files = FaultyFiles()
        let configuration = Spool.Configuration(folder: folder.path)
        let counted = ThumbnailStore(configuration, files: files, logger: quiet)
        files.disarm()
        keep(0, in: counted)
        let calls = files.calls.count
        #expect(calls >= 8)
        counted.remove([ids[0]])
        for call in 0..<calls {
            let store = ThumbnailStore(configuration, files: files, logger: log.logger)
            files.arm(.error(EIO), at: call)
            keep(1, in: store)
            keep(1, in: store)
            files.disarm()
            #expect(store.bytes == 4096, "call \(call)")
            #expect(store.picture(ThumbnailName(ids[1], width: 320)) == picture)
            #expect(try folder.names(in: ".incoming") == [])
            store.remove([ids[1]])
            #expect(names == [])
        }
    }

    @Test func `a link in the place of the folder is not followed`() throws {
        let other = try SpoolFolder()
        try FileManager.default.createDirectory(atPath: other.path, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/.thumbnails",
            withDestinationPath: other.path
        )
        let store = store()
        keep(0, in: store)
        #expect(try other.names(in: "") == [])
        #expect(try folder.names(in: ".incoming") == [])
    }
}
