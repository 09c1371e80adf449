// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import TintypeSystem

@testable internal import TintypeSpool

/// Films and clips found by the comparison of folder and catalog.
@Suite struct FilmReconcileTests {
    private let folder = SpoolFolder()

    @Test func `films and clips return with their records after the catalog is deleted`() async throws {
        let first = try await folder.open()
        let poster = try await first.fill([0])[0].id
        var options = ClipRequest()
        options.original = true
        let ids = [
            try await first.makeFilm(1, tags: ["day"], poster: poster),
            try await first.make(try await first.addClip([0, 40], options)),
        ]
        var before: [FrameRecord] = []
        for id in ids { before.append(try await first.video(id)) }
        let thumbnail = try await first.picture(of: ids[0], until: soon)
        await first.close(until: soon)
        try folder.remove("catalog.sqlite")
        let spool = try await SpoolStore.open(folder.configuration)
        let report = try await spool.verify(until: soon)
        #expect(report.takenIn == 3 && report.foreign == 0 && report.quarantined == 0)
        for (id, old) in zip(ids, before) {
            let new = try await spool.video(id)
            var still = old.still
            still.stored = .written
            #expect(new.still == still && new.source == .reconcile)
        }
        #expect(try await spool.picture(of: ids[0], until: soon) == thumbnail)
        #expect(try await spool.verify(deep: true, until: soon).damaged == [])
    }

    @Test func `other films in the folder are foreign`() async throws {
        let record = still().record
        var hostile = record
        (hostile.kind, hostile.bytes, hostile.until) = (.film, film.count, noon)
        (hostile.durationMs, hostile.pictures) = (Milliseconds(.seconds(1)), 0)
        let spool = try await folder.open()
        let trailers: [[UInt8]] = [
            [], Array("TINTYPE1".utf8), [UInt8](repeating: 0xFF, count: 8) + Array("TINTYPE1".utf8),
            VideoTrailer(record, poster: []).bytes(of: "mp4"), VideoTrailer(hostile, poster: []).bytes(of: "mp4"),
        ]
        for (number, trailer) in trailers.enumerated() { try folder.write(film + trailer, to: "door/\(number).mp4") }
        let report = try await spool.verify(until: soon)
        #expect(report.foreign == trailers.count && report.takenIn == 0 && report.quarantined == 0)
        #expect(try folder.videos().count == trailers.count)
        hostile.pictures = 3
        try folder.write(film + VideoTrailer(hostile, poster: []).bytes(of: "mp4"), to: "door/own.mp4")
        #expect(try await spool.verify(until: soon).takenIn == 1)
    }

    @Test func `a deep verification quarantines a film with other bytes`() async throws {
        let spool = try await folder.open()
        let id = try await spool.makeFilm()
        let name = try folder.videos()[0]
        var bytes = try folder.bytes(name)
        bytes[100] ^= 1
        try folder.write(bytes, to: name)
        #expect(try await spool.verify(until: soon).quarantined == 0)
        let report = try await spool.verify(deep: true, until: soon)
        #expect(report.damaged == [id] && report.quarantined == 1 && report.lost == 1 && report.missing == 1)
        #expect(try folder.videos().isEmpty)
    }

    @Test func `a deleted film stays deleted when its file returns`() async throws {
        let spool = try await folder.open()
        let id = try await spool.makeFilm()
        let name = try folder.videos()[0]
        let bytes = try folder.bytes(name)
        _ = try await spool.delete(.ids([id]), until: soon)
        try folder.write(bytes, to: name)
        #expect(try await spool.verify(until: soon).removed == 1)
        #expect(try folder.videos().isEmpty && folder.ids().isEmpty)
    }

    @Test func `a film whose name has an attempt is stored beside another`() async throws {
        let spool = try await folder.open()
        try await spool.makeFilm(1)
        try await spool.makeFilm(1)
        #expect(try folder.videos().map { $0.hasSuffix("-2.mp4") } == [true, false])
        #expect(try folder.paths() == folder.videos())
    }
}
