// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import NIOHTTP1
internal import Synchronization
internal import Testing

@testable internal import TintypeModel

/// A daemon with a batch for a film or clip, which takes its file.
final class VideoDaemon: Sendable {
    private struct State {
        var hasBegun = false
        var reports: [WorkReport] = []
        var report: WorkReport?
        var video: [UInt8] = []
        var parts: [Int] = []
        /// Methods of requests that are refused once.
        var refused: Set<String> = []
    }

    let order: VideoOrder
    /// Pages of two pictures.
    let frames: [FrameRecord]
    private let file: @Sendable (FrameID) throws -> FakeDaemon.Reply
    private let recording: [UInt8]
    private let orders: FakeDaemon.Reply
    private let state = Mutex(State())

    /// `orders` are further orders of the daemon, besides the batch.
    init(
        _ order: VideoOrder,
        frames: [FrameRecord] = [],
        recording: [UInt8] = [],
        orders: AsyncStream<String>? = nil,
        file: @escaping @Sendable (FrameID) throws -> FakeDaemon.Reply = { _ in .silence }
    ) throws {
        (self.order, self.frames, self.recording, self.file) = (order, frames, recording, file)
        self.orders = try orders.map { .stream($0) } ?? .lines(Self.begin(order))
    }

    static func begin(_ video: VideoOrder) -> WorkOrder {
        var order = WorkOrder(.begin, batch: "b1")
        (order.job, order.video) = ("k3v9qa2m", video)
        return order
    }

    /// Record of a picture that was captured `seconds` after the first.
    static func frame(_ seconds: Double, _ width: Int = 320, _ height: Int = 240) -> FrameRecord {
        let time = Timestamp(microseconds: 1_767_225_600_000_000 + Int64(seconds * 1_000_000))
        var frame = Sample.frame
        frame.still.id = FrameID(high: UInt64(time.microseconds / 1000) << 16 | 0x7000, low: 0x8000_0000_0000_0000)
        (frame.still.capturedAt, frame.still.width, frame.still.height) = (time, width, height)
        return frame
    }

    var reports: [WorkReport] { state.withLock(\.reports) }
    /// The report of the end that was not refused.
    var report: WorkReport? { state.withLock(\.report) }
    var video: [UInt8] { state.withLock(\.video) }
    /// Sizes of the parts of the file.
    var parts: [Int] { state.withLock(\.parts) }

    /// Refuses the next part of the file, or the next report of the end, for these methods.
    func refuse(_ methods: Set<String>) { state.withLock { $0.refused = methods } }

    func answer(_ request: FakeDaemon.Request) throws -> FakeDaemon.Reply {
        let full = Problem(.spoolFull, "The disk is full.", remedy: "Delete something.")
        let target = try #require(URLComponents(string: request.target))
        let value = target.queryItems?.first?.value ?? ""
        switch (request.method, target.path) {
        case ("POST", "/v1/work"):
            let isFirst = state.withLock { state in
                defer { state.hasBegun = true }
                return !state.hasBegun
            }
            return isFirst ? orders : .silence
        case ("POST", "/v1/work/b1"):
            let report = try WireFormat.decode(WorkReport.self, from: request.body)
            try state.withLock { state in
                state.reports.append(report)
                guard report.isOver else { return }
                if state.refused.remove("POST") != nil { throw full }
                state.report = state.report ?? report
            }
            return .http(204, [:], [])
        case ("GET", "/v1/work/b1/pictures"):
            let last = FrameCursor(value)?.last
            let rest = frames.dropFirst((frames.firstIndex { $0.id == last } ?? -1) + 1)
            let page = Array(rest.prefix(2))
            let next = rest.count > 2 ? page.last.map { FrameCursor(.oldest, after: $0.id) } : nil
            return .json(FramePage(frames: page, next: next))
        case ("GET", "/v1/work/b1/recording"): return .range(of: recording, request)
        case ("PUT", "/v1/work/b1/video"):
            let offset = try #require(Int(value))
            try state.withLock { state in
                if state.refused.remove("PUT") != nil { throw full }
                if offset == 0 { state.video = [] }
                try #require(offset == state.video.count)
                state.video += request.body
                state.parts.append(request.body.count)
            }
            return .http(204, [:], [])
        default:
            return try file(try #require(FrameID(String(target.path.split(separator: "/").last ?? ""))))
        }
    }
}

extension FakeDaemon.Reply {
    /// Range of `file` that the request asks for.
    static func range(of file: [UInt8], _ request: FakeDaemon.Request) -> Self {
        let field = request.headers.first(name: "Range")?.wholeMatch(of: /bytes=([0-9]+)-([0-9]+)/)
        guard let field, let first = Int(field.1), let last = Int(field.2), first < file.count else {
            return .http(200, [:], file)
        }
        let end = min(last + 1, file.count)
        return .http(206, ["Content-Range": "bytes \(first)-\(end - 1)/\(file.count)"], Array(file[first..<end]))
    }
}

extension BuiltCommand {
    /// A picture that ffmpeg makes.
    static func jpeg(_ width: Int = 320, _ height: Int = 240) async throws -> [UInt8] {
        let source = "testsrc=size=\(width)x\(height):rate=1"
        let outcome = try await alone.shell("ffmpeg -v error -f lavfi -i \(source) -frames:v 1 -f mjpeg -")
        try #require(outcome.status == 0, "\(outcome.errors)")
        return outcome.output
    }

    /// Runs the worker until it is ended, with `script` as the only program in PATH, named ffmpeg; nil for the real one.
    func makeVideos(_ script: String?, name: String = "ffmpeg") async throws -> Outcome {
        let path = script == nil ? "$PATH" : "$PWD/bin"
        return try await shell(
            """
            mkdir -p bin
            cat > bin/\(name) << 'END'
            #!/bin/bash
            PATH=/usr/bin:/bin
            \(script ?? "")
            END
            chmod +x bin/\(name); echo $$ > pid
            PATH="\(path)" exec "$T" work --cache cache
            """
        )
    }

    /// Times of the packets of the file `video`, and its other entries of ffprobe(1), such as `stream=width`.
    func probe(_ video: [UInt8], _ entries: String) async throws -> [String] {
        try Data(video).write(to: URL(filePath: "\(folder)/video"))
        let outcome = try await shell("ffprobe -v error -show_entries \(entries) -of csv=p=0 video")
        try #require(outcome.status == 0, "\(outcome.errors)")
        return outcome.text.split(separator: "\n").map { $0.trimmingCharacters(in: [","]) }
    }
}
