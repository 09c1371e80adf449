// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing
import TintypeImaging
import TintypeModel
import TintypeSystem

@testable import TintypeCapture

extension SessionTests {
    struct FairEncodingTests {
        /// Frames that the encoder reads, and frames that need the converter of the stream.
        @Test(arguments: ["YUYV:256x64@100", "RGGB:320x180@100"])
        func `the picture of a client passes the further ones of another client`(_ pattern: String) async throws {
            let (gate, order) = (Gate(), Recorder<Int>())
            let rendering: EncodingThreads.Rendering = { (picture, options, codecs) throws(ImagingError) in
                order.add(options.quality)
                gate.wait()
                return try EncodingThreads.render(picture, options, &codecs)
            }
            try await Stage.run(pattern, warmth: .hot, rendering: rendering) { stage in
                @Sendable func take(quality: Int, as client: String) async throws {
                    let options = ImageOptions(quality: quality)
                    let request = StillRequest(fresh: .next, settle: .never, integrity: .raw, rendering: options)
                    _ = try await RequestClient.$current.withValue(client) { try await stage.stills.take(request) }
                }
                func ordered() -> Int { stage.session.dispatcher.encoding }
                try await withThrowingTaskGroup { group in
                    for quality in 1...20 {
                        group.addTask { try await take(quality: quality, as: "uid 7") }
                    }
                    #expect(await TestClock().reaches { ordered() == 20 })
                    #expect(await TestClock().reaches { !order.values.isEmpty })
                    group.addTask { try await take(quality: 99, as: "uid 8") }
                    #expect(await TestClock().reaches { ordered() == 21 })
                    gate.open()
                    try await group.waitForAll()
                }
            }
            // Two are being encoded, and one is the first of the other client.
            let place = try #require(order.values.firstIndex(of: 99))
            #expect(place <= 3, "\(order.values)")
        }
    }
}
