// SPDX-License-Identifier: Apache-2.0
import Glibc
import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import TestSupport
import Testing

@testable import TintypeAPI

/// How long a listening socket pauses that accept(2) has failed on, by a clock that only a test moves.
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

        /// Whether SwiftNIO polls it for connections by itself.
        var isPolled: Bool {
            channel.options.last { $0.option is ChannelOptions.Types.AutoReadOption }.map { $0.value as? Bool } != false
        }

        func fail() { channel.pipeline.fireErrorCaught(IOError(errnoCode: EMFILE, reason: "accept")) }
    }

    @Test func `the pause ends after a second, each time that accept fails`() throws {
        let socket = try ListeningSocket()
        for _ in 0..<3 {
            socket.fail()
            socket.channel.embeddedEventLoop.advanceTime(by: .milliseconds(999))
            #expect(!socket.isPolled)
            socket.channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
            #expect(socket.isPolled)
        }
    }

    @Test func `the log has one warning at the first failure, and one notice when accept has not failed for a second`()
        throws
    {
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

    @Test func `nothing is read during the pause, also where it is asked for`() throws {
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

    @Test func `an error that is not accept's goes on to what closes the socket`() throws {
        let socket = try ListeningSocket()
        socket.channel.pipeline.fireErrorCaught(ChannelError.inputClosed)
        #expect(throws: ChannelError.inputClosed) { try socket.channel.throwIfErrorCaught() }
        #expect(socket.isPolled)
    }

    @Test func `the sockets of a server pause so`() async throws {
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
