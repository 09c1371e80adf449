// SPDX-License-Identifier: Apache-2.0
import Glibc
import NIOCore
import NIOPosix
import Testing
import TintypeSystem

@testable import TintypeAPI

struct EventLoopTaskExecutorTests {
    /// Raises a flag at the first byte.
    private final class FirstByte: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let hasCome: OnceFlag

        init(_ hasCome: OnceFlag) { self.hasCome = hasCome }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { hasCome.raise() }
    }

    @Test func `a socket is read while the tasks of other connections always have work`() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let hasCome = OnceFlag()
        var ends: [CInt] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        let channel = try await NIOPipeBootstrap(group: loop).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(FirstByte(hasCome)) }
        }.takingOwnershipOfDescriptor(input: ends[0]).get()
        let input = ends[1]
        await withTaskExecutorPreference(EventLoopTaskExecutor(EventLoopJobs(loop), of: "uid 7")) {
            _ = unsafe write(input, "x", 1)
            for _ in 0..<100_000 where !hasCome.isRaised {
                // Resumed by a task of the same loop, as by a request that is there already.
                await withCheckedContinuation { continuation in loop.execute { continuation.resume() } }
            }
        }
        #expect(hasCome.isRaised)
        close(input)
        try await channel.closeFuture.get()
        try await group.shutdownGracefully()
    }

    @Test func `jobs of a client run in the order of their arrival`() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let executor = EventLoopTaskExecutor(EventLoopJobs(loop), of: "uid 7")
        let order = NIOLoopBoundBox.makeBoxSendingValue([Int](), eventLoop: loop)
        let count = EventLoopJobs.longestRun * 3
        // One task of the loop starts them all, so that none runs before the last has arrived.
        let tasks = try await loop.submit {
            (0..<count).map { number in
                Task(executorPreference: executor) { order.value.append(number) }
            }
        }.get()
        for task in tasks { await task.value }
        #expect(try await loop.submit { order.value }.get() == Array(0..<count))
        try await group.shutdownGracefully()
    }

    @Test func `a job of a client passes the further jobs of another client`() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let jobs = EventLoopJobs(loop)
        let order = NIOLoopBoundBox.makeBoxSendingValue([String](), eventLoop: loop)
        let tasks = try await loop.submit {
            (Array(repeating: "uid 7", count: 100) + ["uid 8"]).map { client in
                Task(executorPreference: EventLoopTaskExecutor(jobs, of: client)) { order.value.append(client) }
            }
        }.get()
        for task in tasks { await task.value }
        #expect(try await loop.submit { order.value }.get().firstIndex(of: "uid 8") == 1)
        try await group.shutdownGracefully()
    }
}
