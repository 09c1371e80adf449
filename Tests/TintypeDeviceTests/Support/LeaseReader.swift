// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TintypeDevice
import TintypeSystem

extension FrameLease {
    consuming func end() {}
}

/// A thread that reads a lease repeatedly, a byte of each page, as an encoding thread does.
final class LeaseReader: Sendable {
    private let lease: FrameLease
    private let expected: UInt8
    private let count = Atomic(0)
    private let strange = Atomic(0)
    /// Raised to stop the thread.
    let end = OnceFlag()
    /// Raised once the thread has ended.
    let ended = OnceFlag()

    init(_ lease: consuming FrameLease, expecting expected: UInt8) {
        self.lease = lease
        self.expected = expected
    }

    var rounds: Int { count.load(ordering: .acquiring) }
    var strangeBytes: Int { strange.load(ordering: .acquiring) }

    func begin() throws { try NamedThread.start(name: "tt-reader") { [self] in run() } }

    private func run() {
        while !end.isRaised {
            let found = lease.withBytes { bytes in
                stride(from: 0, to: bytes.byteCount, by: FakeStream.pageSize).count { offset in
                    unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self) != expected
                }
            }
            strange.add(found, ordering: .relaxed)
            count.add(1, ordering: .releasing)
        }
        ended.raise()
    }
}
