// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel
import TintypeSystem

struct NamedThreadTests {
    @Test func `a thread name is cut to fifteen bytes`() async throws {
        let names = Recorder<String>()
        try NamedThread.start(name: "tt-a-very-long-name") { names.add(Threads.currentName) }
        try await names.wait(forCount: 1)
        #expect(names.values == ["tt-a-very-long-"])
    }

    @Test func `isCurrent is true only on a named thread`() async throws {
        let answers = Recorder<Bool>()
        try NamedThread.start(name: "tt-mine") {
            NamedThread.assertMayBlock("reading a disk")
            answers.add(NamedThread.isCurrent)
        }
        try await answers.wait(forCount: 1)
        #expect(answers.values == [true])
        #expect(!NamedThread.isCurrent)
    }

    @Test func `a thread refused at the limit is an error, and starts once the limit is lifted`() async {
        // In its own process, as for all limits.
        await #expect(processExitsWith: .success) {
            try await ResourceLimits.withoutThreads {
                let error = #expect(throws: ResourceError.self) { try NamedThread.start(name: "tt-refused") {} }
                #expect(error?.problem.remedy.contains("TasksMax=") == true)
            }
            let runs = Recorder<Bool>()
            try NamedThread.start(name: "tt-later") { runs.add(true) }
            try await runs.wait(forCount: 1)
        }
    }

    #if DEBUG || TINTYPE_ASSERTIONS
    @Test func `assertMayBlock traps on a thread of the cooperative pool`() async {
        await #expect(processExitsWith: .failure) { NamedThread.assertMayBlock("reading a disk") }
    }
    #endif
}
