// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import NIOHTTP1
internal import Synchronization
internal import Testing

@testable internal import TintypeModel

/// A daemon with one batch, and the reports of it.
final class WorkDaemon: Sendable {
    let pictures: [WorkPicture]
    let orders: FakeDaemon.Reply
    /// Reply to a request for a picture.
    private let picture: @Sendable (FakeDaemon.Request) -> FakeDaemon.Reply
    /// Number of last reports that are lost.
    private let lost: Mutex<Int>
    private let sent = Mutex(false)
    private let reports = Mutex<[WorkReport]>([])
    private let asked = Mutex<[String]>([])

    /// `bytes` is the stated size of each picture.
    init(
        _ upload: UploadOptions,
        bytes: Int = 4,
        ending: String = "jpg",
        lost: Int = 0,
        picture: @escaping @Sendable (FakeDaemon.Request) -> FakeDaemon.Reply = { _ in
            .http(200, [:], Array("JPEG".utf8))
        }
    ) throws {
        var pictures = (0..<3).map { Sample.picture($0) }
        for index in pictures.indices {
            pictures[index].path = "\(index).\(ending)"
            pictures[index].bytes = bytes
            if upload.record == true { pictures[index].record = Sample.frame }
        }
        self.pictures = pictures
        var order = WorkOrder(.begin, batch: "b1")
        (order.job, order.upload, order.pictures) = ("k3v9qa2m", upload, pictures)
        orders = try .lines(order)
        self.picture = picture
        self.lost = Mutex(lost)
    }

    var report: WorkReport? { reports.withLock { $0.first(where: \.isOver) } }

    /// Ranges of pictures that were asked for.
    var ranges: [String] { asked.withLock(\.self) }

    /// All reports as one.
    var sum: WorkReport {
        reports.withLock { all in
            var sum = all.last ?? WorkReport()
            (sum.done, sum.failures) = (all.flatMap(\.done), all.flatMap(\.failures))
            return sum
        }
    }

    func answer(_ request: FakeDaemon.Request) throws -> FakeDaemon.Reply {
        switch (request.method, request.target) {
        case ("POST", "/v1/work"):
            let isFirst = sent.withLock { sent in
                defer { sent = true }
                return !sent
            }
            return isFirst ? orders : .silence
        case ("POST", "/v1/work/b1"):
            let report = try WireFormat.decode(WorkReport.self, from: request.body)
            let isLost = lost.withLock { lost in
                defer { if report.isOver { lost -= 1 } }
                return report.isOver && lost > 0
            }
            if isLost { throw Problem(.deadlineExceeded, "The disk does not answer.", remedy: "Try again.") }
            reports.withLock { $0.append(report) }
            return .http(204, [:], [])
        default:
            asked.withLock { $0 += request.headers["Range"] }
            return picture(request)
        }
    }
}

extension BuiltCommand {
    /// Runs the worker with `script` as rclone and curl, whose arguments the file `log` has, until it is ended.
    func work(_ script: String) async throws -> Outcome {
        try await shell(
            """
            mkdir -p bin cache/.tintype-batches/left-behind cache/batches/of-others
            cat > bin/rclone << 'END'
            #!/bin/bash
            printf '%s ' "$@" >> log; echo >> log
            \(script)
            END
            chmod +x bin/rclone; cp bin/rclone bin/curl; echo $$ > pid
            export RCLONE_DRY_RUN=true RCLONE_CONFIG_PASS=x
            PATH="$PWD/bin:$PATH" exec "$T" work --cache cache --config /c/rclone.conf
            """
        )
    }

    /// Process whose id the file `name` has; of the worker by default.
    func process(_ name: String = "pid") throws -> pid_t {
        try #require(pid_t(try text(name).trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }
}
