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
