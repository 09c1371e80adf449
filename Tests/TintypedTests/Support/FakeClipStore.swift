// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import TintypeDevice
import TintypeImaging
import TintypeModel
import TintypeSystem

@testable import tintyped

/// Recordings in memory; fails on demand.
final class FakeClipStore: Sendable {
    final class File: ClipWriting {
        struct Contents {
            var pictures: [(jpeg: [UInt8], time: Duration)] = []
            var isRemoved = false
            /// Pauses of a file that was closed.
            var cut: Duration?
            /// Counted as before the first picture.
            var earlierBytes = 0
            var failure: Problem?
            /// Time of each write.
            var delay = Duration.zero
        }

        private let id: String
        private let store: FakeClipStore
        let contents = Mutex(Contents())

        init(_ id: String, in store: FakeClipStore) { (self.id, self.store) = (id, store) }

        var times: [Duration] { contents.withLock { $0.pictures.map(\.time) } }
        var cut: Duration? { contents.withLock(\.cut) }
        var isClosed: Bool { cut != nil }
        var isRemoved: Bool { contents.withLock(\.isRemoved) }
        var bytes: Int {
            contents.withLock { contents in contents.pictures.reduce(contents.earlierBytes) { $0 + $1.jpeg.count } }
        }

        func append(_ picture: [UInt8], at time: Duration) async throws(Problem) {
            let (failure, delay) = contents.withLock { contents in
                if contents.failure == nil { contents.pictures.append((picture, time)) }
                return (contents.failure, contents.delay)
            }
            if let failure { throw failure }
            let clock = TestClock()
            if delay > .zero { try? await clock.sleep(until: clock.now + delay) }
            if Task.isCancelled { throw .requestAbandoned }
        }

        func addJob(
            _ request: ClipRequest,
            of camera: String,
            from capturedAt: Timestamp
        ) async throws(Problem) -> Job {
            await store.whenAdded.withLock(\.self)()
            if let failure = store.failure.withLock(\.self) { throw failure }
            var job = Job(id: id, rule: nil, spool: "default", source: "", target: "mp4", createdAt: capturedAt)
            (job.kind, job.camera) = (.clip, camera)
            store.jobs.withLock { [job] in $0.append(job) }
            return job
        }

        func close(cut: Duration, error: String?) async {
            // A call of a cancelled task would throw.
            guard !Task.isCancelled else { return }
            contents.withLock { $0.cut = cut }
            if let error { store.errors.withLock { $0.append(error) } }
        }

        func remove() async {
            guard !Task.isCancelled else { return }
            contents.withLock { $0.isRemoved = true }
            store.jobs.withLock { $0.removeAll { $0.id == id } }
        }

        func codes() throws -> [PatternCode] {
            try contents.withLock(\.pictures).map { picture in
                var decoder = JPEGDecoder()
                let (size, luma) = try decoder.decodeLuma(picture.jpeg.rawSpan)
                guard let code = PatternCode(luma: luma, size: size) else { throw Problem.requestAbandoned }
                return code
            }
        }
    }

    let files = Mutex<[String: File]>([:])
    let jobs = Mutex<[Job]>([])
    let errors = Mutex<[String]>([])
    /// Error of adding a job.
    let failure = Mutex<Problem?>(nil)
    let whenAdded = Mutex<@Sendable () async -> Void>({})
    /// Applied to new files.
    let contents = Mutex(File.Contents())

    /// The only file.
    var file: File? { files.withLock { $0.values.first } }

    func create(_ id: String) -> File {
        let file = File(id, in: self)
        file.contents.withLock { contents in contents = self.contents.withLock(\.self) }
        files.withLock { $0[id] = file }
        return file
    }
}
