// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeSystem

struct NamedThreadTests {
    @Test func `a thread name is cut to fifteen bytes`() async throws {
        let names = Recorder<String>()
        NamedThread.start(name: "tt-a-very-long-name") { names.add(Threads.currentName) }
        try await names.wait(forCount: 1)
        #expect(names.values == ["tt-a-very-long-"])
    }

    @Test func `isCurrent is true only on a named thread`() async throws {
        let answers = Recorder<Bool>()
        NamedThread.start(name: "tt-mine") {
            NamedThread.assertMayBlock("reading a disk")
            answers.add(NamedThread.isCurrent)
        }
        try await answers.wait(forCount: 1)
        #expect(answers.values == [true])
        #expect(!NamedThread.isCurrent)
    }

    #if DEBUG || TINTYPE_ASSERTIONS
    @Test func `assertMayBlock traps on a thread of the cooperative pool`() async {
        await #expect(processExitsWith: .failure) { NamedThread.assertMayBlock("reading a disk") }
    }
    #endif
}
