// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import Synchronization

/// Memory shared with a driver: mapped at start, unmapped when the pool and its last lease are gone.
@safe final class BufferPool: Sendable {
    // Never written after init; what the driver writes into the memory is ordered by QBUF and DQBUF.
    private nonisolated(unsafe) let buffers: [UnsafeMutableRawBufferPointer]
    private let returned: Mutex<[Int]>

    /// Takes over mapped memory, one region a buffer.
    init(_ buffers: [UnsafeMutableRawBufferPointer]) {
        unsafe self.buffers = buffers
        var list: [Int] = []
        unsafe list.reserveCapacity(buffers.count)
        returned = Mutex(list)
    }

    deinit {
        for index in unsafe buffers.indices { unsafe munmap(buffers[index].baseAddress, buffers[index].count) }
    }

    var count: Int { unsafe buffers.count }

    /// The size of one buffer in bytes.
    func length(_ index: Int) -> Int { unsafe buffers[index].count }

    /// Lets the test pattern fill a buffer that it holds.
    func withMutableBytes<R>(_ index: Int, _ body: (inout MutableRawSpan) -> R) -> R {
        var span = unsafe buffers[index].mutableBytes
        return body(&span)
    }

    func bytes(_ index: Int) -> UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(buffers[index]) }

    /// A lease has ended.
    ///
    /// Any thread.
    func takeBack(_ index: Int) { returned.withLock { $0.append(index) } }

    /// Calls `body` with each buffer whose lease has ended since the last call.
    func drainReturned<E: Error>(_ body: (Int) throws(E) -> Void) throws(E) {
        while let index = returned.withLock({ $0.popLast() }) { try body(index) }
    }
}
