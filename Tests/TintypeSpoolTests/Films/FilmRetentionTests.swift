// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// Automatic removal of films and clips.
@Suite struct FilmRetentionTests {
    private let folder = SpoolFolder()

    @Test func `only the key films deletes films by age, that of the camera first`() async throws {
        let rules = [try rule(1, "camera:door"), try rule(1, "kind:film")]
        let settings = RetentionSettings(rules: rules, maxAge: day, films: day * 90)
        let yard = RetentionSettings(films: day * 10)
        let spool = try await folder.open(settings, cameras: ["yard": yard])
        try await spool.fill(0..<2)
        let pinned = try await spool.makeFilm(0)
        let (door, yardFilm) = (try await spool.makeFilm(1), try await spool.makeFilm(1, camera: "yard"))
        let clip = try await spool.make(try await spool.addClip([0, 40]), 2)
        _ = try await spool.change(FrameChange(.ids([pinned]), FrameEdit(pinned: true)), until: soon)
        try folder.believeTimes()
        func victims(after days: Int) async throws -> [FrameID: String] {
            let at = clocks(day * days + .seconds(5))
            let told = try await spool.retention(dryRun: true, at: at, until: soon)
            var done = try await spool.retention(dryRun: false, at: at, until: soon)
            done.isDryRun = true
            #expect(told == done)
            return Dictionary(uniqueKeysWithValues: told.victims.map { ($0.id, $0.rule) })
        }
        #expect(try await Set(victims(after: 5).values) == ["keep 1d where camera:door"])
        #expect(try folder.pictures().isEmpty && folder.videos().count == 4)
        #expect(try await victims(after: 11) == [yardFilm: "yard: films 10d"])
        #expect(try await victims(after: 89).isEmpty)
        #expect(try await victims(after: 91) == [door: "films 90d", clip: "films 90d"])
        #expect(try folder.ids() == [pinned])
        #expect(try folder.videos().count == 1)
    }

    @Test func `without the key, films stay for ever`() async throws {
        let spool = try await folder.open(RetentionSettings(maxAge: day))
        try await spool.makeFilm()
        try folder.believeTimes()
        #expect(try await spool.retention(dryRun: false, at: clocks(day * 3000), until: soon).frames == 0)
    }

    @Test func `limits on the number of pictures concern stills only`() async throws {
        let spool = try await folder.open(RetentionSettings(maxFrames: 3))
        for number in 0..<4 { try await spool.makeFilm(number) }
        try await spool.fill(10..<16, durability: .full)
        #expect(try folder.pictures().count == 3 && folder.videos().count == 4)
        try await spool.makeFilm(20)
        let report = try await spool.retention(dryRun: false, at: clocks(.seconds(60)), until: soon)
        #expect(report.frames == 0)
        #expect(try folder.pictures().count == 3 && folder.videos().count == 5)
    }

    @Test func `limits on bytes delete what was stored first, of any kind`() async throws {
        let free = try await folder.open()
        let first = try await free.makeFilm(0)
        let stills = try await free.fill(1..<3, durability: .full).map(\.id)
        let second = try await free.makeFilm(3)
        let size = try await free.video(first).still.bytes
        await free.close(until: soon)
        let spool = try await folder.open(RetentionSettings(maxBytes: 2 * size + picture.count))
        let told = try await spool.retention(dryRun: true, at: clocks(.seconds(60)), until: soon)
        #expect(told.victims.map(\.id) == [first])
        _ = try await spool.retention(dryRun: false, at: clocks(.seconds(60)), until: soon)
        #expect(try folder.ids() == stills + [second])
        let third = try await spool.makeFilm(4)
        #expect(try folder.ids().suffix(2) == [second, third] && !folder.ids().contains(stills[0]))
    }

    @Test func `a film larger than the limit is refused and leaves nothing`() async throws {
        let spool = try await folder.open(RetentionSettings(maxBytes: 2000))
        let kept = try await spool.fill([0], durability: .full).map(\.id)
        let job = try await spool.addFilm()
        try await spool.receive(film, at: 0, ofVideo: job.id, until: soon)
        let refusal = await problem { try await spool.storeVideo(ofJob: job.id, made(), of: read(), until: soon) }
        #expect(refusal?.code == .configurationConflict)
        let detail = "The film has 2.9k, more than the spool \(folder.path) may hold (maxBytes 2000)."
        #expect(refusal?.detail == detail && refusal?.remedy.contains("shorter") == true)
        _ = try await spool.changeJob(job.id, by: .fail, error: refusal?.description, until: soon)
        #expect(try folder.ids() == kept && folder.videos().isEmpty && folder.names(in: ".incoming").isEmpty)
    }

    @Test func `room for a film is made in steps, between which stills are stored`() async throws {
        let free = try await folder.open()
        try await free.fill(0..<200)
        await free.close(until: soon)
        let spool = try await folder.open(RetentionSettings(maxBytes: 200 * picture.count + 100))
        let film = FrameRow(300, bytes: 200 * picture.count, kind: .film).still
        var (steps, pass) = (0, RetentionPass?.none)
        repeat {
            pass = try await spool.storage.perform("test", until: soon) { [pass] spool throws(Problem) in
                try spool.admission.makeRoom(for: film, pass)
            }
            steps += 1
        } while pass != nil
        #expect(try steps >= 3 && folder.ids().isEmpty)
    }

    @Test func `makes room for each part that is received`() async throws {
        let disk = SmallDisk(free: 64 << 20)
        let spool = try await folder.open(RetentionSettings(minFree: 32 << 20), files: disk)
        try await spool.fill(0..<20, durability: .full)
        let job = try await spool.addFilm()
        disk.freeBytes = 33 << 20
        try await spool.receive(film, at: 0, ofVideo: job.id, until: soon)
        #expect(try folder.pictures().count < 20)
        disk.freeBytes = 0
        let refusal = await problem { try await spool.receive(film, at: film.count, ofVideo: job.id, until: soon) }
        #expect(refusal?.code == .spoolFull)
        for offset in [FileLimit.film, .max] {
            let large = await problem { try await spool.receive([1], at: offset, ofVideo: job.id, until: soon) }
            #expect(large?.field == "offset")
        }
    }
}
