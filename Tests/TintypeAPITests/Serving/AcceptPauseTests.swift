// SPDX-License-Identifier: Apache-2.0
import Glibc
import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import TestSupport
import Testing

@testable import TintypeAPI

/// Pause of a listening socket after a failure of accept(2), on a clock that the test advances.
struct AcceptPauseTests {
    private final class ReadCounter: ChannelOutboundHandler {
        typealias OutboundIn = Never
        private(set) var count = 0

        func read(context: ChannelHandlerContext) { count += 1 }
    }

    /// A listening socket without a kernel.
    private struct ListeningSocket {
        let reads = ReadCounter()
        let channel = EmbeddedChannel()
        let log = MessageLog()

        init() throws {
            let pause = AcceptPauseHandler(logger: log.logger)
            try channel.pipeline.syncOperations.addHandlers([reads, pause])
            try channel.connect(to: SocketAddress(unixDomainSocketPath: "/socket")).wait()
        }

        /// True if SwiftNIO polls the socket for connections (`autoRead`).
        var isPolled: Bool {
            channel.options.last { $0.option is ChannelOptions.Types.AutoReadOption }.map { $0.value as? Bool } != false
        }

        func fail() { channel.pipeline.fireErrorCaught(IOError(errnoCode: EMFILE, reason: "accept")) }
    }

    @Test func `the pause ends one second after each failure of accept`() throws {
        let socket = try ListeningSocket()
        for _ in 0..<3 {
            socket.fail()
            socket.channel.embeddedEventLoop.advanceTime(by: .milliseconds(999))
            #expect(!socket.isPolled)
            socket.channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
            #expect(socket.isPolled)
        }
    }

    @Test func `repeated failures of accept log one warning and one final notice`() throws {
        let socket = try ListeningSocket()
        for _ in 0..<3 {
            socket.fail()
            socket.channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        }
        #expect(socket.log.lines.map(\.level) == [.warning, .debug, .debug])
        #expect(socket.log.lines.allSatisfy { $0.text.contains("accept(2)") })
        #expect(socket.log.warnings[0].contains("LimitNOFILE="))
        socket.channel.embeddedEventLoop.advanceTime(by: .milliseconds(999))
        #expect(socket.log.lines.count == 3)
        socket.channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(socket.log.lines.dropFirst(3).map(\.level) == [.notice])
        #expect(socket.log.lines.last?.text.contains("again") == true)
    }

    @Test func `nothing is read during the pause, even on request`() throws {
        let socket = try ListeningSocket()
        socket.channel.read()
        let before = socket.reads.count
        socket.fail()
        socket.channel.read()
        #expect(before > 0 && socket.reads.count == before)
        socket.channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        socket.channel.read()
        #expect(socket.reads.count == before + 1)
    }

    @Test func `an error other than accept's is passed on`() throws {
        let socket = try ListeningSocket()
        socket.channel.pipeline.fireErrorCaught(ChannelError.inputClosed)
        #expect(throws: ChannelError.inputClosed) { try socket.channel.throwIfErrorCaught() }
        #expect(socket.isPolled)
    }

    @Test func `each listening socket of a server has the pause handler`() async throws {
        try await withTemporaryFolder { folder in
            let (listening, feed) = AsyncStream.makeStream(of: Void.self)
            let server = ControlServer(
                listener: try ControlListener(path: folder + "/s"),
                services: .fakes(FakeCameras(), FakeFrames(), FakeEvents()),
                logger: .quiet,
                onListening: { feed.finish() }
            )
            let running = Task { try await server.run() }
            for await _ in listening {}
            let sockets = server.listening.withLock(\.self)
            #expect(sockets.count == 1)
            for socket in sockets { try await socket.pipeline.containsHandler(type: AcceptPauseHandler.self).get() }
            running.cancel()
            try await running.value
        }
    }
}
