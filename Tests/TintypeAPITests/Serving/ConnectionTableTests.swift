// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOEmbedded
import NIOHTTP1
import TestSupport
import Testing
import TintypeSystem

@testable import TintypeAPI

/// Limits of connections, on a clock that the test advances.
struct ConnectionTableTests {
    private let lines = MessageLog()

    private func table(_ limits: ServerLimits) -> ConnectionTable {
        ConnectionTable(limits: limits, clock: .system, logger: lines.logger)
    }

    private static func user(_ user: UInt32) -> Peer { .process(1, user: user, groups: []) }

    /// Adds connections of a user and returns each with its refusal, if any.
    private func add(
        _ count: Int,
        of user: UInt32,
        to table: ConnectionTable
    ) -> [(channel: EmbeddedChannel, refusal: RefusalHandler?)] {
        (0..<count).map { _ in
            let channel = EmbeddedChannel()
            return (channel, table.add(channel, of: Self.user(user)))
        }
    }

    @Test func `connections are limited per peer and in total`() throws {
        let table = table(ServerLimits(connections: 5, connectionsOfOnePeer: 3))
        let first = add(4, of: 1, to: table)
        #expect(first.map { $0.refusal == nil } == [true, true, true, false])
        #expect(add(3, of: 2, to: table).map { $0.refusal == nil } == [true, true, false])
        // A refused connection frees no slot.
        _ = try first[3].channel.finish()
        #expect(add(1, of: 1, to: table)[0].refusal != nil)
        _ = try first[0].channel.finish()
        #expect(add(2, of: 1, to: table).map { $0.refusal == nil } == [true, false])
    }

    @Test(arguments: [1 << 20, 120], [Peer.process(1, user: 1, groups: []), .address("192.0.2.1")])
    func `a peer at its limit leaves connections for every other peer`(_ openFiles: Int, _ peer: Peer) {
        let limits = ServerLimits.within(openFiles: openFiles)
        let table = table(limits)
        let served = (0..<limits.connections * 2).count { _ in table.add(EmbeddedChannel(), of: peer) == nil }
        #expect(served == limits.connectionsOfOnePeer && served < limits.connections)
        // Another process of the same user is the same peer.
        if peer == Self.user(1) {
            #expect(table.add(EmbeddedChannel(), of: .process(2, user: 1, groups: [4])) != nil)
        }
        for other in [Self.user(2), .address("192.0.2.2")] {
            #expect(table.add(EmbeddedChannel(), of: other) == nil)
        }
    }

    @Test func `refusals are logged once until half of the connections close`() throws {
        let table = table(ServerLimits(connectionsOfOnePeer: 4))
        let served = add(4, of: 1, to: table)
        _ = add(9, of: 1, to: table)
        #expect(
            lines.lines.map(\.text) == [
                "A connection was refused: The client with uid 1 has 4 connections already, which is the limit."
            ]
        )
        _ = try served[0].channel.finish()
        _ = add(5, of: 1, to: table)
        #expect(lines.lines.count == 1)
        for (channel, _) in served[1...2] { _ = try channel.finish() }
        _ = add(9, of: 1, to: table)
        #expect(lines.lines.count == 2)
    }

    @Test(arguments: [(2048, 64), (80, 10)])
    func `a refused client has one second to send its request, within a limit of refusals`(
        _ connections: Int,
        _ others: Int
    ) throws {
        let table = table(ServerLimits(connections: connections, connectionsOfOnePeer: 1))
        let refused = try add(others + 3, of: 1, to: table).dropFirst().map { channel, refusal in
            let handlers: [any ChannelHandler] = [HTTPResponseEncoder(), try #require(refusal)]
            try channel.pipeline.syncOperations.addHandlers(handlers)
            try channel.connect(to: SocketAddress(unixDomainSocketPath: "/socket")).wait()
            channel.embeddedEventLoop.run()
            return channel
        }
        func isAnswered(_ channel: EmbeddedChannel) throws -> Bool { try channel.readOutbound(as: IOData.self) != nil }
        #expect(try refused.map(isAnswered) == Array(repeating: false, count: others) + [true, true])
        try refused[0].writeInbound(ByteBuffer(string: "GET"))
        #expect(try isAnswered(refused[0]))
        refused[1].embeddedEventLoop.advanceTime(by: .milliseconds(999))
        #expect(try !isAnswered(refused[1]))
        refused[1].embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(try isAnswered(refused[1]))
    }

    @Test func `a connection accepted after the stop of the server is closed`() throws {
        let table = table(ServerLimits())
        table.quiesce()
        let channel = EmbeddedChannel()
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/socket")).wait()
        #expect(table.add(channel, of: Self.user(1)) == nil && !channel.isActive)
    }
}
