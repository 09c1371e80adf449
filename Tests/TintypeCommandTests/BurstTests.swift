// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Testing
internal import TintypeModel

struct BurstTests {
    private static let late = Problem(.deadlineExceeded, "The camera gave no picture.", remedy: "Wait.")

    /// IDs of the pictures by number.
    private static let ids = (0...100).map {
        FrameID(at: Timestamp(microseconds: 1_700_000_000_000_000 + Int64($0) * 1_000_000))
    }

    private static func record(_ number: Int, path: String? = nil) -> StillRecord {
        var record = Sample.record
        record.id = ids[number]
        record.sequence = UInt32(number)
        record.capturedAt = Timestamp(microseconds: 1_700_000_000_000_000 + Int64(number) * 1_000_000)
        record.path = path
        record.stored = path == nil ? .no : .durable
        return record
    }

    /// The reply with picture `number`, whose only byte is its number.
    private static func picture(_ number: Int) -> FakeDaemon.Reply {
        let record = record(number)
        var headers = ["Content-Type": "image/jpeg"]
        for field in StillRecord.headerFields { headers[field.headerName] = field.headerText(record) }
        return .http(200, headers, [UInt8(number)])
    }

    /// A daemon that replies to requests for pictures by `answer`, numbered from 1.
    private func running(
        _ answer: @escaping @Sendable (Int) -> FakeDaemon.Reply = BurstTests.picture,
        stills: StillList = StillList(stills: (1...3).map { record($0, path: "/spool/\($0).jpg") }),
        _ body: (BuiltCommand, FakeDaemon) async throws -> Void
    ) async throws {
        let counter = RequestLog()
        let reply: @Sendable (FakeDaemon.Request) -> FakeDaemon.Reply = { request in
            switch request.target.prefix(while: { $0 != "?" }) {
            case "/v1/cameras/front": return .json(Sample.camera)
            case "/v1/cameras": return .json(CameraList(cameras: [Sample.camera]))
            case "/v1/cameras/front/stills":
                let wanted = try? WireFormat.decode(StillRequest.self, from: request.body)
                guard let wanted, wanted.burst == nil else { return .json(stills, status: 201) }
                counter.connect()
                let number = counter.connections
                return .json(StillList(stills: [Self.record(number, path: "/spool/\(number).jpg")]), status: 201)
            case "/v1/cameras/front/still.jpg":
                counter.connect()
                return answer(counter.connections)
            case let path where path.hasSuffix("/image"):
                let index = stills.stills.firstIndex { path.contains("\($0.id)") } ?? 0
                return .http(200, ["Content-Type": "image/jpeg"], [UInt8(index + 1)])
            default: return .problem(Sample.problem)
            }
        }
        try await BuiltCommand.asking(reply, body)
    }

    @Test func `a burst of consecutive frames is one request and prints the paths`() async throws {
        try await running { command, daemon in
            let outcome = try await command.run("burst", "--count", "3", "--tag", "a")
            #expect(outcome.status == 0)
            #expect(outcome.text == "/spool/1.jpg\n/spool/2.jpg\n/spool/3.jpg\n")
            #expect(outcome.errors == "")
            let posts = daemon.log.requests.filter { $0.method == "POST" }
            #expect(posts.count == 1)
            let asked = try WireFormat.decode(StillRequest.self, from: try #require(posts.first).body)
            #expect(asked == StillRequest(burst: .count(3, every: .zero), tags: ["a"]))
            let json = try await command.run("burst", "front", "--from", "-2s", "--to", "1s", "--nth", "3", "--json")
            #expect(try json.read(StillList.self).stills.map(\.sequence) == [1, 2, 3])
            let span = try WireFormat.decode(StillRequest.self, from: try #require(daemon.log.requests.last).body)
            #expect(span.burst == .span(from: .seconds(-2), to: .seconds(1), nth: 3))
        }
    }

    @Test func `with -o, each picture is its own file and its name is printed`() async throws {
        try await running { command, daemon in
            let outcome = try await command.run("burst", "--count", "3", "-o", "a-%02i.jpg", "--quality", "70")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.text == "a-01.jpg\na-02.jpg\na-03.jpg\n")
            for number in 1...3 { #expect(try command.bytes("a-0\(number).jpg") == [UInt8(number)]) }
            let asked = daemon.log.requests.map(\.target).filter { $0.contains("still.jpg") }
            // The first request has the default freshness, the others request the next frame.
            #expect(asked.map { $0.contains("fresh=next") } == [false, true, true])
            #expect(asked.allSatisfy { $0.contains("quality=70") })
            #expect(daemon.log.connections == 1)
            let json = try await command.run("burst", "--count", "2", "-o", "b-%i.jpg", "--json")
            let list = try json.object
            let stills = try #require(list["stills"] as? [[String: Any]])
            #expect(stills.compactMap { $0["file"] as? String } == ["b-1.jpg", "b-2.jpg"])
            #expect(stills.compactMap { $0["sequence"] as? Int } == [4, 5])
            #expect(list["missed"] == nil)
        }
    }

    @Test func `pictures at an interval are taken when due`() async throws {
        try await running { command, daemon in
            let start = ContinuousClock.now
            let outcome = try await command.run("burst", "--count", "3", "--every", "300ms", "-o", "%i.jpg")
            #expect(outcome.status == 0)
            #expect(ContinuousClock.now - start >= .milliseconds(600))
            #expect(daemon.log.requests.allSatisfy { !$0.target.contains("fresh=next") })
        }
    }

    @Test func `the newest picture is not written twice`() async throws {
        let repeating: @Sendable (Int) -> FakeDaemon.Reply = { Self.picture($0 == 2 ? 1 : $0) }
        try await running(repeating) { command, daemon in
            let outcome = try await command.shell("$T burst --count 2 --every 1ms --fresh latest -o %i.jpg")
            #expect(outcome.status == 0)
            #expect(try command.bytes("2.jpg") == [3])
            let asked = daemon.log.requests.map(\.target).filter { $0.contains("still.jpg") }
            #expect(asked.count == 3 && asked.last?.contains("fresh=next") == true)
            // With --keep, the previous frame is not requested again: the second request is for the next frame.
            let kept = try await command.shell("$T burst --count 2 --every 1ms --max-age 1s --keep -o %i.jpg")
            #expect(kept.status == 0)
            let stored = daemon.log.requests.map(\.target).filter { $0.contains("keep=true") }
            #expect(stored.map { $0.contains("fresh=next") } == [false, true])
        }
    }

    @Test func `frames of a span are stored and fetched from the spool`() async throws {
        try await running { command, daemon in
            let outcome = try await command.run("burst", "--from", "-1s", "-o", "s-%i.jpg", "--json")
            #expect(outcome.status == 0, "\(outcome.errors)")
            for number in 1...3 { #expect(try command.bytes("s-\(number).jpg") == [UInt8(number)]) }
            let stills = try #require(try outcome.object["stills"] as? [[String: Any]])
            #expect(stills.compactMap { $0["path"] as? String } == (1...3).map { "/spool/\($0).jpg" })
            #expect(stills.compactMap { $0["file"] as? String } == (1...3).map { "s-\($0).jpg" })
            #expect(daemon.log.requests.contains { String(decoding: $0.body, as: UTF8.self).contains("\"keep\":true") })
        }
    }

    @Test func `stdout gets only the pictures, by any path to it`() async throws {
        try await running { command, _ in
            let link = try await command.shell("ln -s /proc/self/fd/1 out; $T burst --count 3 -o out | cat")
            #expect(link.output == [1, 2, 3], "\(link.errors)")
            let json = try await command.shell("$T burst --count 3 -o out --json | cat")
            #expect(json.output == [4, 5, 6], "\(json.errors)")
            let outcome = try await command.run("burst", "--count", "3", "-o", "-", "--json")
            #expect(outcome.output == [7, 8, 9])
        }
    }

    @Test func `the reader of a named pipe gets all pictures`() async throws {
        try await running { command, _ in
            let outcome = try await command.shell(
                """
                mkfifo p; cat p > got &
                $T burst --count 3 -o p > paths; status=$?
                [ $status = 0 ] || kill $!
                wait; cat got; exit $status
                """
            )
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.output == [1, 2, 3])
        }
    }

    @Test func `a burst with missed stills prints the others and fails`() async throws {
        let list = StillList(
            stills: [Self.record(1, path: "/spool/1.jpg")],
            missed: [MissedStill(index: 1, Self.late), MissedStill(index: 2, Sample.problem)]
        )
        try await running(stills: list) { command, _ in
            let outcome = try await command.run("burst", "--count", "3")
            #expect(outcome.status == ProblemCode.deadlineExceeded.exitStatus)
            #expect(outcome.text == "/spool/1.jpg\n")
            let told = "tintype: 2 of 3 pictures are missing; of number 2: The camera gave no picture.\n"
            #expect(outcome.errors.hasPrefix(told))
            let json = try await command.run("burst", "--count", "3", "--json")
            #expect(try json.read(StillList.self) == list)
            #expect(try json.problem.code == .deadlineExceeded)
        }
    }

    @Test(arguments: [1, 2])
    func `a burst at an interval continues after a missed picture`(_ missing: Int) async throws {
        let answer: @Sendable (Int) -> FakeDaemon.Reply = { $0 == missing ? .problem(Self.late) : Self.picture($0) }
        try await running(answer) { command, daemon in
            let outcome = try await command.run("burst", "--count", "3", "--every", "1ms", "-o", "%i.jpg")
            #expect(outcome.status == ProblemCode.deadlineExceeded.exitStatus)
            #expect(outcome.text == "1.jpg\n2.jpg\n")
            #expect(try command.bytes("2.jpg") == [3])
            #expect(outcome.errors.hasPrefix("tintype: Picture \(missing) is missing. The camera gave no picture."))
            #expect(outcome.errors.contains("1 of 3 pictures is missing; of number \(missing):"), "\(outcome.errors)")
        }
    }

    @Test(arguments: [(2, "1.jpg\n"), (1, "")])
    func `a burst of consecutive frames ends at the first missed picture`(_ from: Int, _ there: String) async throws {
        let answer: @Sendable (Int) -> FakeDaemon.Reply = { $0 >= from ? .problem(Self.late) : Self.picture($0) }
        try await running(answer) { command, daemon in
            let outcome = try await command.run("burst", "--count", "3", "-o", "%i.jpg")
            #expect(outcome.status == ProblemCode.deadlineExceeded.exitStatus)
            #expect(outcome.text == there)
            let told = from == 1 ? "" : "2 of 3 pictures are missing; of number 2: "
            #expect(outcome.errors.hasPrefix("tintype: \(told)The camera gave no picture.\n"), "\(outcome.errors)")
            #expect(daemon.log.requests.count { $0.target.contains("still.jpg") } == from)
        }
    }

    @Test func `a burst ends at a permanent problem or a broken connection`() async throws {
        let denied = Problem(.accessDenied, "You may not.", remedy: "Ask for it.")
        let refusal: @Sendable (Int) -> FakeDaemon.Reply = { _ in .problem(denied) }
        try await running(refusal) { command, daemon in
            let outcome = try await command.run("burst", "--count", "3", "--every", "1ms", "-o", "%i.jpg")
            #expect(outcome.status == ProblemCode.accessDenied.exitStatus)
            #expect(outcome.errors.hasPrefix("tintype: You may not.\n"))
            #expect(daemon.log.requests.count { $0.target.contains("still.jpg") } == 1)
        }
        let broken: @Sendable (Int) -> FakeDaemon.Reply = { $0 == 2 ? .bytes("") : Self.picture($0) }
        try await running(broken) { command, _ in
            let outcome = try await command.run("burst", "--count", "3", "-o", "%i.jpg")
            #expect(outcome.status == 2)
            #expect(outcome.text == "1.jpg\n")
        }
    }

    @Test func `a name without a counter is refused before any request`() async throws {
        try await running { command, daemon in
            let outcome = try await command.run("burst", "--count", "2", "-o", "a.jpg")
            #expect(outcome.status == 64)
            #expect(outcome.errors.contains("%i"))
            let folder = try await command.run("burst", "--count", "2", "-o", "no/%i.jpg")
            #expect(folder.status == 74)
            #expect(daemon.log.requests.isEmpty)
        }
    }

    @Test func `a still accepts a name pattern and prints the name`() async throws {
        try await running { command, daemon in
            let outcome = try await command.run("still", "-o", "door-%Y%m%d-%H%M%S-%03i.jpg")
            #expect(outcome.text == "door-20231114-221321-001.jpg\n")
            #expect(try command.bytes("door-20231114-221321-001.jpg") == [1])
            let record = try await command.run("still", "-o", "a.jpg", "--json").object
            #expect(record["file"] as? String == "a.jpg" && record["width"] as? Int == 1280)
        }
    }

    @Test(arguments: ["", "--every 1ms"])
    func `each path is printed when its picture is complete`(_ every: String) async throws {
        let told = try FakeDaemon.Reply.lines(
            StillList(stills: [Self.record(1, path: "/spool/1.jpg")]),
            StillList(stills: [Self.record(2, path: "/spool/2.jpg")])
        )
        // The third picture never comes: paths printed by then were printed before the end.
        let arrived = RequestLog()
        let answer: @Sendable (FakeDaemon.Request) -> FakeDaemon.Reply = { request in
            guard request.target.hasSuffix("/stills") else { return .json(CameraList(cameras: [Sample.camera])) }
            if every.isEmpty { return told }
            arrived.connect()
            let number = arrived.connections
            guard number < 3 else { return .silence }
            return .json(StillList(stills: [Self.record(number, path: "/spool/\(number).jpg")]), status: 201)
        }
        try await BuiltCommand.asking(answer) { command, daemon in
            let script = """
                : > paths
                env --default-signal=INT $T burst front --count 9 \(every) > paths & pid=$!
                while kill -0 $pid && [ "$(wc -l < paths)" != 2 ]; do sleep 0.05; done
                kill -INT $pid; wait $pid
                """
            let outcome = try await command.shell(script)
            #expect(outcome.status == 130)
            let start = "tintype: Interrupted after 2 pictures. To list all that are stored: tintype frames list "
            let hint = "\(start)--where 'camera:front, source:request, from:2"
            #expect(outcome.errors.hasPrefix(hint), "\(outcome.errors)")
            #expect(String(decoding: try command.bytes("paths"), as: UTF8.self) == "/spool/1.jpg\n/spool/2.jpg\n")
        }
    }

    @Test(arguments: ["--count 9 --max-age 1h", "--count 9 --every 1s --at -1h", "--from -1h"])
    func `the hint after an interruption finds past frames on the same socket`(_ options: String) async throws {
        try await FakeDaemon.serving(always: .silence) { daemon in
            let command = BuiltCommand(folder: daemon.folder, socket: "/nowhere/s.sock")
            let before = Timestamp.now()
            let outcome = try await command.interrupting(
                "exec $T burst front \(options) --socket s.sock",
                by: SIGTERM,
                asking: daemon
            )
            #expect(outcome.status == 143)
            let match = try #require(outcome.errors.firstMatch(of: /from:([^']+)' --socket 's\.sock'\n/), "\(outcome)")
            let from = try #require(Timestamp(String(match.1)))
            #expect(before - from <= .seconds(3600) && Timestamp.now() - from >= .seconds(3600))
        }
    }

    @Test func `a cold camera is held open during a burst at short intervals`() async throws {
        var cold = Sample.camera
        cold.warmth = .cold
        let camera = cold
        let answer: @Sendable (FakeDaemon.Request) -> FakeDaemon.Reply = { request in
            switch request.target {
            case "/v1/cameras/front": .json(camera)
            case "/v1/cameras/front/hold": .json(Sample.hold)
            case "/v1/cameras/front/release": .json(HoldList(holds: []))
            default: .json(StillList(stills: [Self.record(1, path: "/spool/1.jpg")]), status: 201)
            }
        }
        try await BuiltCommand.asking(answer) { command, daemon in
            #expect(try await command.run("burst", "front", "--count", "2", "--every", "1ms").status == 0)
            let verbs = daemon.log.requests.map { $0.target.split(separator: "/").last ?? "" }
            #expect(verbs == ["front", "hold", "stills", "stills", "release"])
            let far = try await command.run("burst", "front", "--count", "1", "--every", "11s")
            #expect(far.status == 0 && daemon.log.requests.last?.target.hasSuffix("/stills") == true)
        }
    }

    @Test func `a terminal shows a progress bar and erases it`() async throws {
        try await running { command, _ in
            let text = try await command.terminal("$T burst --count 3 --every 250ms -o %i.jpg", columns: 40).text
            // 40 columns: 33 for the bar beside “1/3”, one free.
            let bar = String(repeating: "#", count: 11) + String(repeating: "-", count: 22)
            #expect(text.contains("\r[\(bar)] 1/3\u{1B}[K"))
            let last = try #require(text.split(separator: "\u{1B}[K", omittingEmptySubsequences: false).last)
            #expect(last == "3 pictures\r\n")
            for number in 1...3 { #expect(text.contains("\r\u{1B}[K\(number).jpg\r\n")) }
            let stored = try await command.terminal("$T burst --count 2 --every 1ms", columns: 40).text
            #expect(stored.hasSuffix("\r\u{1B}[K/spool/5.jpg\r\n\r\u{1B}[K2 pictures\r\n"), "\(stored)")
            let consecutive = try await command.terminal("$T burst --count 3", columns: 40).text
            #expect(consecutive.contains("] 0/3\u{1B}[K") && consecutive.contains("] 2/3\u{1B}[K"), "\(consecutive)")
            let full = "[\(String(repeating: "#", count: 33))] 3/3\u{1B}[K"
            let end = "\r\u{1B}[K/spool/3.jpg\r\n\r\(full)\r\u{1B}[K3 pictures\r\n"
            #expect(consecutive.hasSuffix(end), "\(consecutive)")
            let span = try await command.terminal("$T burst --to 1s", columns: 40).text
            #expect(span.contains("/spool/2.jpg\r\n\r2\u{1B}[K"), "\(span)")
        }
    }

    @Test func `a terminal gets at most ten progress bars per second`() async throws {
        try await running { command, _ in
            let start = ContinuousClock.now
            let text = try await command.terminal("$T burst --count 60 --every 1ms -o - > pictures", columns: 40).text
            let most = Int((ContinuousClock.now - start) / .milliseconds(100)) + 2
            let bars = text.ranges(of: "/60\u{1B}[K").count
            #expect((1...most).contains(bars), "\(bars) of at most \(most)")
        }
    }

    @Test func `no progress bar is shown for one picture, with --json or without a terminal`() async throws {
        try await running { command, _ in
            for line in ["$T burst --count 1 -o 1.jpg", "$T burst --count 2 -o %i.jpg --json"] {
                #expect(try await !command.terminal(line, columns: 40).text.contains("\u{1B}"))
            }
            let outcome = try await command.run("burst", "--count", "2", "-o", "%i.jpg")
            #expect(!outcome.errors.contains("\u{1B}"))
        }
    }
}
