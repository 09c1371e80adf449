// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import tintype

extension Processes {
    @Suite struct BurstTests {
        @Test func `a burst stores the files of its reply whole and in order`() async throws {
            let requests = [
                #"{"count":10,"durability":"none"}"#, #"{"count":5,"everyMs":50}"#, #"{"toMs":3000,"nth":12}"#,
            ]
            try await Site.serving("MJPG:320x240@30") { site, _ in
                for body in requests {
                    let reply = try await site.post(body)
                    #expect(reply.status == 201, "\(body)")
                    let list = try WireFormat.decode(StillList.self, from: reply.body)
                    #expect(list.stills.count >= 2 && list.missed == nil, "\(body)")
                    let paths = try list.stills.map { try #require($0.path) }
                    #expect(Set(paths).count == paths.count, "\(body)")
                    let (sequences, times) = (list.stills.map(\.sequence), list.stills.map(\.capturedAt.microseconds))
                    #expect(zip(sequences, sequences.dropFirst()).allSatisfy { $0 < $1 }, "\(body)")
                    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "\(body)")
                    let clock = try list.stills.map { try #require($0.capturedMonotonicNs) }
                    #expect(zip(clock, clock.dropFirst()).allSatisfy { $0 < $1 }, "\(body)")
                    for path in paths {
                        try await site.expectWhole(path, body)
                    }
                }
            }
        }

        @Test func `an interrupted burst keeps its stored frames`() async throws {
            try await Site.serving("YUYV:320x240") { site, _ in
                let outcome = try await site.shell(
                    """
                    : > paths
                    env --default-signal=INT tintype burst --count 1000 --durability none > paths & pid=$!
                    while kill -0 $pid && [ "$(wc -l < paths)" -lt 5 ]; do sleep 0.05; done
                    kill -INT $pid; wait $pid
                    """
                )
                #expect(outcome.status == 130)
                #expect(outcome.errors.contains("tintype: Interrupted after"), "\(outcome.errors)")
                let paths = try String(contentsOfFile: "\(site.folder)/paths", encoding: .utf8).split(separator: "\n")
                #expect((5..<1000).contains(paths.count) && paths.sorted() == paths)
                for path in paths { #expect(FileManager.default.fileExists(atPath: String(path)), "\(path)") }
                // Including frames whose paths were not printed.
                for picture in try site.pictures where !picture.hasPrefix(".incoming") {
                    try await site.expectWhole("\(site.spool)/\(picture)", picture)
                }
            }
        }
    }
}
