// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    struct CameraFaultTests {
        @Test(arguments: ["STREAMON:EIO", "S_FMT:EPIPE", "STREAMON:ETIMEDOUT"])
        func `a camera that refuses is at fault, and no request has it tried before its time`(_ failure: String)
            async throws
        {
            try await Stage.run("YUYV:256x64@50,fail=\(failure)") { stage in
                let began = TestClock().now
                var codes: Set<ProblemCode> = []
                while TestClock().now - began < .seconds(15) {
                    let problem = await #expect(throws: Problem.self) {
                        try await stage.take(deadline: .milliseconds(400))
                    }
                    if let problem { codes.insert(problem.code) }
                }
                #expect(codes == [.cameraFault])
                // Now, and 0.25, 0.5, 1, and then 2 s later, up to a fifth sooner.
                #expect((8...13).contains(stage.log.openings), "\(stage.log.openings)")
            }
        }
    }
}
