// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TestSupport
internal import Testing
internal import TintypeImaging
internal import TintypeModel
internal import TintypeSystem

@testable internal import TintypeSpool

/// The machine's files with the number of reads of recordings.
private final class CountedReads: FileLayer {
    let files = SystemFiles()
    let count = Atomic(0)

    func begin(_ call: FileCall) {
        if call.verb == "read", call.path.hasSuffix(".smjpeg") { count.add(1, ordering: .relaxed) }
    }
}

/// Recordings of clips, and clips made of them.
@Suite struct ClipTests {
    private let folder = SpoolFolder()

    private func request(before: Duration = .zero, original: Bool = false, tags: [String] = []) -> ClipRequest {
        var request = ClipRequest()
        (request.beforeMs, request.original, request.tags) = (Milliseconds(before), original, tags)
        return request
    }

    /// Returns a picture of 1280x720 with any contents.
    private func wide() throws -> [UInt8] {
        var planes = PlanarPicture()
        var encoder = JPEGEncoder()
        planes.reset(to: FrameSize(width: 1280, height: 720), .grey)
        return try encoder.encode(planes, quality: 50)
    }

    /// Names in `.incoming`, but that of the clock.
    private func incoming() throws -> [String] { try folder.names(in: ".incoming").filter { $0 != "clock" } }

    @Test func `records pictures with their times, and orders the clip`() async throws {
        let spool = try await folder.open()
        let job = try await spool.addClip([0, 33, 67], request(before: .milliseconds(1500), original: true))
        #expect(job.kind == .clip && job.camera == "door" && job.target == "mkv" && job.waiting == 1)
        #expect(job.source == "1500ms before, 10s after")
        let bytes = recording([0, 33, 67])
        #expect(try folder.bytes(".incoming/\(job.id).smjpeg") == bytes)
        let order = try await spool.videoOrder(ofJob: job.id, until: soon)
        #expect(order.kind == .clip && order.bytes == bytes.count && order.original == true && order.film == nil)
        let file = try await spool.recording(ofJob: job.id, until: soon)
        #expect(try await spool.contents(of: file, parts: 100) == bytes)
        #expect(try await file.read(40..<52) == Array(bytes[40..<52]))
    }

    @Test func `a clip is stored with the picture of its trigger, and its recording is removed`() async throws {
        let spool = try await folder.open()
        let options = request(before: .milliseconds(50), original: true, tags: ["door"])
        let job = try await spool.addClip([0, 40], options)
        let last = recording([80], try wide()).dropFirst(SMJPEG.headerLength)
        try folder.write(recording([0, 40]) + last, to: ".incoming/\(job.id).smjpeg")
        let id = try await spool.make(job)
        let still = try await spool.video(id).still
        #expect(still.kind == .clip && still.capturedAt == noon && still.until == noon + .milliseconds(80))
        #expect(still.tags == ["door"] && still.pictures == 1)
        let name = try folder.videos()[0]
        #expect(name.hasSuffix("143012.345678Z-000000000.mkv"))
        // An element Void with eight bytes for its size, up to the end of the file.
        let bytes = try folder.bytes(name)
        #expect(bytes[film.count] == 0xEC && bytes[film.count + 1] == 0x01)
        let size = bytes[film.count + 2..<film.count + 9].reduce(0) { $0 << 8 | Int($1) }
        #expect(film.count + 9 + size == bytes.count)
        let poster = try await spool.picture(of: id, until: soon)
        #expect(try JPEGHeader.read(poster.rawSpan).size == FrameSize(width: 640, height: 360))
        #expect(try incoming().isEmpty)
    }

    @Test func `the end of a clip includes pauses, and its job has the error`() async throws {
        let spool = try await folder.open()
        let file = try await spool.openRecording(Job.newID(), FrameSize(width: 16, height: 8), until: soon)
        let job = try await file.addJob(request(), of: "door", from: noon)
        for time in [0, 40, 80] { try await file.append(picture, at: .milliseconds(time)) }
        await file.close(cut: .seconds(30), error: "It ended early.")
        #expect(try await spool.jobs(until: soon).first?.error == "It ended early.")
        #expect(try await spool.video(try await spool.make(job)).still.until == noon + .milliseconds(30_080))
        let done = try await spool.jobs(until: soon).first
        #expect(done?.state == .done && done?.error == "It ended early.")
    }

    @Test(arguments: [true, false])
    func `a recording that is removed leaves no file and no open job`(hasJob: Bool) async throws {
        let spool = try await folder.open()
        let file = try await spool.openRecording(Job.newID(), FrameSize(width: 16, height: 8), until: soon)
        if hasJob { _ = try await file.addJob(request(), of: "door", from: noon) }
        await file.remove()
        #expect(try incoming().isEmpty)
        #expect(try await spool.jobs(until: soon).map(\.state) == (hasJob ? [.cancelled] : []))
    }

    @Test func `a late write keeps the file open`() async throws {
        let (files, hold) = (FaultyFiles(), Hold())
        let spool = try await folder.open(files: files)
        var file: ClipFile? = try await spool.openRecording("a", FrameSize(width: 16, height: 8), until: soon)
        files.once({ $0.verb == "write" }, hold.pass)
        let write = Task { [file] in try await file?.append(picture, at: .zero) }
        try await hold.isReached()
        write.cancel()
        await #expect(throws: Problem.self) { try await write.value }
        await file?.close()
        file = nil
        #expect(!files.calls.contains("close"))
        hold.release()
        try await eventually("the file is closed") { files.calls.contains("close") }
        #expect(try folder.bytes(".incoming/a.smjpeg") == recording([0]))
    }

    @Test func `recordings take no place of stills`() async throws {
        let (spool, gate) = (try await folder.open(), Gate())
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<WriteQueue.limit {
                group.addTask { _ = try? await spool.writes.perform("wait", until: soon) { _ in gate.wait() } }
            }
            await TestClock().settle()
            #expect(throws: Never.self) {
                _ = try spool.writes.enter(still(), .none, .request)
                spool.writes.leave()
            }
            gate.open()
        }
    }

    @Test func `a recording ends with its last whole picture, wherever it is cut`() throws {
        let whole = recording([0, 40, 80])
        let length = SMJPEG.frameHeaderLength + picture.count
        for count in 0...whole.count {
            try folder.write(Array(whole[..<count]), to: "cut")
            let contents = try RecordingContents(of: "\(folder.path)/cut", posterAt: .milliseconds(30), SystemFiles())
            let pictures = max(0, count - SMJPEG.headerLength) / length
            #expect(contents.pictures == pictures, "\(count)")
            #expect(contents.bytes == (pictures == 0 ? 0 : SMJPEG.headerLength + pictures * length), "\(count)")
            #expect(contents.end == .milliseconds(max(0, pictures - 1) * 40), "\(count)")
            let poster = SMJPEG.headerLength + (min(pictures, 2) - 1) * length + SMJPEG.frameHeaderLength
            if pictures > 0 { #expect(contents.poster == poster..<poster + picture.count, "\(count)") }
        }
    }

    @Test func `a torn picture in the middle ends the recording`() throws {
        var bytes = recording([0, 40, 80])
        bytes[SMJPEG.headerLength + 2 * (SMJPEG.frameHeaderLength + picture.count) - 1] = 0
        try folder.write(bytes, to: "torn")
        let contents = try RecordingContents(of: "\(folder.path)/torn", posterAt: .zero, SystemFiles())
        #expect(contents.pictures == 1)
    }

    @Test func `a start keeps the recordings of open jobs only`() async throws {
        let first = try await folder.open()
        var jobs: [Job] = []
        for _ in 0..<4 { jobs.append(try await first.addClip([0, 40])) }
        _ = try await first.changeJob(jobs[1].id, by: .fail, error: "ffmpeg is not installed.", until: soon)
        _ = try await first.changeJob(jobs[2].id, by: .pause, until: soon)
        _ = try await first.changeJob(jobs[3].id, by: .cancel, until: soon)
        await first.close(until: soon)
        let bytes = recording([0, 40])
        // Cut by a kill, of a cancelled job, of none, and a film in parts.
        try folder.write(Array(bytes.dropLast(5)), to: ".incoming/\(jobs[0].id).smjpeg")
        for name in ["\(jobs[3].id).smjpeg", "unknown.smjpeg", "\(jobs[0].id).video"] {
            try folder.write(bytes, to: ".incoming/\(name)")
        }
        let spool = try await SpoolStore.open(folder.configuration)
        #expect(try await spool.verify(until: soon).leftovers == 3)
        #expect(try incoming() == jobs[..<3].map { "\($0.id).smjpeg" }.sorted())
        let order = try await spool.videoOrder(ofJob: jobs[0].id, until: soon)
        #expect(order.bytes == recording([0]).count)
        #expect(try await spool.make(jobs[0]).millisecond == noon.microseconds / 1000)
    }

    @Test func `a catalog that is lost costs no recording before it is rebuilt`() async throws {
        let first = try await folder.open()
        let job = try await first.addClip([0])
        await first.close(until: soon)
        try folder.remove("catalog.sqlite")
        try await folder.restart()
        #expect(try incoming() == ["\(job.id).smjpeg"])
        try await folder.restart()
        #expect(try incoming().isEmpty)
    }

    @Test func `cancelling and deleting a job remove its recording, and a failed one is tried again`() async throws {
        let spool = try await folder.open()
        let cancelled = try await spool.addClip([0])
        _ = try await spool.changeJob(cancelled.id, by: .cancel, until: soon)
        #expect(try incoming().isEmpty)
        let failed = try await spool.addClip([0])
        let state = try await spool.changeJob(failed.id, by: .fail, error: "ffmpeg is not installed.", until: soon)
        #expect(state.state == .failed && state.waiting == 1 && state.error == "ffmpeg is not installed.")
        #expect(try incoming().count == 1)
        let again = try await spool.changeJob(failed.id, by: .retry, until: soon)
        #expect(again.state == .pending && again.error == nil && again.endedAt == nil)
        try await spool.make(failed)
        let refusal = await problem { try await spool.changeJob(failed.id, by: .retry, until: soon) }
        #expect(refusal?.code == .configurationConflict)
        let other = try await spool.addClip([0])
        _ = try await spool.changeJob(other.id, by: .fail, until: soon)
        try await spool.deleteJob(other.id, until: soon)
        #expect(try incoming().isEmpty)
    }

    @Test func `a clip without a whole picture fails`() async throws {
        let spool = try await folder.open()
        let job = try await spool.addClip([])
        #expect(
            await problem { try await spool.videoOrder(ofJob: job.id, until: soon) }?.code == .configurationConflict
        )
    }

    @Test func `a recording that does not grow is read once`() async throws {
        let files = CountedReads()
        let spool = try await folder.open(files: files)
        let job = try await spool.addClip([0, 40, 80])
        let order = try await spool.videoOrder(ofJob: job.id, until: soon)
        let first = files.count.load(ordering: .relaxed)
        #expect(try await spool.recording(ofJob: job.id, until: soon).bytes == order.bytes)
        #expect(first > 3 && files.count.load(ordering: .relaxed) == first)
        try folder.write(recording([0, 40]), to: ".incoming/\(job.id).smjpeg")
        #expect(try await spool.recording(ofJob: job.id, until: soon).bytes == recording([0, 40]).count)
    }

    @Test func `the recording of a clip that a kill left in the folder is removed once the clip is found`() async throws
    {
        let first = try await folder.open()
        let job = try await first.addClip([0, 40])
        let bytes = try folder.bytes(".incoming/\(job.id).smjpeg")
        let id = try await first.make(job)
        await first.close(until: soon)
        // Killed between name and row.
        try folder.write(bytes, to: ".incoming/\(job.id).smjpeg")
        try folder.sql("UPDATE job SET state = 'pending', endedAt = NULL; DELETE FROM frame WHERE kind = 'clip'")
        let spool = try await SpoolStore.open(folder.configuration)
        #expect(try incoming().contains("\(job.id).smjpeg"))
        let other = try await spool.addClip([0])
        try folder.write(bytes, to: ".incoming/begun.smjpeg")
        _ = try await spool.verify(until: soon)
        #expect(try folder.ids() == [id])
        #expect(try Set(incoming()) == ["\(other.id).smjpeg", "begun.smjpeg"])
    }
}
