// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import TintypeCapture
internal import TintypeImaging
internal import TintypeModel
internal import TintypeSystem

/// Reads the codes before one camera, which it keeps open, and emits an event for each that comes into sight.
///
/// Takes pictures as a live client does, with the camera's look: at most ``rate`` a second, and none while one is read.
/// One that shows nothing new is not read.
struct CodeWatch: Service {
    static let rate = 5.0
    /// Pause after the first failure of the reader, doubled after each further one up to ``longestPause``.
    static let firstPause = Duration.seconds(1)
    static let longestPause = Duration.seconds(60)
    /// Time from a failure of the camera to the next attempt.
    private static let glance = Duration.seconds(1)

    let session: CaptureSession
    let keeper: CameraKeeper
    let encoding: EncodingThreads
    let sights: CodeSights
    let read: CodeReading
    let logger: Logger
    let tell: EventSink

    func run() async {
        await runUntilShutdown(by: session.clock) {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await keeper.run() }
                await watch()
                group.cancelAll()
            }
            await keeper.release()
        }
    }

    private func watch() async {
        var request = StreamRequest(rate: Self.rate)
        // The keeper decides whether the camera is open.
        request.picture.opens = false
        var stream: PictureStream?
        // The last picture that was read.
        var last: (blocks: LumaBlocks, codes: [PictureCode])?
        var failures = 0
        while !Task.isCancelled {
            let (luma, moment): (LumaPicture, MonotonicTime)
            do throws(Problem) {
                let pictures = if let stream { stream } else { try PictureStream(session, request, in: nil) }
                stream = pictures
                let picture = try await pictures.next()
                moment = session.clock.now - picture.age
                guard case .success(let decoded) = await encoding.luma(of: picture.jpeg) else { continue }
                luma = decoded
            } catch {
                stream = nil
                try? await session.clock.sleep(for: Self.glance)
                continue
            }
            if let known = last, !luma.blocks.differ(from: known.blocks) {
                report(known.codes, at: moment)
                continue
            }
            do throws(Problem) {
                let codes = try await read(luma, CodeReader.timeLimit)
                if failures > 0 { logger.notice("codes are read again") }
                (failures, last) = (0, (luma.blocks, codes))
                report(codes, at: moment)
            } catch {
                guard !Task.isCancelled else { return }
                failures += 1
                let level = failures == 1 ? Logger.Level.warning : .debug
                logger.log(level: level, "codes are not read: \(error.detail) \(error.remedy)")
                try? await session.clock.sleep(for: Self.pause(after: failures))
            }
        }
    }

    private func report(_ codes: [PictureCode], at moment: MonotonicTime) {
        for code in sights.add(codes, at: moment) { tell(.seen(code, by: session.name)) }
    }

    static func pause(after failures: Int) -> Duration {
        firstPause.backoff(after: failures - 1, upTo: longestPause)
    }
}

/// Codes before one camera, each in sight from the first picture in which it was read until ``absence`` after the last; any
/// thread, never blocks.
final class CodeSights: Sendable {
    private struct Sight {
        let first: MonotonicTime
        var last: MonotonicTime
    }

    /// Time without a code that ends its sight: single pictures in which it cannot be read do not.
    static let absence = Duration.seconds(5)
    /// So that somebody with many codes cannot drown other events.
    static let mostInSight = 64

    private let sights = Mutex<[[String]: Sight]>([:])

    /// Adds the codes of a picture exposed at `moment`, in order of time; returns those that have come into sight.
    func add(_ codes: [PictureCode], at moment: MonotonicTime) -> [PictureCode] {
        sights.withLock { sights in
            sights = sights.filter { moment - $0.value.last < Self.absence }
            return codes.filter { code in
                let key = [code.kind, code.text]
                guard sights[key] == nil else {
                    sights[key]?.last = moment
                    return false
                }
                guard sights.count < Self.mostInSight else { return false }
                sights[key] = Sight(first: moment, last: moment)
                return true
            }
        }
    }

    /// True if a code was in sight at `moment`, which is about now.
    func covers(_ moment: MonotonicTime) -> Bool {
        sights.withLock { sights in
            sights.values.contains { $0.first <= moment && moment - $0.last < Self.absence }
        }
    }
}
