// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

@testable import TintypeAPI

struct ConnectionLimitTests {
    @Test(arguments: [
        (ServerLimits(connections: 8, connectionsOfOnePeer: 3), "uid"),
        (ServerLimits(connections: 3, connectionsOfOnePeer: 8), "The daemon"),
    ])
    func `a connection over the limit gets 429 until another one closes`(limits: ServerLimits, holder: String)
        async throws
    {
        let lines = MessageLog()
        try await withServer(limits: limits.patient(), logger: lines.logger) { path, _ in
            var clients: [RawClient] = []
            for _ in 0..<3 {
                clients.append(try await RawClient(path))
                #expect(await clients.last?.get()?.status == 200)
            }
            for _ in 0..<2 {
                let refused = try await RawClient(path)
                let reply = try #require(await refused.get())
                #expect(reply.status == 429 && reply.headers["retry-after"] == "1")
                #expect(reply.headers["connection"] == "close")
                let problem = try reply.problem
                #expect(problem.code == .tooManyRequests && problem.detail.contains(holder), "\(problem)")
                #expect(problem.detail.contains("3 connections"), "\(problem)")
                #expect(await refused.rest() == [])
            }
            try await clients.removeLast().close()
            _ = try await RawClient.served(path)
            for client in clients {
                #expect(await client.get()?.status == 200, "one within the limit was harmed")
            }
        }
        var log = lines.stream.makeAsyncIterator()
        while let line = await log.next(isolation: #isolation), !line.contains("refused") {}
    }
}
