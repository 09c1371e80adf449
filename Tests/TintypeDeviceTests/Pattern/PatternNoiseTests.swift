// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeDevice
import TintypeModel

struct PatternNoiseTests {
    @Test(arguments: ["GREY:320x96@100", "YUYV:320x96@100", "NV12:320x96@100"])
    func `noise is on luma alone, within its bounds, and another in every frame`(pattern: String) async throws {
        let (noisy, clean) = try await DeviceStage.perform {
            func frames(_ options: String) throws -> [[UInt8]] {
                let open = try OpenDevice(TestDevice(pattern: pattern + ",frozen" + options))
                _ = try open.device.start()
                return [try open.nextFrame().copiedBytes(), try open.nextFrame().copiedBytes()]
            }
            return (try frames(",noise=9"), try frames("")[0])
        }
        #expect(noisy[0] != noisy[1])
        for frame in noisy {
            let off = zip(frame, clean).map { Int($0) - Int($1) }
            #expect(off.min() == -9 && off.max() == 9)
            let isLuma: (Int) -> Bool = { pattern.hasPrefix("YUYV") ? $0 % 2 == 0 : $0 < 320 * 96 }
            #expect(off.indices.allSatisfy { isLuma($0) || off[$0] == 0 })
            #expect(abs(off.reduce(0, +)) < 320 * 96 / 10)
        }
    }
}
