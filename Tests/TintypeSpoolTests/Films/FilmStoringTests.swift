// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import Synchronization
internal import TestSupport
internal import Testing
internal import TintypeImaging
internal import TintypeModel
internal import TintypeSystem

@testable internal import TintypeSpool

/// Films stored with their rows and jobs, also when the daemon is killed.
@Suite struct FilmStoringTests {
    private let folder = SpoolFolder()

    @Test func `a job of a film selects the stills of its camera, from the time at which it was made`() async throws {
        let spool = try await folder.open()
        let stills = try await spool.fill(0..<5)
        try await spool.fill([9], camera: "yard")
        try await spool.makeFilm()
        try folder.remove(folder.relative(stills[2]))
        _ = try await spool.verify(until: soon)
        var request = FilmRequest(try FrameFilter(parsing: "camera:door, since:3650d"))
        (request.style.speed, request.priority) = (60, 7)
        let job = try await spool.addFilm(request, id: "0a1b2c3d", until: soon)
        #expect(job.id == "0a1b2c3d" && job.kind == .film && job.camera == "door" && job.priority == 7)
        #expect(job.state == .pending && job.waiting == 1 && job.progress == 0 && job.frame == nil)
        #expect(!job.source.contains("since") && job.source.hasPrefix("camera:door, from:"))
        #expect(try await spool.addFilm("camera:yard", id: job.id) == job)
        let order = try await spool.videoOrder(ofJob: job.id, until: soon)
        #expect(order.kind == .film && order.film == request.style && order.pictures == 4 && order.bytes == nil)
        let page = try await spool.videoPictures(ofJob: job.id, after: nil, until: soon)
        #expect(page.frames.map(\.still.id) == [0, 1, 3, 4].map { stills[$0].id } && page.next == nil)
        let cursor = FrameCursor(.oldest, after: stills[1].id)
        let rest = try await spool.videoPictures(ofJob: job.id, after: cursor, until: soon)
        #expect(rest.frames.map(\.still.id) == [3, 4].map { stills[$0].id })
    }

    @Test func `stores the file with its record behind it, and ends the job`() async throws {
        let told = ToldEvents()
        let spool = try await SpoolStore.open(folder.configuration, tell: told.tell)
        let poster = try await spool.fill([0], durability: .full)[0].id
        let job = try await spool.addFilm(tags: ["day"])
        let id = try await spool.make(job, 3, poster: poster)
        let record = try await spool.video(id)
        let still = record.still
        #expect(still.kind == .film && still.camera == "door" && still.pictures == 3 && still.tags == ["day"])
        #expect(still.durationMs == Milliseconds(.milliseconds(1500)) && still.width == 16 && still.height == 8)
        #expect(still.capturedAt == read(3).from && still.until == read(3).until && still.stored == .durable)
        #expect(id.millisecond == still.capturedAt.microseconds / 1000)
        let name = try folder.relative(still)
        #expect(name == "door/2026/11/21/143015.345678Z-000000000.mp4")
        let bytes = try folder.bytes(name)
        #expect(bytes.starts(with: film) && bytes.count == still.bytes && SHA256.text(bytes) == still.sha256)
        // A box that goes up to the end of the file.
        let box = bytes[film.count..<film.count + 4].reduce(0) { $0 << 8 | Int($1) }
        #expect(box == bytes.count - film.count && Array(bytes[film.count + 4..<film.count + 8]) == Array("free".utf8))
        let done = try #require(try await spool.jobs(until: soon).first)
        #expect(done.state == .done && done.frame == id && done.done == 3 && done.bytes == still.bytes)
        #expect(done.waiting == 0 && done.progress == 1 && done.endedAt != nil)
        #expect(told.all.last?.kind == .frameStored && told.all.last?.path == still.path)
        #expect(try folder.names(in: ".incoming").isEmpty)
        // Asked again, it is the same.
        #expect(try await spool.storeVideo(ofJob: job.id, made(), of: read(3), until: soon) == done)
        #expect(try folder.videos() == [name])
    }

    @Test func `parts are received in order, once more if they are sent again, and anew from 0`() async throws {
        let spool = try await folder.open()
        let job = try await spool.addFilm()
        func send(_ part: Range<Int>) async throws {
            try await spool.receive(Array(film[part]), at: part.lowerBound, ofVideo: job.id, until: soon)
        }
        #expect(await problem { try await send(5..<9) }?.code == .invalidRequest)
        try await send(0..<1000)
        #expect(await problem { try await send(1001..<2000) }?.code == .invalidRequest)
        try await send(1000..<2000)
        try await send(1000..<2000)
        try await send(0..<1000)
        #expect(await problem { try await send(1001..<2000) }?.code == .invalidRequest)
        func store(_ result: VideoResult) async throws -> JobState {
            try await spool.storeVideo(ofJob: job.id, result, of: read(), until: soon).state
        }
        #expect(await problem { try await store(made()) }?.field == "video.bytes")
        try await send(1000..<3000)
        // Longer than stated, and of more pictures than were read.
        #expect(await problem { try await store(made(film.dropLast())) }?.field == "video.bytes")
        #expect(await problem { try await store(made(pictures: 4)) }?.field == "video.pictures")
        try await spool.receive([0], at: 3000, ofVideo: job.id, until: soon)
        #expect(await problem { try await store(made()) }?.detail.contains("3001") == true)
        try await send(0..<3000)
        #expect(try folder.videos().isEmpty && folder.ids().isEmpty)
        #expect(try await store(made(pictures: 2)) == .done)
        try folder.expectOneFilm("received")
    }

    @Test func `the next order removes what an earlier worker left`() async throws {
        let spool = try await folder.open()
        let (first, second) = (try await spool.addFilm(), try await spool.addFilm())
        try await spool.receive(film, at: 0, ofVideo: first.id, until: soon)
        _ = try await spool.videoOrder(ofJob: second.id, until: soon)
        #expect(try folder.names(in: ".incoming").isEmpty)
    }

    @Test func `no film or clip has a camera without a name of its own, which no row may have`() async throws {
        let spool = try await folder.open()
        let from = still().record.capturedAt
        for name in ["*", "f?", "front*", ""] {
            let film = FilmRequest(.is(.camera(name)))
            #expect(await problem { try await spool.addFilm(film, id: nil, until: soon) }?.field == "camera")
            let clip = await problem {
                try await spool.addClip(Job.newID(), ClipRequest(), of: name, from: from, until: soon)
            }
            #expect(clip?.field == "camera")
        }
        #expect(try await spool.jobs(until: soon).isEmpty)
        // As by an earlier version.
        let job = try await spool.addFilm()
        try await spool.receive(film, at: 0, ofVideo: job.id, until: soon)
        _ = try folder.sql("UPDATE job SET camera = '*'")
        let refusal = await problem { try await spool.storeVideo(ofJob: job.id, made(), of: read(), until: soon) }
        #expect(refusal?.field == "camera")
        #expect(try folder.ids().isEmpty)
    }

    @Test func `a stored file is read in parts, and a thumbnail is made of its poster`() async throws {
        let spool = try await folder.open()
        let poster = try await spool.fill([0])[0].id
        let id = try await spool.makeFilm(poster: poster)
        let file = try await spool.file(of: id, until: soon)
        let bytes = try folder.bytes(folder.videos()[0])
        #expect(file.mediaType == "video/mp4" && file.bytes == bytes.count)
        #expect(try await spool.contents(of: file) == bytes)
        #expect(try await file.read(2990..<3010) == Array(bytes[2990..<3010]))
        let own = try await spool.picture(of: id, until: soon)
        #expect(try JPEGHeader.read(own.rawSpan).size == FrameSize(width: 16, height: 8))
        #expect(try await spool.reading(of: id, until: soon)() == own)
        let still = try await spool.file(of: poster, until: soon)
        #expect(still.mediaType == "image/jpeg")
        #expect(try await spool.contents(of: still) == picture)
        try folder.remove(folder.videos()[0])
        #expect(await problem { try await file.read(0..<10) }?.code == .frameNotFound)
        #expect(await problem { try await spool.file(of: id, until: soon) }?.code == .frameNotFound)
    }

    @Test func `a film that was not received whole is refused, with both lengths`() async throws {
        let spool = try await folder.open()
        let job = try await spool.addFilm()
        try await spool.receive(Array(film.prefix(100)), at: 0, ofVideo: job.id, until: soon)
        let problem = await problem { try await spool.storeVideo(ofJob: job.id, made(), of: read(), until: soon) }
        #expect(problem?.detail == "The field video.bytes is 3000, but 100 bytes were received.")
    }

    @Test func `a film of another length is quarantined at a request`() async throws {
        let spool = try await folder.open()
        let id = try await spool.makeFilm()
        let name = try folder.videos()[0]
        try folder.write(try folder.bytes(name).dropLast(), to: name)
        #expect(await problem { try await spool.file(of: id, until: soon) }?.code == .corruptOnly)
        #expect(try folder.names(in: ".quarantine").count == 1 && folder.ids(where: "isLost") == [id])
    }

    /// Makes the film of a spool that was left, unless its job is done.
    private func complete(_ left: SpoolFolder, _ comment: Comment) async throws {
        let again = try await left.open()
        let job = try #require(try await again.jobs(until: soon).first)
        if job.state != .done { try await again.make(job) }
        await again.close(until: soon)
        try left.expectOneFilm(comment)
    }

    @Test func `a film is whole and there once after SIGKILL at any call`() async throws {
        let files = KillFiles(of: folder)
        let spool = try await folder.open(files: files)
        let poster = try await spool.fill([0], durability: .full)[0].id
        let job = try await spool.addFilm()
        files.start()
        try await spool.make(job, poster: poster)
        try await spool.fill([1], durability: .full)
        await spool.close(until: soon)
        try await complete(folder, "not killed")
        var unlisted = 0
        for (call, left) in files.kills {
            // The next attempt receives its file under this name.
            let received = (try? left.bytes(".incoming/\(job.id).video").count) ?? 0
            #expect(received <= film.count, "killed before: \(call)")
            let isUnlisted =
                try left.videos().count == 1 && left.sql("SELECT count(*) FROM frame WHERE kind = 'film'") == ["0"]
            if isUnlisted {
                // Until the file is found, the job would make it once more.
                unlisted += 1
                let early = try await SpoolStore.open(left.configuration)
                let refusal = await problem { try await early.videoOrder(ofJob: job.id, until: soon) }
                #expect(refusal?.code == .deadlineExceeded, "killed before: \(call)")
                await early.close(until: soon)
            }
            try await complete(left, "killed before: \(call)")
        }
        #expect(files.kills.count > 9 && unlisted > 0)
    }

    @Test func `a film is whole and there once after a power cut at any change`() async throws {
        let files = LossyFiles()
        let spool = try await folder.open(files: files)
        try await spool.fill([0], durability: .full)
        let job = try await spool.addFilm()
        let cuts = Mutex<[SpoolFolder]>([])
        files.beforeEachChange { [folder] in
            if let left = try? files.cutPower(of: folder) { cuts.withLock { $0.append(left) } }
        }
        try await spool.make(job)
        files.beforeEachChange(nil)
        let answered = try files.cutPower(of: folder)
        try answered.expectOneFilm("after the reply")
        let left = cuts.withLock(\.self)
        #expect(left.count > 5)
        for (count, left) in left.enumerated() { try await complete(left, "cut before change \(count)") }
        await spool.close(until: soon)
    }

    @Test func `a film is whole and there once after a failure of any file call`() async throws {
        let count = try await FaultyFiles.failEachCall { files, code, index in
            let folder = SpoolFolder()
            let spool = try await folder.open(files: files)
            let poster = try await spool.fill([0], durability: .full)[0].id
            let job = try await spool.addFilm()
            files.arm(.error(code), at: index)
            _ = try? await spool.make(job, poster: poster)
            files.mend()
            await spool.close(until: soon)
            try await complete(folder, "\(code) at \(index): \(files.failed ?? "none")")
        }
        #expect(count > 15)
    }
}
