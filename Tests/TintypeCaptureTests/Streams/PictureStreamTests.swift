// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeDevice
import TintypeImaging
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    @Suite struct PictureStreamTests {
        private static func request(_ rate: Double? = nil, placeholder: Bool = false) -> StreamRequest {
            var request = StreamRequest(rate: rate)
            request.picture.settle = .never
            request.picture.deadline = .seconds(20)
            request.placeholder = placeholder
            return request
        }

        /// Runs `body` with a camera and the first stream of a table.
        private static func run(
            rate: Double? = nil,
            placeholder: Bool = false,
            _ body: (Stage, PictureStream, StreamTable) async throws -> Void
        ) async throws {
            try await Stage.run("YUYV:256x64@50") { stage in
                let table = StreamTable(clock: TestClock())
                let stream = try PictureStream(stage.session, request(rate, placeholder: placeholder), in: table)
                try await body(stage, stream, table)
            }
        }

        private static func numbers(_ count: Int, of stream: PictureStream) async throws -> [Int] {
            var numbers: [Int] = []
            while numbers.count < count { numbers.append(try number(in: try await stream.next())) }
            return numbers
        }

        private static func number(in picture: StreamedPicture) throws -> Int {
            Int(try drawnCode(in: picture.jpeg).number)
        }

        @Test func `encodes the newest frame on demand`() async throws {
            try await Self.run { stage, stream, table in
                let numbers = try await Self.numbers(20, of: stream)
                #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
                #expect(numbers[19] - numbers[0] <= 19 + Int(table.status?.first?.dropped ?? 0))
                let before = (stage.counters.encoded, table.status?.first?.dropped ?? 0)
                try await TestClock().sleep(for: .seconds(2))
                #expect(stage.counters.encoded == before.0)
                let asked = TestClock().now
                let picture = try await stream.next()
                #expect(picture.age < .milliseconds(60))
                #expect(TestClock().now - asked < .milliseconds(40))
                let missed = try Self.number(in: picture) - numbers[19] - 1
                #expect(missed >= 90)
                let status = try #require(table.status?.first)
                #expect(Int(status.dropped - before.1) == missed && status.sent == 21)
                #expect(stage.counters.streamed == 21 && stage.counters.stills == 0)
            }
        }

        @Test func `a stream of the daemon itself is not counted as a client`() async throws {
            try await Stage.run("YUYV:256x64@50") { stage in
                let stream = try PictureStream(stage.session, Self.request(5), in: nil)
                let numbers = try await Self.numbers(5, of: stream)
                #expect(numbers[4] - numbers[0] >= 38, "ten frames from one to the next")
                #expect(stage.counters.streamed == 0 && stage.counters.stills == 0)
            }
        }

        @Test func `streams with the same settings share one encode per frame`() async throws {
            try await Stage.run("YUYV:256x64@50") { stage in
                let table = StreamTable(clock: TestClock())
                _ = try await atOnce(8) { _ in
                    let stream = try PictureStream(stage.session, Self.request(), in: table)
                    return try await Self.numbers(20, of: stream)
                }
                #expect(stage.renders.all.count == Set(stage.renders.all).count)
                #expect(stage.counters.streamed == 160 && stage.counters.encoded < 60)
                #expect(table.status == nil)
            }
        }

        @Test(arguments: [(10.0, 5.0), (20.0, 2.5), (7.0, 50.0 / 7), (100.0, 1.0)])
        func `takes frames at the requested rate`(rate: Double, apart: Double) async throws {
            try await Self.run(rate: rate) { stage, stream, table in
                let numbers = try await Self.numbers(21, of: stream)
                let mean = Double(numbers[20] - numbers[0]) / 20
                #expect(abs(mean - apart) < 0.3, "\(numbers)")
                #expect(stage.counters.encoded <= 22)
                #expect(table.status?.first?.dropped == 0)
            }
        }

        @Test func `a stream keeps a cold camera open until it ends`() async throws {
            try await Stage.run("YUYV:256x64@50", warmth: .cold) { stage in
                let table = StreamTable(clock: TestClock())
                var stream: PictureStream? = try PictureStream(stage.session, Self.request(), in: table)
                #expect(stage.log.openings == 0)
                _ = try await stream?.next()
                try await TestClock().sleep(for: .seconds(20))
                _ = try await stream?.next()
                #expect(stage.log.open == 1 && stage.log.openings == 1)
                #expect(table.status?.count == 1)
                stream = nil
                #expect(table.status == nil)
                #expect(await stage.session.reaches(.off))
                #expect(stage.log.open == 0)
            }
        }

        @Test func `stopping the camera ends its streams`() async throws {
            try await Self.run { stage, stream, _ in
                _ = try await stream.next()
                try await stage.session.stop()
                #expect(await failure { try await stream.next() }?.code == .stopping)
                #expect(stage.log.openings == 1)
            }
        }

        @Test(arguments: ["open:ENODEV", "STREAMON:EIO", "STREAMON:EPROTO", "S_FMT:ETIMEDOUT"])
        func `a stream continues after a failure within its deadline`(failure: String) async throws {
            let pattern = "YUYV:256x64@50"
            let failing = Array(repeating: "\(pattern),fail=\(failure)", count: 4)
            let patterns = ["\(pattern),lose-after=9"] + failing + [pattern]
            let configuration = SessionConfiguration(warmth: .linger(.seconds(30)))
            try await Stage.run(list: patterns, configuration: configuration) { stage in
                let table = StreamTable(clock: TestClock())
                let stream = try PictureStream(stage.session, Self.request(), in: table)
                _ = try await Self.numbers(30, of: stream)
                // Attempts go by the schedule, as without a client.
                #expect(stage.log.openings == 6)
                #expect(stage.counters.streamed == 30)
            }
        }

        @Test func `a stream of a lost camera ends at its deadline`() async throws {
            let faults = FaultFile()
            try await Stage.run("YUYV:256x64@50,faults=\(faults.path)") { stage in
                let table = StreamTable(clock: TestClock())
                let stream = try PictureStream(stage.session, Self.request(), in: table)
                _ = try await stream.next()
                try faults.set("lose-after=0,gone")
                #expect(await stage.session.reaches { $0.reason?.code == .deviceLost })
                let began = TestClock().now
                #expect(await failure { try await stream.next() }?.code == .deadlineExceeded)
                #expect(TestClock().now - began >= .seconds(20))
                #expect(stage.log.openings < 12, "\(stage.log.openings)")
                // The first picture of a stream is not waited for.
                let other = try PictureStream(stage.session, Self.request(), in: table)
                #expect(await failure { try await other.next() }?.code == .deviceLost)
            }
        }

        @Test func `sends placeholders until the camera restarts`() async throws {
            try await Self.run(placeholder: true) { stage, stream, _ in
                #expect(try await stream.next().placeholder == nil)
                try await stage.session.stop()
                let began = TestClock().now
                for _ in 0..<3 {
                    let picture = try await stream.next()
                    #expect(picture.placeholder == .stopping && picture.sequence == nil)
                    let header = try unsafe JPEGHeader.read(picture.jpeg.span.bytes)
                    #expect(header.size == FrameSize(width: 640, height: 360))
                }
                #expect(TestClock().now - began >= .seconds(2))
                #expect(stage.log.openings == 1 && stage.counters.streamed == 1)
                _ = try await stage.session.start()
                let picture = try await stream.next()
                #expect(picture.placeholder == nil)
                _ = try Self.number(in: picture)
            }
        }

        @Test func `rejects a stream without a free place`() async throws {
            try await Stage.run("YUYV:256x64@50") { stage in
                let table = StreamTable(clock: TestClock())
                var streams: [PictureStream] = []
                for _ in 0..<RequestLimiter.placesOfCamera {
                    streams.append(try PictureStream(stage.session, Self.request(), in: table))
                }
                let problem = #expect(throws: Problem.self) {
                    _ = try PictureStream(stage.session, Self.request(), in: table)
                }
                #expect(problem?.code == .tooManyRequests)
                #expect(table.status?.count == RequestLimiter.placesOfCamera)
                streams.removeLast()
                streams.append(try PictureStream(stage.session, Self.request(), in: table))
            }
        }
    }
}
