// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import tintype

struct FilePatternTests {
    private let time = Timestamp(microseconds: 1_795_271_412_345_678)

    @Test(arguments: [
        ("a.jpg", "a.jpg"), ("%i.jpg", "7.jpg"), ("door-%03i.jpg", "door-007.jpg"), ("%3i", "007"), ("%i-%i", "7-7"),
        ("%%i.jpg", "%i.jpg"), ("100%%.jpg", "100%.jpg"), ("%%%i", "%7"), ("a%02i%%b", "a07%b"),
    ])
    func `a pattern expands the counter and the escaped percent sign`(_ pattern: String, _ path: String) throws {
        #expect(try FilePattern(pattern).path(at: time, number: 7) == path)
    }

    @Test func `strftime fields expand to the capture time in local time`() throws {
        let path = try FilePattern("door-%Y%m%d-%H%M%S-%03i.jpg").path(at: time, number: 12)
        var seconds = time_t(1_795_271_412)
        var parts = unsafe tm()
        _ = unsafe localtime_r(&seconds, &parts)
        let two = { (number: CInt) in Timestamp.pad(Int(number), 2) }
        let (day, clock) = unsafe (
            "\(parts.tm_year + 1900)\(two(parts.tm_mon + 1))\(two(parts.tm_mday))",
            "\(two(parts.tm_hour))\(two(parts.tm_min))\(two(parts.tm_sec))"
        )
        #expect(path == "door-\(day)-\(clock)-012.jpg")
    }

    @Test func `a pattern that expands to a too long name is an error`() {
        let long = #expect(throws: OutputError.self) {
            try FilePattern("%i" + String(repeating: "x", count: 5000)).path(at: time, number: 1)
        }
        #expect(long?.remedy.contains("%Y%m%d") == true)
    }

    @Test(arguments: [
        ("a.jpg", 3_600_000, false), ("%i.jpg", 0, true), ("%S.jpg", 1000, true), ("%S.jpg", 999, false),
        ("%S.jpg", 0, false), ("%H%M.jpg", 60_000, true), ("%H%M.jpg", 59_000, false), ("%Y.jpg", 3_600_000, false),
        ("%%i.jpg", 1000, false),
    ])
    func `a pattern reports if its names are distinct at an interval`(_ pattern: String, _ ms: Int, _ areDistinct: Bool)
    {
        #expect(FilePattern(pattern).givesDistinctNames(every: .milliseconds(ms)) == areDistinct)
    }

    private func still(_ byte: UInt8) -> Still {
        var record = Sample.record
        record.capturedAt = time
        return Still(record: record, picture: [byte])
    }

    @Test func `a picture never replaces another one of the same command`() throws {
        try inTemporaryFolder { folder in
            var writer = try PictureWriter("\(folder)/a.%S.jpg")
            let paths = try (0...2).map { try writer.write(still($0)) }
            let second = try #require(SystemCalls.formatted("%S", time))
            #expect(paths == ["", "-2", "-3"].map { "\(folder)/a.\(second)\($0).jpg" })
            for (index, path) in paths.enumerated() {
                #expect([UInt8](try Data(contentsOf: URL(filePath: path))) == [UInt8(index)])
            }
            #expect(writer.namesFiles)
            // A file of an earlier command is replaced.
            var other = try PictureWriter("\(folder)/a.%S.jpg")
            #expect(try other.write(still(9)) == paths[0])
            var counting = try PictureWriter("\(folder)/b-%02i")
            #expect(try (0...1).map { try counting.write(still($0)) } == ["\(folder)/b-01", "\(folder)/b-02"])
        }
    }

    @Test func `a missing folder in a pattern is an error`() throws {
        try inTemporaryFolder { folder in
            for pattern in ["\(folder)/%Y/a.jpg", "\(folder)/no/%i.jpg"] {
                let error = #expect(throws: OutputError.self) { try PictureWriter(pattern) }
                #expect(error?.remedy.contains("Make its folder first") == true)
            }
            #expect(throws: OutputError.self) { try PictureWriter(folder) }
        }
    }

    @Test func `a pipe receives successive pictures`() throws {
        try inTemporaryFolder { folder in
            let path = "\(folder)/pipe"
            #expect(unsafe mkfifo(path, 0o600) == 0)
            let reader = unsafe open(path, O_RDWR | O_NONBLOCK)
            defer { close(reader) }
            var writer = try PictureWriter(path)
            #expect(try [writer.write(still(1)), writer.write(still(2))] == [path, path])
            var buffer = [UInt8](repeating: 0, count: 10)
            #expect(unsafe read(reader, &buffer, 10) == 2)
            #expect(!writer.namesFiles)
        }
    }

    @Test(arguments: [
        (0.0, 30, 0, 22), (0.5, 30, 11, 11), (1, 30, 22, 0), (7, 30, 22, 0), (-1, 30, 0, 22), (0.5, 14, 3, 3),
        (0.99, 14, 5, 1), (0.5, 13, 2, 3),
    ])
    func `a progress bar fits the width of the terminal`(_ fraction: Double, _ width: Int, _ done: Int, _ left: Int) {
        let bar = String(repeating: "#", count: done) + String(repeating: "-", count: left)
        #expect(ProgressBar.line(fraction, "1/10", width: width) == "[\(bar)] 1/10")
    }

    @Test(arguments: [(0.5, 12, "1/10"), (0.5, 4, "1/1"), (0.5, 0, ""), (nil, 80, "1/10")])
    func `a progress bar without room or fraction is only its label`(_ fraction: Double?, _ width: Int, _ line: String)
    {
        #expect(ProgressBar.line(fraction, "1/10", width: width) == line)
    }
}
