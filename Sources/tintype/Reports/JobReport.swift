// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

enum JobReport {
    static let noWorker: PrintedText = "No worker is connected: sudo systemctl enable --now tintype-worker\n"

    /// Table of the jobs, and what to do if pictures wait and no worker is connected.
    static func text(_ list: JobList, at now: Timestamp, width: Int?) -> PrintedText {
        let columns: [TextTable.Column<Job>] = [
            .init("ID", 1, \.id), .init("KIND", 2, \.kind.rawValue), .init("RULE", 3, \.rule),
            .init("STATE", 4, \.state.rawValue), .init("WAITING", 5, \.waiting), .init("DONE", 6, \.done),
            .init("PROGRESS", 8, bar),
            .init("OLDEST", 9) {
                $0.oldest.map {
                    SpokenDuration.text(.seconds(max(0, (now.microseconds - $0.microseconds) / 1_000_000)))
                }
            },
            .init("TARGET", 10, cutTo: 8) { job in job.camera.map { "\($0), \(job.target)" } ?? job.target },
            .init("ERROR", 7, cutTo: 8, \.error),
        ]
        var text = TextTable(list.jobs, columns).text(width: width)
        if !list.worker, list.jobs.contains(where: { $0.waiting > 0 }) { text += noWorker }
        for spool in list.unavailable ?? [] { text += "The spool \(spool) does not answer: its jobs are left out.\n" }
        return text
    }

    /// For example `k3v9qa2m (site): failed, 12 wait, 3 done; rclone: …`, or `k3v9qa2m (film of garden): running`.
    static func line(_ job: Job) -> PrintedText {
        let of = job.rule ?? job.camera.map { "\(job.kind.rawValue) of \($0)" }
        let name = of.map { "\(job.id) (\($0))" } ?? job.id
        var counts = [(job.waiting, "wait"), (job.done, "done"), (job.failed, "refused"), (job.lost, "lost")]
        if job.kind != .upload { counts = [] }
        let parts = [job.state.rawValue] + counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return "\(name): \(parts.joined(separator: ", "))\(job.error.map { "; \($0)" } ?? "")\n"
    }

    private static func bar(_ job: Job) -> String {
        guard let fraction = job.fraction else { return "" }
        let percent = "\(Int(fraction * 100)) %"
        return ProgressBar.line(fraction, percent, width: percent.count + 14)
    }

    /// Control sequences that replace a text of `height` lines, which becomes the number of lines of `text`.
    static func redrawn(_ text: PrintedText, over height: inout Int) -> [UInt8] {
        let up = height > 0 ? "\u{1B}[\(height)A\r\u{1B}[J" : ""
        height = text.string.utf8.count { $0 == UInt8(ascii: "\n") }
        return Array((up + text.string).utf8)
    }
}

extension Job {
    var total: Int { done + waiting + failed }

    /// Delivered part, from 0 to 1; nil for a job without pictures.
    var fraction: Double? { progress ?? (total > 0 ? Double(done) / Double(total) : nil) }
}
