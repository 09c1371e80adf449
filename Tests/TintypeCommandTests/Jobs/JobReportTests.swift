// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeModel

@testable internal import tintype

struct JobReportTests {
    private let now = Timestamp(microseconds: 1_767_225_600_000_000 + 7_200_000_000)

    private var rule: Job {
        Sample.job("k3v9qa2m", rule: "site") {
            ($0.state, $0.waiting, $0.done, $0.running) = (.running, 30, 10, 5)
            ($0.oldest, $0.error) = ($0.createdAt, "rclone: away\n")
        }
    }

    @Test func `the table has bars, the age of the oldest picture, and errors on one line`() {
        let done = Sample.job("b2") { ($0.state, $0.done, $0.progress) = (.done, 4, 1) }
        let text = JobReport.text(JobList(jobs: [rule, done], worker: true), at: now, width: nil).string
        let lines = text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        #expect(
            lines == [
                "ID KIND RULE STATE WAITING DONE PROGRESS OLDEST TARGET ERROR",
                #"k3v9qa2m upload site running 30 10 [##--------] 25 % 2 h 0 min s3:bucket/{id} rclone: away\n"#,
                "b2 upload - done 0 4 [##########] 100 % - s3:bucket/{id} -",
            ]
        )
    }

    @Test func `the report names waiting pictures without a worker, and a spool that does not answer`() {
        let list = JobList(jobs: [rule], worker: false, unavailable: ["usb"])
        let text = JobReport.text(list, at: now, width: 80).string
        #expect(text.contains("sudo systemctl enable --now tintype-worker\n"))
        #expect(text.contains("The spool usb does not answer"))
        let idle = JobList(jobs: [Sample.job("b2")], worker: false)
        #expect(!JobReport.text(idle, at: now, width: 80).string.contains("systemctl"))
    }

    @Test func `a line names the rule, and counts that are not zero`() {
        #expect(JobReport.line(rule).string == #"k3v9qa2m (site): running, 30 wait, 10 done; rclone: away\n"# + "\n")
        let job = Sample.job("b2") { ($0.state, $0.failed, $0.lost) = (.failed, 2, 1) }
        #expect(JobReport.line(job).string == "b2: failed, 2 refused, 1 lost\n")
    }

    @Test func `a film or clip is listed with its camera, and without counts`() {
        let film = Sample.job("b2") { job in
            (job.kind, job.camera, job.target, job.state, job.waiting) = (.film, "garden", "MP4", .running, 1)
            job.progress = 0.5
        }
        #expect(JobReport.line(film).string == "b2 (film of garden): running\n")
        let lines = JobReport.text(JobList(jobs: [film], worker: true), at: now, width: nil).string.split(
            separator: "\n"
        )
        let row = lines[1].split(separator: " ").joined(separator: " ")
        #expect(row == "b2 film - running 1 0 [#####-----] 50 % - garden, MP4 -")
    }

    @Test func `a text replaces the lines of the one before`() {
        var height = 0
        #expect(JobReport.redrawn("a\nb\n", over: &height) == Array("a\nb\n".utf8))
        #expect(JobReport.redrawn("c\n", over: &height) == Array("\u{1B}[2A\r\u{1B}[Jc\n".utf8))
        #expect(height == 1)
    }
}
