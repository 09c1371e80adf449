// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Logging
internal import ServiceLifecycle
internal import Subprocess
internal import Synchronization
internal import SystemPackage
internal import TintypeCapture
internal import TintypeImaging
internal import TintypeModel
internal import TintypeSystem

/// Reads the codes of a picture within a time limit; throws the problem of a reader that is missing, slow or broken.
typealias CodeReading = @Sendable (LumaPicture, _ limit: Duration) async throws(Problem) -> [PictureCode]

/// Reads codes with the program tintype-codes, a process for each picture: libzbar decodes pictures that anybody can hold
/// before a camera, and one that it fails at must not affect the next.
struct CodeReader: Sendable {
    /// A code in the reply of the program, which is `{"codes": [...]}`.
    private struct Code: Decodable {
        let kind: String
        let text: String
        let left: Int32
        let top: Int32
        let width: Int32
        let height: Int32
    }

    static let timeLimit = Duration.seconds(2)
    private static let mostOutput = 1 << 18
    private static let mostCodes = 64

    let program: String?
    var arguments: [String] = []
    let clock: any MonotonicClock

    /// Path of the installed program, which is `../libexec/tintype/tintype-codes` of the daemon's folder, or, for a build
    /// that is not installed, in that folder.
    static var installed: String? {
        guard let folder = ProgramFolder.own else { return nil }
        let paths = ["\(folder.enclosingFolder)/libexec/tintype/tintype-codes", "\(folder)/tintype-codes"]
        return paths.first(where: FileManager.default.isExecutableFile)
    }

    /// The process is killed after `limit`, at most ``timeLimit``, and on cancellation.
    func read(_ picture: LumaPicture, within limit: Duration) async throws(Problem) -> [PictureCode] {
        guard let program else { throw .noCodeReader("The program tintype-codes is not installed.") }
        let limit = min(limit, Self.timeLimit)
        guard let result = await clock.result(within: limit, of: { await execute(program, picture) }) else {
            throw Problem(
                .deadlineExceeded,
                "The codes of a picture were not read within \(SpokenDuration.text(limit)).",
                remedy: "Give the camera a smaller size; pictures with much fine structure take longest."
            )
        }
        return try result.get()
    }

    private func execute(_ program: String, _ picture: LumaPicture) async -> Result<[PictureCode], Problem> {
        var options = PlatformOptions()
        options.createSession = true
        let kill = TeardownStep.send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .zero)
        options.teardownSequence = [kill]
        do {
            let result = try await Subprocess.run(
                .path(FilePath(program)),
                arguments: Arguments(arguments),
                environment: .custom([:] as [Environment.Key: String]),
                platformOptions: options,
                input: .inputWriter,
                output: .bytes(limit: Self.mostOutput),
                error: .discarded
            ) { execution in
                // It may end without reading. A writer that is not finished traps.
                let header = Array("\(picture.size.width) \(picture.size.height)\n".utf8)
                _ = try? await execution.standardInputWriter.write(header)
                _ = try? await execution.standardInputWriter.write(picture.bytes)
                try? await execution.standardInputWriter.finish()
            }
            switch result.terminationStatus {
            case .exited(0):
                let codes = Self.codes(in: result.standardOutput, of: picture.size)
                return codes.map { .success($0) } ?? .failure(.codesNotRead("gave an invalid reply"))
            // Exit status of the dynamic loader.
            case .exited(127): return .failure(.noCodeReader("The program \(program) lacks the library libzbar."))
            case .exited(let status): return .failure(.codesNotRead("was ended with \(status)"))
            case .signaled(let signal): return .failure(.codesNotRead("was ended by signal \(signal)"))
            }
        } catch let error as SubprocessError where error.code == .outputLimitExceeded {
            return .failure(.codesNotRead("was ended because it wrote too much"))
        } catch {
            return .failure(.noCodeReader("\(program) cannot be started: \(error)"))
        }
    }

    /// Codes of a reply, whose places are within a picture of `size`; nil for an invalid reply.
    private static func codes(in bytes: [UInt8], of size: FrameSize) -> [PictureCode]? {
        guard let codes = try? WireFormat.decode([String: [Code]].self, from: bytes)["codes"], codes.count <= mostCodes
        else { return nil }
        let isValid = codes.allSatisfy { $0.kind.wholeMatch(of: /[\x21-\x7E]{1,32}/) != nil }
        return isValid ? codes.map { PictureCode(kind: $0.kind, text: $0.text, place: place(of: $0, in: size)) } : nil
    }

    /// The part of the picture, at least a pixel.
    private static func place(of code: Code, in size: FrameSize) -> CropRectangle {
        func span(_ start: Int32, _ length: Int32, within end: Int) -> (start: Int, length: Int) {
            let first = min(max(0, Int(start)), end - 1)
            return (first, max(1, min(Int(start) + Int(length), end) - first))
        }
        let across = span(code.left, code.width, within: size.width)
        let down = span(code.top, code.height, within: size.height)
        let area = FrameSize(width: across.length, height: down.length)
        return CropRectangle(size: area, left: across.start, top: down.start)
    }
}

extension Problem {
    fileprivate static func noCodeReader(_ detail: String) -> Problem {
        let remedy = "Install the package libzbar0; tintype must be built with libzbar-dev."
        return Problem(.configurationUnsupported, detail, remedy: remedy)
    }

    fileprivate static func codesNotRead(_ end: String) -> Problem {
        let remedy = "Ask again. If it happens with a certain picture, report it."
        return Problem(.internalError, "The reader of codes \(end).", remedy: remedy)
    }
}

/// Reads the codes before one camera while it is open, and emits an event for each that comes into sight.
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
    let encoding: EncodingThreads
    let sights: CodeSights
    let read: CodeReading
    let logger: Logger
    let tell: EventSink

    func run() async { await runUntilShutdown(by: session.clock) { await watch() } }

    private func watch() async {
        var request = StreamRequest(rate: Self.rate)
        // A keeper beside it decides whether the camera is open.
        request.picture.opens = false
        // The last picture that was read.
        var last: (blocks: LumaBlocks, codes: [PictureCode])?
        var failures = 0
        while !Task.isCancelled {
            do throws(Problem) {
                let pictures = try PictureStream(session, request, in: nil)
                while !Task.isCancelled {
                    let picture = try await pictures.next()
                    let moment = session.clock.now - picture.age
                    guard case .success(let luma) = await encoding.luma(of: picture.jpeg) else { continue }
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
            } catch {
                try? await session.clock.sleep(for: Self.glance)
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
