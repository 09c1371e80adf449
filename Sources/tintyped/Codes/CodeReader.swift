// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Subprocess
internal import SystemPackage
internal import TintypeImaging
internal import TintypeModel
internal import TintypeSystem

/// Reads the codes of a picture within a time limit; throws the problem of a reader that is missing, slow or broken.
typealias CodeReading = @Sendable (LumaPicture, _ limit: Duration) async throws(Problem) -> [PictureCode]

/// Reads codes with the program tintype-codes, a process for each picture: libzbar decodes pictures that anybody can hold
/// before a camera, and one that it fails at must not affect the next.
struct CodeReader: Sendable {
    private enum End {
        case wrote([UInt8])
        case ended(String)
        /// Exit status of the dynamic loader.
        case lacksLibrary
        case notStarted(String)
    }

    /// Reply of the program.
    private struct Reply: Decodable {
        struct Code: Decodable {
            let kind: String
            let text: String
            let left: Int32
            let top: Int32
            let width: Int32
            let height: Int32
        }

        let codes: [Code]
    }

    static let timeLimit = Duration.seconds(2)
    private static let mostOutput = 1 << 18
    private static let mostCodes = 64

    /// Path of the program; nil if it is not installed.
    let program: String?
    var arguments: [String] = []
    let clock: any MonotonicClock

    /// Path of the installed program, which is `../libexec/tintype/tintype-codes` of the daemon's folder, or, for a build
    /// that is not installed, in that folder.
    static var installed: String? {
        guard let folder = ProgramFolder.own else { return nil }
        let paths = [
            "\(folder.enclosingFolder)/libexec/tintype/tintype-codes", "\(folder)/tintype-codes",
        ]
        return paths.first(where: FileManager.default.isExecutableFile)
    }

    /// The process is killed after `limit`, at most ``timeLimit``, and on cancellation.
    func read(_ picture: LumaPicture, within limit: Duration) async throws(Problem) -> [PictureCode] {
        guard let program else { throw .noCodeReader("The program tintype-codes is not installed.") }
        let limit = min(limit, Self.timeLimit)
        switch await clock.result(within: limit, of: { await execute(program, picture) }) {
        case .wrote(let bytes):
            if let codes = Self.codes(in: bytes, of: picture.size) { return codes }
            throw .codesNotRead("The reader of codes gave an invalid reply.")
        case .ended(let how): throw .codesNotRead("The reader of codes was ended \(how).")
        case .lacksLibrary: throw .noCodeReader("The program \(program) lacks the library libzbar.")
        case .notStarted(let why): throw .noCodeReader("\(program) cannot be started: \(why)")
        case nil:
            throw Problem(
                .deadlineExceeded,
                "The codes of a picture were not read within \(SpokenDuration.text(limit)).",
                remedy: "Give the camera a smaller size; pictures with much fine structure take longest."
            )
        }
    }

    private func execute(_ program: String, _ picture: LumaPicture) async -> End {
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
            case .exited(0): return .wrote(result.standardOutput)
            case .exited(127): return .lacksLibrary
            case .exited(let status): return .ended("with \(status)")
            case .signaled(let signal): return .ended("by signal \(signal)")
            }
        } catch let error as SubprocessError where error.code == .outputLimitExceeded {
            return .ended("because it wrote too much")
        } catch {
            return .notStarted("\(error)")
        }
    }

    /// Codes of a reply, whose places are within a picture of `size`; nil for an invalid reply.
    private static func codes(in bytes: [UInt8], of size: FrameSize) -> [PictureCode]? {
        guard let reply = try? WireFormat.decode(Reply.self, from: bytes), reply.codes.count <= mostCodes else {
            return nil
        }
        var codes: [PictureCode] = []
        for code in reply.codes {
            guard (1...32).contains(code.kind.utf8.count), code.kind.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            else { return nil }
            func span(_ start: Int32, _ length: Int32, within end: Int) -> (start: Int, length: Int) {
                let (first, last) = (max(0, min(Int(start), end - 1)), max(0, min(Int(start) + Int(length), end) - 1))
                return (first, max(1, last - first + 1))
            }
            let across = span(code.left, code.width, within: size.width)
            let down = span(code.top, code.height, within: size.height)
            let area = FrameSize(width: across.length, height: down.length)
            let place = CropRectangle(size: area, left: across.start, top: down.start)
            codes.append(PictureCode(kind: code.kind, text: code.text, place: place))
        }
        return codes
    }
}

extension Problem {
    fileprivate static func noCodeReader(_ detail: String) -> Problem {
        let remedy = "Install the package libzbar0; tintype must be built with libzbar-dev."
        return Problem(.configurationUnsupported, detail, remedy: remedy)
    }

    fileprivate static func codesNotRead(_ detail: String) -> Problem {
        Problem(.internalError, detail, remedy: "Ask again. If it happens with a certain picture, report it.")
    }
}
