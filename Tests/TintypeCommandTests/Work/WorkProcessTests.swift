// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import TintypeModel
@testable internal import tintype

/// `tintype work` as a process, with a script in place of rclone or curl.
struct WorkProcessTests {
    /// Runs the worker with `script` as rclone and curl, and `body` beside it; ends it by SIGTERM after the batch.
    private func work(
        _ daemon: WorkDaemon,
        _ script: String,
        _ body: (BuiltCommand) async throws -> Void = { _ in }
    ) async throws -> BuiltCommand.Outcome {
        var result: BuiltCommand.Outcome?
        try await BuiltCommand.asking(daemon.answer) { command, _ in
            async let outcome = command.work(script)
            try await body(command)
            try await eventually("end of the batch") { daemon.report != nil }
            kill(try command.process(), SIGTERM)
            result = try await outcome
            let cache = "\(command.folder)/cache"
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(cache)/.tintype-batches") == [])
            #expect(FileManager.default.fileExists(atPath: "\(cache)/batches/of-others"), "It is not the worker's.")
        }
        return try #require(result)
    }

    private static let log = """
        say() { echo '{"level":"'"$1"'","msg":"'"$2"'","object":"'"$3"'"}' >&2; }
        names() { (cd "$1" && find . -name '*.jpg' -printf '%P\\n' | sort); }
        case "$1" in
        backend) echo '{"Features": {"Move": '$MOVE', "BucketBased": false}}'; exit;;
        """

    @Test func `pictures are copied at their time of capture, with records, and reported`() async throws {
        var upload = UploadOptions(to: "s3:bucket/{camera}/{path}")
        upload.record = true
        let daemon = try WorkDaemon(upload)
        let outcome = try await work(
            daemon,
            """
            MOVE=false
            \(Self.log)
            copy) (cd "$2"; find . -type f -printf '%P %T@ %s\\n' | sort > ../../../../files)
            for name in $(names "$2"); do say info "Copied (new)" $name; done;;
            esac
            """
        ) { command in
            try await eventually("end of the batch") { daemon.report != nil }
            let files = try command.text("files").split(separator: "\n")
            #expect(files.count == 6)
            #expect(files[0].hasPrefix("front/0.jpg 1767225600.0000000000 4"), "\(files[0])")
            #expect(files.contains { $0.hasPrefix("front/2.json 1767225602.") })
            let log = try command.text("log").split(separator: "\n")
            #expect(log.map { $0.prefix { $0 != " " } } == ["backend", "copy"])
            #expect(log[1].contains(" s3:bucket --no-traverse "))
            #expect(log[1].contains(" --config /c/rclone.conf "))
        }
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(daemon.sum.done.sorted() == daemon.pictures.map(\.id))
        #expect(daemon.sum.error == nil)
    }

    @Test func `a picture is done only once its file was moved`() async throws {
        let daemon = try WorkDaemon(UploadOptions(to: "nas:a/{camera}/{path}"))
        let outcome = try await work(
            daemon,
            """
            MOVE=true
            \(Self.log)
            sync) for name in $(names "$2"); do say info "Copied (new)" $name; done;;
            move) env | grep RCLONE_CONFIG > environment; cp "$5" list; say info "Moved (server-side)" front/1.jpg
            echo '2026/11/30 21:32:28 Failed to move: connection lost' >&2; exit 1;;
            esac
            """
        ) { command in
            try await eventually("end of the batch") { daemon.report != nil }
            let worker = try command.text("cache/.tintype-id")
            #expect(try command.text("log").contains(" nas:a/.tintype-partial/\(worker)-k3v9qa2m "))
            let list = try command.text("list")
            #expect(list == "front/0.jpg\nfront/1.jpg\nfront/2.jpg\n")
            let environment = try command.text("environment")
            #expect(environment.contains(#"UPSTREAMS="temporary=nas:a/.tintype-partial" "final=nas:a""#))
        }
        #expect(outcome.status == 0)
        #expect(daemon.sum.done == [daemon.pictures[1].id])
        #expect(daemon.sum.failures == [])
    }

    @Test func `a file that was moved without a line in the log is done only if the target has it`() async throws {
        let daemon = try WorkDaemon(UploadOptions(to: "nas:a/{camera}/{path}"))
        _ = try await work(
            daemon,
            """
            MOVE=true
            \(Self.log)
            sync) for name in $(names "$2"); do say info "Copied (new)" $name; done;;
            move) say info "Moved (server-side)" front/0.jpg;;
            lsf) echo front/1.jpg;;
            esac
            """
        )
        #expect(daemon.sum.done == daemon.pictures.prefix(2).map(\.id))
        #expect(daemon.sum.error?.contains("are not there") == true)
    }

    @Test func `a last report that is lost is sent again`() async throws {
        let daemon = try WorkDaemon(UploadOptions(to: "https://127.0.0.1/{id}"), lost: 2)
        _ = try await work(daemon, "echo 201")
        #expect(daemon.sum.done == daemon.pictures.map(\.id))
        #expect(daemon.sum.isOver)
    }

    @Test func `settings of rclone in the environment have no effect, but for its configuration`() async throws {
        let daemon = try WorkDaemon(UploadOptions(to: "s3:bucket/{camera}/{path}"))
        _ = try await work(daemon, "MOVE=false\n\(Self.log)\ncopy) env | grep ^RCLONE_ | sort > environment;;\nesac") {
            command in
            try await eventually("end of the batch") { daemon.report != nil }
            let names = try command.text("environment").split(separator: "\n").map { $0.prefix { $0 != "=" } }
            #expect(
                names == [
                    "RCLONE_CONFIG_PASS", "RCLONE_CONFIG_TINTYPEMOVE_TYPE", "RCLONE_CONFIG_TINTYPEMOVE_UPSTREAMS",
                ]
            )
        }
    }

    @Test func `a picture that fails between others is reported, and the rest is uploaded`() async throws {
        let daemon = try WorkDaemon(UploadOptions(to: "s3:bucket/{camera}/{path}"))
        _ = try await work(
            daemon,
            """
            MOVE=false
            \(Self.log)
            copy) say info "Copied (new)" front/0.jpg; say error "Failed to copy: too large" front/1.jpg
            say info "Copied (new)" front/2.jpg; exit 1;;
            esac
            """
        )
        #expect(daemon.sum.done == [daemon.pictures[0].id, daemon.pictures[2].id])
        #expect(daemon.sum.failures.map(\.id) == [daemon.pictures[1].id])
        #expect(daemon.sum.failures.first?.error == "rclone: Failed to copy: too large")
        #expect(daemon.sum.failures.first?.isFinal == false)
        #expect(daemon.sum.error == nil)
    }

    @Test func `large pictures get a process each`() async throws {
        let daemon = try WorkDaemon(UploadOptions(to: "s3:bucket/{camera}/{path}"), bytes: Batch.share)
        _ = try await work(daemon, "MOVE=false\n\(Self.log)\nesac") { command in
            try await eventually("end of the batch") { daemon.report != nil }
            let log = try command.text("log").split(separator: "\n")
            #expect(log.map { $0.prefix { $0 != " " } } == ["backend", "copy", "copy", "copy"])
        }
        #expect(daemon.sum.done == daemon.pictures.map(\.id))
    }

    @Test func `rclone is ended after two failures in a row`() async throws {
        let daemon = try WorkDaemon(UploadOptions(to: "s3:bucket/{camera}/{path}"))
        _ = try await work(
            daemon,
            """
            MOVE=false
            \(Self.log)
            copy) say error "Failed to copy: away" front/0.jpg
            say error "Failed to copy: away" front/1.jpg; sleep 600;;
            esac
            """
        )
        #expect(daemon.sum.done == [])
        #expect(daemon.sum.failures.map(\.id) == daemon.pictures.prefix(2).map(\.id))
        #expect(daemon.sum.error == "rclone: Failed to copy: away")
        #expect(!daemon.sum.isFatal)
    }

    @Test func `an error of the configuration is fatal`() async throws {
        let daemon = try WorkDaemon(UploadOptions(to: "nope:{camera}/{path}"))
        _ = try await work(
            daemon,
            "echo \"2026/11/30 21:32:28 Failed: didn't find section in config file\" >&2; exit 1"
        )
        #expect(daemon.sum.isFatal)
        #expect(daemon.sum.error?.hasPrefix("The remote nope: is not in /c/rclone.conf.") == true)
    }

    @Test func `a deleted picture is refused, and the others are uploaded`() async throws {
        let gone = Problem(.frameNotFound, "The frame is not stored.", remedy: "See tintype frames list.")
        let daemon = try WorkDaemon(UploadOptions(to: "https://127.0.0.1/{id}")) { _ in .problem(gone) }
        _ = try await work(daemon, "echo 201")
        #expect(daemon.sum.failures.map(\.id) == daemon.pictures.map(\.id))
        #expect(daemon.sum.failures.allSatisfy { $0.isFinal && $0.error == "The frame is not stored." })
    }

    @Test func `a film for an address without a name is refused for good, and not fetched`() async throws {
        let daemon = try WorkDaemon(UploadOptions(to: "https://127.0.0.1/up/"), ending: "mp4")
        _ = try await work(daemon, "echo 201")
        #expect(daemon.sum.failures.map(\.id) == daemon.pictures.map(\.id))
        let sentence = "Give the target a name, such as …/{id}.mp4."
        #expect(daemon.sum.failures.allSatisfy { $0.isFinal && $0.error == sentence } && daemon.ranges.isEmpty)
    }

    @Test func `curl gets the address on its standard input`() async throws {
        let daemon = try WorkDaemon(UploadOptions(to: "https://127.0.0.1/{id}?key=secret"))
        _ = try await work(
            daemon,
            "cat > input; cat \"$(sed -n 's/^data-binary = \"@\\(.*\\)\"/\\1/p' input)\" > sent; echo 201"
        ) {
            command in
            try await eventually("end of the batch") { daemon.report != nil }
            let log = try command.text("log")
            #expect(log.split(separator: "\n") == Array(repeating: "--disable --config - ", count: 3))
            #expect(try command.text("input").contains("?key=secret"))
            #expect(try command.bytes("sent") == Array("JPEG".utf8))
        }
        #expect(daemon.sum.done == daemon.pictures.map(\.id))
    }

    @Test func `a film is uploaded in parts of 8 MiB, with its record beside it`() async throws {
        let film = (0..<9).flatMap { [UInt8](repeating: $0, count: 1 << 20) }
        var upload = UploadOptions(to: "s3:bucket/{camera}/{path}")
        upload.record = true
        let daemon = try WorkDaemon(upload, ending: "mp4") { .range(of: film, $0) }
        let script = """
            MOVE=false
            \(Self.log)
            copy) (cd "$2"; find . -type f -printf '%P\n' | sort > ../../../../files; cp front/1.mp4 ../../../../film)
            for name in front/{0,1,2}.{mp4,json}; do say info "Copied (new)" $name; done;;
            esac
            """
        _ = try await work(daemon, script) { command in
            try await eventually("end of the batch") { daemon.report != nil }
            #expect(try command.text("files").split(separator: "\n").prefix(2) == ["front/0.json", "front/0.mp4"])
            #expect(try command.bytes("film") == film)
        }
        #expect(daemon.sum.done == daemon.pictures.map(\.id))
        #expect(daemon.ranges.prefix(2) == ["bytes=0-8388607", "bytes=8388608-16777215"])
    }

    @Test(arguments: [SIGTERM, SIGKILL])
    func `the program of a batch ends with the worker, and all its processes`(signal: CInt) async throws {
        let daemon = try WorkDaemon(UploadOptions(to: "s3:bucket/{camera}/{path}"))
        let script = """
            MOVE=false
            \(Self.log)
            copy) trap '' TERM; echo $$ > child.new; mv child.new child; while :; do sleep 1; done;;
            esac
            """
        try await BuiltCommand.asking(daemon.answer) { command, _ in
            async let outcome = command.work(script)
            let child = try await eventually("start of rclone") { try? command.process("child") }
            kill(try command.process(), signal)
            let status = try await outcome
            #expect(signal == SIGKILL ? status.isSignalled : status.status == 0)
            try await eventually("end of rclone") { kill(child, 0) != 0 }
            guard signal == SIGTERM else { return }
            // The worker does not wait long for the reply.
            try await eventually("last report") { daemon.report != nil }
            #expect(daemon.report?.done == [])
        }
    }

    @Test func `an order to stop ends the program, and the next batch of the job begins`() async throws {
        let (orders, feed) = AsyncStream.makeStream(of: String.self)
        let over = Mutex<[String: WorkReport]>([:])
        let script = """
            case "$1 $2" in
            backend*) echo '{"Features": {"Move": false}}';;
            copy*/b1/*) sleep 600 & echo $! > child.new; mv child.new child; wait;;
            esac
            """
        let answer: @Sendable (FakeDaemon.Request) throws -> FakeDaemon.Reply = { request in
            if request.target == "/v1/work" { return .stream(orders) }
            guard request.method == "POST" else { return .http(200, [:], Array("JPEG".utf8)) }
            let report = try WireFormat.decode(WorkReport.self, from: request.body)
            if report.isOver { over.withLock { $0[String(request.target.suffix(2))] = report } }
            return .http(204, [:], [])
        }
        try await BuiltCommand.asking(answer) { command, _ in
            feed.yield(FakeDaemon.Reply.linesHead)
            async let outcome = command.work(script)
            feed.yield(try FakeDaemon.Reply.line(Self.begin("b1", 0)))
            let child = try await eventually("start of rclone") { try? command.process("child") }
            feed.yield(try FakeDaemon.Reply.line(WorkOrder(.stop, batch: "b1")))
            feed.yield(try FakeDaemon.Reply.line(Self.begin("b2", 1)))
            try await eventually("end of both batches") { over.withLock { $0.count } == 2 }
            try await eventually("end of its processes") { kill(child, 0) != 0 }
            kill(try command.process(), SIGTERM)
            let result = try await outcome
            #expect(result.status == 0, "\(result.errors)")
        }
        let reports = over.withLock { $0 }
        #expect(reports["b1"]?.done == [])
        #expect(reports["b2"]?.done == [Sample.picture(1).id])
    }

    private static func begin(_ batch: String, _ pictures: Int...) -> WorkOrder {
        var order = WorkOrder(.begin, batch: batch)
        (order.job, order.upload) = ("k3v9qa2m", UploadOptions(to: "s3:bucket/{camera}/{path}"))
        order.pictures = pictures.map(Sample.picture)
        return order
    }

    @Test func `the worker waits for a daemon, and for another worker, and says so once`() async throws {
        let other = Problem(.configurationConflict, "Another worker is connected.", remedy: "Stop it.")
        let asked = Mutex(0)
        let answer: @Sendable (FakeDaemon.Request) throws -> FakeDaemon.Reply = { _ in
            asked.withLock { $0 += 1 }
            throw other
        }
        try await BuiltCommand.asking(answer) { command, _ in
            async let outcome = command.shell("echo $$ > pid; exec $T work --cache cache")
            try await eventually("second question") { asked.withLock { $0 } >= 2 }
            kill(try command.process(), SIGTERM)
            let result = try await outcome
            #expect(result.status == 0)
            #expect(result.errors == "Another worker is connected. Waiting for it.\n")
        }
    }
}
