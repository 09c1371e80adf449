// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct ProgramArgumentsTests {
    @Test func `a program without arguments, not even its name, does not start`() throws {
        #expect(ProgramArguments.fault() == nil)
        #expect(ProgramArguments.fault(in: ["tintyped"]) == nil)
        #expect(try #require(ProgramArguments.fault(in: [])).contains("mount -t proc"))
    }
}
