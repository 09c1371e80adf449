// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Upload of one picture by curl(1), which handles TLS with the machine's certificates, and proxies.
///
/// Address and header fields may be secret: curl gets them on its standard input, not as arguments that others see.
struct CurlUpload {
    enum Outcome: Hashable {
        case delivered
        /// The server does not want this picture.
        case refused(String)
        case failed(String)
    }

    let address: String
    let options: UploadOptions

    static let arguments = ["--disable", "--config", "-"]

    /// Sends the pictures one by one, until the target is away.
    static func run(
        _ batch: Batch,
        _ pictures: [WorkPicture],
        to target: UploadTarget,
        _ options: UploadOptions,
        _ folder: WorkFolder
    ) async throws {
        guard let curl = ChildProgram.find("curl") else { throw BatchFailure.missing("curl", batch.job) }
        let name = "picture"
        var sent = 0
        for picture in pictures {
            let upload = CurlUpload(address: target.name(of: picture), options: options)
            if let reason = upload.refusal(of: picture) {
                batch.note { $0.refused(picture.id, reason) }
                continue
            }
            guard let bytes = try await batch.fetch(picture, as: name, to: folder) else { continue }
            defer { folder.remove(name) }
            let input = upload.input("\(folder.path)/\(name)", of: picture)
            var output: [String] = []
            let status = try await ChildProgram(path: curl, arguments: arguments, input: input).run {
                output.append($0)
                return true
            }
            let outcome = outcome(status, output)
            if outcome == .delivered { sent += bytes }
            let isTargetAway = batch.note { [sent] results in
                switch outcome {
                case .delivered:
                    results.delivered(picture.id)
                    results.sent(sent)
                case .refused(let reason): results.refused(picture.id, reason)
                case .failed(let reason): results.failed(picture.id, reason)
                }
                return results.isTargetAway
            }
            if isTargetAway { return }
        }
    }

    /// Reason why a film or clip is not uploaded: it is streamed, and curl would add its name to that of a folder.
    func refusal(of picture: WorkPicture) -> String? {
        let isNamed = !address.hasSuffix("/") && address.wholeMatch(of: /\w+:\/\/[^?#]+\/[^\/?#]+(?:[?#].*)?/) != nil
        return isNamed || picture.path.hasSuffix(".jpg") ? nil : "Give the target a name, such as …/{id}.mp4."
    }

    /// Configuration of curl for the picture in `file`.
    func input(_ file: String, of picture: WorkPicture) -> [UInt8] {
        let type = FrameKind.mediaType(of: picture.path)
        // A film is not read into memory.
        let isRead = type == "image/jpeg"
        var fields = ["Content-Type": type, "Tintype-Captured-At": "\(picture.capturedAt)"]
        for (name, value) in options.headers ?? [:] {
            if let standard = fields.keys.first(where: { $0.lowercased() == name.lowercased() }) {
                fields[standard] = nil
            }
            fields[name] = value
        }
        var lines = [
            CurlConfiguration.setting("url", address), "request = \((options.method ?? .put).rawValue)",
            CurlConfiguration.setting(isRead ? "data-binary" : "upload-file", isRead ? "@\(file)" : file),
            "proto = \"=http,https\"", "output = \"/dev/null\"",
            "connect-timeout = 10", "speed-limit = 1", "speed-time = 30", "write-out = \"\\n%{http_code}\\n\"",
            "globoff", "silent", "show-error",
        ]
        lines += fields.sorted { $0.key < $1.key }.map { CurlConfiguration.setting("header", "\($0.key): \($0.value)") }
        if let limit = options.limit { lines.append("limit-rate = \(limit)") }
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    /// Result by exit status and output: the status of HTTP in a line, and errors of curl.
    static func outcome(_ status: CInt, _ output: [String]) -> Outcome {
        let error = output.first { $0.hasPrefix("curl: ") }
        let code = output.compactMap { $0.wholeMatch(of: /[1-5]\d\d/).flatMap { Int($0.output) } }.last ?? 0
        guard status == 0 else { return .failed(error ?? "curl ended with status \(status).") }
        return switch code {
        case 200..<300: .delivered
        case 300..<400: .failed("The server answered \(code). Give its final address as the target.")
        // Of the job, not of this picture: no picture is given up for an expired password.
        case 401, 403: .failed("The server answered \(code). Correct the access.")
        case 408, 425, 429: .failed("The server answered \(code).")
        case 400..<500: .refused("The server answered \(code).")
        default: .failed("The server answered \(code).")
        }
    }
}
