// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Command lines of rclone(1) for the batches of one job.
struct RcloneUpload {
    let target: UploadTarget
    let options: UploadOptions
    /// Name of the temporary folder: of worker and job.
    let name: String
    /// Configuration of rclone; nil for its own default.
    let config: String?

    /// Remote of the target, such as `s3:`.
    var remote: String {
        let text = target.description
        let end = text.dropFirst().firstIndex(of: ":") ?? text.endIndex
        return "\(text[..<end]):"
    }

    /// Folder in which files are written before they get their names; the next batch deletes what a stopped one left.
    ///
    /// Its own for each worker and job: another machine may have a job with the same id and target.
    var temporary: String { "\(parent)/\(name)" }

    private var parent: String {
        let base = target.base
        return base.hasSuffix(":") || base.hasSuffix("/") ? "\(base).tintype-partial" : "\(base)/.tintype-partial"
    }

    var features: [String] { ["backend", "features", remote, "--quiet"] + common }
    func copying(_ folder: String) -> [String] { ["copy", folder, target.base, "--no-traverse"] + transfers }

    /// Makes the temporary folder equal to `folder`: what another batch left behind is deleted.
    func copyingTemporarily(_ folder: String) -> [String] { ["sync", folder, temporary] + transfers }

    /// Renames the files in `list`, a file with a name a line.
    func moving(_ list: String) -> [String] {
        [
            "move", "\(Self.combined):temporary/\(name)", "\(Self.combined):final", "--files-from-raw", list,
            "--no-traverse", "--delete-empty-src-dirs",
        ] + transfers
    }

    /// Lists those of the files in `list` that the target has.
    func listing(_ list: String) -> [String] {
        ["lsf", target.base, "-R", "--files-only", "--files-from-raw", list, "--no-traverse", "--quiet"] + common
    }

    /// Name of a remote that exists only while files are moved.
    private static let combined = "tintypemove"

    /// Combines both folders in one remote: rclone refuses to move files from within the folder that they go to.
    var environment: [String: String] {
        let pairs = ["temporary=\(parent)", "final=\(target.base)"]
        let upstreams = pairs.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: " ")
        let prefix = "RCLONE_CONFIG_\(Self.combined.uppercased())"
        return ["\(prefix)_TYPE": "combine", "\(prefix)_UPSTREAMS": upstreams]
    }

    private var common: [String] {
        ["--retries", "1", "--low-level-retries", "3", "--contimeout", "10s", "--timeout", "30s"]
            + (config.map { ["--config", $0] } ?? [])
    }

    private var transfers: [String] {
        let order = options.order == .oldest ? "ascending" : "descending"
        // Without --check-first the order depends on which check is the first to end.
        let sorted = ["--transfers", "1", "--check-first", "--order-by", "modtime,\(order)"]
        let limit = options.limit.map { ["--bwlimit", "\($0)B"] } ?? []
        return sorted + ["--use-json-log", "-v", "--stats", "500ms"] + limit + common
    }
}

/// Log of rclone(1) with `--use-json-log -v`, as of rclone 1.60.
struct RcloneLog {
    enum Event: Hashable {
        /// The target has this file, whole.
        case stored(String)
        case failed(String, String)
        /// Bytes sent so far.
        case progress(Int)
    }

    private struct Line: Decodable {
        struct Stats: Decodable { let bytes: Int? }

        let level: String
        let msg: String
        let object: String?
        let stats: Stats?
    }

    /// Last error that belongs to no file.
    private(set) var error: String?

    /// Texts of errors in rclone's configuration; exit status 7 is an error that needs another account or command.
    private static let fatal = [
        "didn't find section in config file", "didn't find backend called", "Failed to load config file",
        "unknown flag", "is it obscured?", "SSH agent requested but", "failed to read private key file",
        "failed to parse private key file", "unable to decrypt configuration",
    ]

    mutating func read(_ line: String) -> Event? {
        guard let line = try? WireFormat.decode(Line.self, from: line.utf8) else {
            // Errors before the log begins: 2026/11/30 21:32:28 Failed to …
            let text = line.trimmingPrefix(/\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d\s/)
            // Further lines are details of the first, or help.
            if error == nil || text.startIndex != line.startIndex, text.contains(where: \.isLetter) {
                error = String(text)
            }
            return nil
        }
        if let bytes = line.stats?.bytes { return .progress(bytes) }
        guard let object = line.object else {
            if line.level == "error" { error = line.msg }
            return nil
        }
        if line.level == "error" { return .failed(object, line.msg) }
        let isStored = line.msg.contains("opied (") || line.msg.hasPrefix("Moved (")
        // Of a file that is there whole but for its time.
        return isStored || line.msg.hasPrefix("Updated modification time") ? .stored(object) : nil
    }

    /// Failure of a run with `status`; nil for a success.
    func failure(_ status: CInt, of upload: RcloneUpload) -> BatchFailure? {
        guard status != 0 else { return nil }
        // The line may have a password.
        let text = (error ?? "It ended with status \(status)").replacing(/(?s)(could not parse line).*/) { $0.1 }
        guard status == 7 || Self.fatal.contains(where: text.contains) else {
            return BatchFailure(error: "rclone: \(text).")
        }
        var (detail, remedy) = ("rclone: \(text).", "Correct it")
        let file = upload.config ?? "rclone.conf"
        if text.contains("didn't find section in config file") {
            let option = upload.config.map { " --config \($0)" } ?? ""
            detail = "The remote \(upload.remote) is not in \(file)."
            remedy = "Add it (sudo -u tintype-worker rclone config\(option))"
        } else if text.contains("Failed to load config file"), text.contains("permission denied") {
            remedy = "Correct it (sudo chown tintype-worker \(file))"
        }
        return BatchFailure(error: "\(detail) \(remedy), then “tintype jobs retry”.", isFatal: true)
    }
}

/// Part of the output of `rclone backend features`.
struct RcloneFeatures: Decodable {
    private enum CodingKeys: String, CodingKey { case features = "Features" }

    private let features: [String: Bool]

    /// A file can be renamed there, and a killed transfer may leave a part of it under its name.
    ///
    /// Object stores show only whole objects, and most of them rename by a copy.
    var needsTemporaryNames: Bool { features["Move"] == true && features["BucketBased"] != true }
}
