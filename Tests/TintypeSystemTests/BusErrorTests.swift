// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing
import TintypeSystem

struct BusErrorTests {
    @Test func `an access beyond the end of a mapped file is reported before it ends the process`() async {
        let result = await #expect(processExitsWith: .signal(SIGBUS), observing: [\.standardErrorContent]) {
            BusError.report("a mapped file was cut off")
            guard let file = unsafe tmpfile() else { exit(2) }
            let descriptor = unsafe fileno(file)
            ftruncate(descriptor, 4096)
            guard let page = unsafe mmap(nil, 4096, PROT_READ, MAP_SHARED, descriptor, 0) else { exit(3) }
            ftruncate(descriptor, 0)
            let byte = unsafe page.load(as: UInt8.self)
            // Not reached.
            exit(byte == 0 ? 0 : 1)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("a mapped file was cut off\n"), "\(text)")
    }
}
