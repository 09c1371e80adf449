// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeModel

@testable internal import tintype

struct TextTableTests {
    private var table: TextTable {
        TextTable(
            [["front", "a note of some length", "running", "1.4M"], ["x", "", "off", "812"]],
            [
                .init("NAME", 1) { $0[0] }, .init("NOTE", cutTo: 8) { $0[1] }, .init("STATE", 2) { $0[2] },
                .init("BYTES") { $0[3] },
            ]
        )
    }

    @Test(
        arguments: [
            // Output to a file or a program.
            (
                nil,
                """
                NAME   NOTE                   STATE    BYTES
                front  a note of some length  running  1.4M
                x      -                      off      812

                """
            ),
            (
                36,
                """
                NAME   NOTE           STATE    BYTES
                front  a note of so…  running  1.4M
                x      -              off      812

                """
            ),
            (28, "NAME   NOTE          STATE\nfront  a note of s…  running\nx      -             off\n"),
            (14, "NAME   STATE\nfront  running\nx      off\n"), (3, "NA…\nfr…\nx\n"),
        ] as [(Int?, String)]
    )
    func `a table is cut to the width and drops the least important columns`(width: Int?, text: String) {
        #expect(table.text(width: width).string == text)
    }

    @Test(arguments: 1...60) func `no line is longer than the width`(_ width: Int) {
        let lines = table.text(width: width).split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.allSatisfy { $0.count <= width })
    }

    @Test func `reports keep the essential columns in 80 and in 60 columns`() {
        var camera = Sample.camera
        camera.identity?.card = "HD Pro Webcam C920 with a long name"
        camera.state = .interrupted(
            reason: Sample.problem,
            since: Timestamp(microseconds: 0),
            nextAttempt: Timestamp(microseconds: 0)
        )
        var frame = Sample.frame
        frame.pinned = true
        for width in [80, 60] {
            let cameras = CameraReport.table([camera], width: width)
            #expect(cameras.split(separator: "\n").allSatisfy { $0.count <= width })
            for part in ["front", "interrupted", "/dev/video0", "HD Pro W"] { #expect(cameras.contains(part)) }
            let frames = FrameReport.table([frame]).text(width: width)
            #expect(frames.split(separator: "\n").allSatisfy { $0.count <= width })
            for part in [frame.id.description, "2023-11-14T22:13:20Z"] { #expect(frames.contains(part)) }
        }
        #expect(FrameReport.table([frame]).text(width: 80).contains("pinned"))
    }
}
