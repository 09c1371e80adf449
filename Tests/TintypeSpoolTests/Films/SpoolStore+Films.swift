// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import TintypeSystem

@testable internal import TintypeSpool

/// Bytes that stand for a film as ffmpeg makes it.
let film = (0..<3000).map { UInt8(truncatingIfNeeded: $0 * 7) }

func made(_ bytes: [UInt8] = film, pictures: Int = 3) -> VideoResult {
    let size = FrameSize(width: 16, height: 8)
    return VideoResult(bytes: bytes.count, size: size, duration: .milliseconds(1500), pictures: pictures)
}

/// Returns three pictures in a minute, the first one `number` seconds after ``noon``.
func read(_ number: Int = 0, poster: FrameID? = nil) -> FilmPictures {
    let from = still(number).record.capturedAt
    var pictures = FilmPictures()
    for second in [0, 30, 60] {
        var record = still(number + second).record
        if second == 0, let poster { record.id = poster }
        pictures.add([FrameRecord(still: record, storedAt: from)], of: 1)
    }
    return pictures
}

/// Returns the recording of pictures at these times, in milliseconds.
func recording(_ times: [Int], _ picture: [UInt8] = picture) -> [UInt8] {
    times.reduce(SMJPEG.header(FrameSize(width: 16, height: 8))) { bytes, time in
        bytes + SMJPEG.frameHeader(at: .milliseconds(time), bytes: picture.count) + picture
    }
}

extension SpoolStore {
    func addFilm(_ filter: String = "camera:door", tags: [String] = [], id: String? = nil) async throws -> Job {
        var request = FilmRequest(try FrameFilter(parsing: filter))
        request.tags = tags
        return try await addFilm(request, id: id, until: soon)
    }

    /// Receives a film in two parts and stores it.
    @discardableResult
    func make(
        _ job: Job,
        _ number: Int = 0,
        _ bytes: [UInt8] = film,
        poster: FrameID? = nil
    ) async throws -> FrameID {
        let half = bytes.count / 2
        try await receive(Array(bytes[..<half]), at: 0, ofVideo: job.id, until: soon)
        try await receive(Array(bytes[half...]), at: half, ofVideo: job.id, until: soon)
        let result = made(bytes, pictures: job.kind == .clip ? 1 : 3)
        let done = try await storeVideo(ofJob: job.id, result, of: read(number, poster: poster), until: soon)
        #expect(done.state == .done)
        return try #require(done.frame)
    }

    @discardableResult
    func makeFilm(
        _ number: Int = 0,
        camera: String = "door",
        _ bytes: [UInt8] = film,
        tags: [String] = [],
        poster: FrameID? = nil
    ) async throws -> FrameID {
        try await make(try await addFilm("camera:\(camera)", tags: tags), number, bytes, poster: poster)
    }

    /// Adds a clip of the camera `door` with a recording of pictures at these times, in milliseconds.
    func addClip(_ times: [Int], _ request: ClipRequest = ClipRequest(), picture: [UInt8] = TintypeSpoolTests.picture)
        async throws -> Job
    {
        let from = still().record.capturedAt
        let job = try await addClip(Job.newID(), request, of: "door", from: from, until: soon)
        let file = try await openRecording(job.id, FrameSize(width: 16, height: 8), until: soon)
        for time in times { try await file.append(picture, at: .milliseconds(time)) }
        await file.close()
        return job
    }

    func video(_ id: FrameID) async throws -> FrameRecord { try await frame(id, until: soon) }

    /// Reads a stored file in parts of this length.
    func contents(of file: StoredFile, parts: Int = 1000) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: file.bytes, by: parts) {
            bytes += try await file.read(start..<min(file.bytes, start + parts))
        }
        return bytes
    }
}

extension SpoolFolder {
    /// Returns the relative paths of all films and clips.
    func videos() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path).filter { name in
            !name.hasPrefix(".") && SpoolPath.isVideo(name)
        }.sorted()
    }

    /// Expects one film, whole and with its row, and nothing else that a job leaves.
    func expectOneFilm(_ comment: Comment) throws {
        let videos = try videos()
        #expect(videos.count == 1, comment)
        #expect(try paths(where: "kind = 'film' AND NOT isLost") == videos, comment)
        for name in videos { #expect(try bytes(name).starts(with: film), comment) }
        #expect(try paths(where: "kind IS NULL") == pictures(), comment)
        #expect(try sql("SELECT state FROM job WHERE kind = 'film'") == ["done"], comment)
        #expect(try names(in: ".incoming").isEmpty, comment)
    }
}
