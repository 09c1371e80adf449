// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeModel

@testable internal import tintype

/// Log lines are recorded ones of rclone 1.60.1.
struct RcloneTests {
    private static func line(_ level: String, _ message: String, _ object: String? = nil, _ rest: String = "") -> String
    {
        let object = object.map { #""object":"\#($0)","objectType":"*local.Object","# } ?? ""
        let source = #""source":"operations/operations.go:566","time":"2026-11-30T21:32:27.966239+00:00""#
        return #"{"level":"\#(level)","msg":"\#(message)",\#(object)\#(rest)\#(source)}"#
    }

    @Test(arguments: [
        (line("info", "Copied (new)", "a/1.jpg"), RcloneLog.Event.stored("a/1.jpg")),
        (line("info", "Copied (replaced existing)", "a/1.jpg"), .stored("a/1.jpg")),
        (line("info", "Multi-thread Copied (new)", "a/1.jpg"), .stored("a/1.jpg")),
        (line("info", "Moved (server-side)", "a/1.jpg"), .stored("a/1.jpg")),
        (line("info", "Updated modification time in destination", "a/1.jpg"), .stored("a/1.jpg")),
        (line("info", "Deleted", "a/1.jpg"), nil), (line("info", "Checks finished, now starting transfers"), nil),
        (
            line("error", "Failed to copy: mkdir /x: not a directory", "a/1.jpg"),
            .failed("a/1.jpg", "Failed to copy: mkdir /x: not a directory")
        ),
        (line("info", "\\nTransferred: 1", nil, #""stats":{"bytes":1200000,"eta":null},"#), .progress(1_200_000)),
    ])
    func `a line of the log is read`(line: String, event: RcloneLog.Event?) {
        var log = RcloneLog()
        #expect(log.read(line) == event)
    }

    @Test(arguments: [
        ("Failed to create file system for \"bad:x\": didn't find backend called \"nonsense\"", 1, true),
        ("Fatal error: unknown flag: --nonsense", 1, true), ("Failed to copy: account suspended", 7, true),
        ("Failed to backend: base64 decode failed when revealing password - is it obscured?: illegal data", 1, true),
        ("Failed to create file system for \"keyfile:x\": failed to read private key file: open /n: no", 1, true),
        ("Failed to create file system for \"s:x\": NewFs: couldn't connect SSH: connection refused", 1, false),
        ("Failed to copy: directory not found", 3, false),
    ])
    func `only errors of the configuration and status 7 are fatal`(text: String, status: CInt, isFatal: Bool) throws {
        var log = RcloneLog()
        #expect(log.read("Error: first line") == nil)
        #expect(log.read("2026/11/30 21:32:28 \(text)") == nil)
        #expect(log.read("caused by: something else") == nil)
        let upload = try upload("s3:b/{id}")
        let failure = log.failure(status, of: upload)
        #expect(failure?.error.hasPrefix("rclone: \(text).") == true, "\(failure?.error ?? "")")
        #expect(failure?.isFatal == isFatal)
        #expect(log.failure(0, of: upload) == nil)
    }

    @Test(arguments: [
        (
            "Failed to backend: didn't find section in config file",
            "The remote s3: is not in /c/rclone.conf. "
                + "Add it (sudo -u tintype-worker rclone config --config /c/rclone.conf)"
        ),
        (
            "Failed to load config file \"/c/rclone.conf\": open /c/rclone.conf: permission denied",
            "rclone: Failed to load config file \"/c/rclone.conf\": open /c/rclone.conf: permission denied. "
                + "Correct it (sudo chown tintype-worker /c/rclone.conf)"
        ),
        (
            "Failed to load config file \"/x\": could not parse line: secret_access_key SECRET",
            "rclone: Failed to load config file \"/x\": could not parse line. Correct it"
        ),
    ])
    func `an error of the configuration names the remedy, and no secret`(text: String, error: String) throws {
        var log = RcloneLog()
        #expect(log.read("2026/11/30 21:32:28 \(text)") == nil)
        let failure = log.failure(1, of: try upload("s3:b/{id}"))
        #expect(failure == BatchFailure(error: "\(error), then “tintype jobs retry”.", isFatal: true))
    }

    @Test(arguments: [
        (#"{"Move": true, "BucketBased": false, "Copy": false}"#, true), (#"{"Move": false}"#, false),
        (#"{"Move": true, "BucketBased": true}"#, false),
    ])
    func `files need temporary names where they can be moved, but not in object stores`(
        features: String,
        isTemporary: Bool
    ) throws {
        let json = #"{"Name": "x", "Hashes": ["md5"], "Features": \#(features), "MetadataInfo": {}}"#
        #expect(try WireFormat.decode(RcloneFeatures.self, from: json.utf8).needsTemporaryNames == isTemporary)
    }

    private func upload(_ target: String, _ change: (inout UploadOptions) -> Void = { _ in }) throws -> RcloneUpload {
        var options = UploadOptions(to: target)
        change(&options)
        return RcloneUpload(
            target: try UploadTarget(target),
            options: options,
            name: "w1-k3v9qa2m",
            config: "/c/rclone.conf"
        )
    }

    @Test func `one file after the other is copied, in the order of the job`() throws {
        let oldest = try upload("s3:bucket/site/{id}").copying("/cache")
        #expect(oldest.starts(with: ["copy", "/cache", "s3:bucket/site", "--no-traverse", "--transfers", "1"]))
        #expect(oldest.contains(["--check-first", "--order-by", "modtime,ascending"]))
        #expect(oldest.contains(["--config", "/c/rclone.conf"]))
        #expect(!oldest.contains("--bwlimit"))
        let newest = try upload("s3:bucket/site/{id}") { ($0.order, $0.limit) = (.newest, 2_000_000) }.copying(
            "/cache"
        )
        #expect(newest.contains(["--order-by", "modtime,descending"]))
        #expect(newest.contains(["--bwlimit", "2000000B"]))
    }

    @Test(arguments: [
        ("nas:a/b/{id}", "nas:", "nas:a/b/.tintype-partial", "nas:a/b"),
        ("nas:{id}", "nas:", "nas:.tintype-partial", "nas:"), ("nas:/{id}", "nas:", "nas:/.tintype-partial", "nas:/"),
        (#":local:/my "x"/{id}"#, ":local:", #":local:/my ""x""/.tintype-partial"#, #":local:/my ""x"""#),
    ])
    func `a file gets its name from a folder of worker and job beside it`(
        target: String,
        remote: String,
        parent: String,
        final: String
    ) throws {
        let upload = try upload(target)
        #expect(upload.remote == remote)
        #expect(upload.features.starts(with: ["backend", "features", remote]))
        #expect(upload.temporary == "\(parent.replacing("\"\"", with: "\""))/w1-k3v9qa2m")
        #expect(upload.copyingTemporarily("/cache").starts(with: ["sync", "/cache", upload.temporary]))
        #expect(
            upload.moving("/names").starts(with: [
                "move", "tintypemove:temporary/w1-k3v9qa2m", "tintypemove:final", "--files-from-raw", "/names",
            ])
        )
        #expect(
            upload.environment == [
                "RCLONE_CONFIG_TINTYPEMOVE_TYPE": "combine",
                "RCLONE_CONFIG_TINTYPEMOVE_UPSTREAMS": #""temporary=\#(parent)" "final=\#(final)""#,
            ]
        )
    }
}
