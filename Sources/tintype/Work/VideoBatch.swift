// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

/// A film or clip, which ffmpeg(1) makes of SMJPEG on its standard input.
struct VideoBatch {
    let batch: Batch
    let order: VideoOrder
    let folder: WorkFolder

    private static let noPictures = BatchFailure(error: "There are no pictures.", isFatal: true)
    private static let tooLong = BatchFailure(
        error: "The film would be longer than 49 days. Choose a greater speed, or cut the gaps.",
        isFatal: true
    )
    /// Largest part of the file that is sent at once.
    private static let part = 1 << 20
    /// Pictures that the filter deflicker compares; it takes missing ones for black.
    private static let evened = 5

    func run() async throws {
        guard let program = ChildProgram.find("ffmpeg") else { throw BatchFailure.missing("ffmpeg", batch.job) }
        try OutputError.naming("make the folder", folder.path, try SystemCalls.makeFolders(folder.path))
        let file = "\(folder.path)/video.\(order.original == true ? "mkv" : "mp4")"
        var made = try await order.kind == .film ? film(program, file) : clip(program, file)
        made.bytes = try await send(file)
        batch.note { [made] in $0.made(made) }
    }

    /// Pipes the pictures of a film, the last one twice: it is shown until the other.
    private func film(_ program: String, _ file: String) async throws -> VideoResult {
        var first = try await batch.client.pictures(ofBatch: batch.id, after: nil)
        // A page may be empty although more follow.
        while first.frames.isEmpty, let next = first.next {
            first = try await batch.client.pictures(ofBatch: batch.id, after: next)
        }
        guard let still = first.frames.first?.still else { throw Self.noPictures }
        let size = FrameSize(width: still.width, height: still.height)
        return try await make(program, encoding(size.encoded, to: file)) { [first] input in
            var (page, seen, times, last) = (first, 0, FilmTimes(order.film ?? FilmStyle()), [UInt8]())
            let total = order.pictures ?? 0
            try await input.write(SMJPEG.header(size))
            while true {
                for frame in page.frames where frame.still.kind == nil {
                    seen += 1
                    batch.note { [seen] in $0.progressed(to: Double(seen) / Double(max(total, seen))) }
                    guard let picture = try await picture(frame.id) else { continue }
                    last = picture
                    times.add(frame.still.capturedAt)
                    guard times.end < SMJPEG.longest else { throw Self.tooLong }
                    try await input.write(SMJPEG.frameHeader(at: times.time, bytes: picture.count) + picture)
                }
                guard let next = page.next else { break }
                page = try await batch.client.pictures(ofBatch: batch.id, after: next)
            }
            guard times.pictures > 0 else {
                guard seen > 0 else { throw Self.noPictures }
                let error = "None of \(CountText.text(seen, "picture")) could be read."
                throw BatchFailure.until("Run “tintype frames verify”", error, batch.job)
            }
            try await input.write(SMJPEG.frameHeader(at: times.end, bytes: last.count) + last)
            return VideoResult(bytes: 0, size: size.encoded, duration: times.end, pictures: times.pictures)
        }
    }

    /// Nil for a picture that is gone or damaged: the film leaves it out.
    private func picture(_ id: FrameID) async throws -> [UInt8]? {
        var bytes: [UInt8] = []
        do {
            try await batch.client.file(of: id, inBatch: batch.id) { bytes += $0 }
        } catch let problem as Problem where problem.isOfPicture {
            return nil
        }
        return bytes
    }

    private func clip(_ program: String, _ file: String) async throws -> VideoResult {
        var header: [UInt8] = []
        try await batch.client.recording(ofBatch: batch.id, upTo: SMJPEG.headerLength) { header = $0 }
        guard let recorded = SMJPEG.size(ofHeader: header) else { throw RecordingReader.damage }
        let isCopy = order.original == true
        let size = isCopy ? recorded : recorded.encoded
        let arguments = isCopy ? Self.input + ["-c", "copy", "-y", file] : encoding(size, to: file)
        return try await make(program, arguments) { input in
            var (piped, reader) = (0, RecordingReader())
            try await batch.client.recording(ofBatch: batch.id) { part in
                try reader.read(part)
                try await input.write(part)
                piped += part.count
                batch.note { [piped] in $0.progressed(to: Double(piped) / Double(max(order.bytes ?? 0, piped))) }
            }
            return VideoResult(bytes: 0, size: size, duration: reader.end, pictures: reader.pictures)
        }
    }

    // One thread each, as every further one needs memory for pictures. Filters are kept at a change of size: deflicker
    // would lose its pictures.
    private static let input =
        ["-v", "error", "-threads", "1", "-filter_threads", "1", "-reinit_filter", "0", "-f", "smjpeg", "-i", "pipe:0"]

    /// Arguments of ffmpeg(1), as of 5.1.
    ///
    /// Without B-frames the stated duration is right for pictures at irregular times. The copy of the last picture of a
    /// film lasts 1 ms, and the last one of a clip as long as ffmpeg guesses.
    private func encoding(_ size: FrameSize, to file: String) -> [String] {
        let box = "\(size.width):\(size.height)"
        let scaling = "scale=\(box):force_original_aspect_ratio=decrease,pad=\(box):-1:-1:eval=frame"
        let isEvened = order.film?.deflicker == true && order.pictures ?? 0 >= Self.evened
        let filters = scaling + (isEvened ? ",deflicker" : "") + ",format=yuv420p"
        let times = ["-fps_mode", "vfr", "-enc_time_base", "1:1000", "-video_track_timescale", "1000"]
        let codec = ["-c:v", "libx264", "-preset", "veryfast", "-bf", "0", "-threads", "1", "-movflags", "+faststart"]
        let last = order.kind == .clip ? [] : ["-bsf:v", "setts=duration=1"]
        return Self.input + ["-vf", filters] + times + codec + last + ["-y", file]
    }

    /// Runs ffmpeg, and returns the result of `feed`.
    private func make(
        _ program: String,
        _ arguments: [String],
        _ feed: @escaping @Sendable (ProgramInput) async throws -> VideoResult
    ) async throws -> VideoResult {
        var error: String?
        let (status, fed) = try await ChildProgram(path: program, arguments: arguments).run(feeding: feed) { line in
            // The demuxer complains about the end of its input.
            if !line.isEmpty, !line.hasSuffix("unknown chunk 0") { error = line }
            return true
        }
        if status == 0, let fed { return fed }
        if status == 128 + SIGKILL {
            let remedy = "Raise MemoryMax= (sudo systemctl edit tintype-worker)"
            throw BatchFailure.until(remedy, "ffmpeg was killed: it needs more memory.", batch.job)
        }
        let reason = status == 0 ? "It ended early" : error ?? "It ended with status \(status)"
        throw BatchFailure(error: "ffmpeg: \(reason.replacing(/\ @ 0x[0-9a-f]+/, with: "")).")
    }

    /// Sends the file to the daemon, and returns its size.
    private func send(_ file: String) async throws -> Int {
        let video = try OutputError.naming("open", file, try OpenFile(file))
        var offset = 0
        while true {
            let part = try OutputError.naming("read", file, try video.read(Self.part))
            guard !part.isEmpty else { return offset }
            try await Self.insisting({ try await batch.client.send(part, at: offset, ofBatch: batch.id) })
            offset += part.count
        }
    }

    /// Number of attempts to send a part of a film or clip.
    private static let attempts = 3

    /// Makes as many attempts as are worth a film that is made.
    static func insisting(
        _ action: () async throws -> Void,
        pause: () async throws -> Void = { try await Task.sleep(for: .seconds(1)) }
    ) async throws {
        for _ in 1..<attempts { do { return try await action() } catch { try await pause() } }
        try await action()
    }
}

extension FrameSize {
    /// Size in H.264 with halved colours: even sides, and at most the pixels of 4K, for the memory of the worker.
    var encoded: FrameSize {
        let scale = min((3840 * 2160 / Double(area)).squareRoot(), 1)
        func side(_ length: Int) -> Int { max(Int(Double(length) * scale) & ~1, 2) }
        return FrameSize(width: side(width), height: side(height))
    }
}

/// Times of the pictures of a film: whole milliseconds, each after the one before.
struct FilmTimes {
    private let style: FilmStyle
    private(set) var pictures = 0
    /// Time of the last picture.
    private(set) var time = Duration.zero
    /// End of the last picture: it lasts as long as the one before, with a speed at most 1 s.
    private(set) var end = Duration.zero
    private var exact = 0.0
    private var capturedAt: Timestamp?

    init(_ style: FilmStyle) { self.style = style }

    mutating func add(_ next: Timestamp) {
        let before = time
        var pause = 1000 / (style.fps ?? FilmStyle.standardRate)
        if let speed = style.speed {
            let gap = Double(next.microseconds - (capturedAt ?? next).microseconds) / 1000 / speed
            exact += min(max(gap, 0), style.cutMs?.duration.millisecondCount ?? .infinity)
        } else {
            exact = Double(pictures) * pause
        }
        if pictures > 0 {
            time = max(before + .milliseconds(1), .milliseconds(Int64(exact.rounded())))
            if style.speed != nil { pause = min((time - before).millisecondCount, 1000) }
        }
        end = time + .milliseconds(Int64(max(pause, 1).rounded()))
        (capturedAt, pictures) = (next, pictures + 1)
    }
}

/// Reads the times of the pictures of a recording, which comes in parts.
struct RecordingReader {
    private(set) var pictures = 0
    /// End of the last picture, which lasts as long as the one before.
    private(set) var end = Duration.zero
    private var time = Duration.zero
    /// Bytes before the next header of a picture.
    private var left = SMJPEG.headerLength
    private var header: [UInt8] = []

    static let damage = BatchFailure(error: "The recording of the clip is damaged.", isFatal: true)

    mutating func read(_ part: [UInt8]) throws(BatchFailure) {
        var rest = part[...]
        while !rest.isEmpty {
            guard left == 0 else {
                let count = min(left, rest.count)
                (rest, left) = (rest.dropFirst(count), left - count)
                continue
            }
            let count = min(SMJPEG.frameHeaderLength - header.count, rest.count)
            header += rest.prefix(count)
            rest = rest.dropFirst(count)
            guard header.count == SMJPEG.frameHeaderLength else { return }
            guard let frame = SMJPEG.frame(ofHeader: header) else { throw Self.damage }
            end = frame.time + (pictures > 0 ? frame.time - time : .milliseconds(40))
            (time, pictures, left, header) = (frame.time, pictures + 1, frame.bytes, [])
        }
    }
}
