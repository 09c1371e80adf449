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
