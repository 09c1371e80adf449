// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import Synchronization

/// Memory shared with a driver: mapped at start, unmapped when the pool and its last lease are gone.
///
/// The last lease may end on any thread, and to unmap a driver's memory is a call into the driver: the thread that made
/// the mapping ends it with ``leaveDriver()`` where leases are out.
@safe package final class BufferPool: Sendable {
    // Never written after init; what the driver writes into the memory is ordered by QBUF and DQBUF.
    private nonisolated(unsafe) let buffers: [UnsafeMutableRawBufferPointer]
    private let lending: Mutex<Lending>

    private struct Lending {
        /// By buffer: whether there is a lease on it.
        var isLent: [Bool]
        /// Buffers whose lease has ended.
        var returned: [Int]
    }

    /// Takes over mapped memory, one region a buffer.
    package init(_ buffers: [UnsafeMutableRawBufferPointer]) {
        unsafe self.buffers = buffers
        var returned: [Int] = []
        unsafe returned.reserveCapacity(buffers.count)
        lending = unsafe Mutex(Lending(isLent: Array(repeating: false, count: buffers.count), returned: returned))
    }

    deinit {
        for index in unsafe buffers.indices { unsafe munmap(buffers[index].baseAddress, buffers[index].count) }
    }

    /// How many buffers there are.
    package var count: Int { unsafe buffers.count }

    /// The size of one buffer in bytes.
    package func length(_ index: Int) -> Int { unsafe buffers[index].count }

    /// Lets the test pattern fill a buffer that it holds.
    package func withMutableBytes<R>(_ index: Int, _ body: (inout MutableRawSpan) -> R) -> R {
        var span = unsafe buffers[index].mutableBytes
        return body(&span)
    }

    func bytes(_ index: Int) -> UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(buffers[index]) }

    /// Whether there is a lease on the buffer.
    package func isLent(_ index: Int) -> Bool { lending.withLock { $0.isLent[index] } }

    func lend(_ index: Int) { lending.withLock { $0.isLent[index] = true } }

    /// A lease has ended.
    ///
    /// Any thread.
    func takeBack(_ index: Int) {
        lending.withLock { lending in
            lending.isLent[index] = false
            lending.returned.append(index)
        }
    }

    /// Calls `body` with each buffer whose lease has ended since the last call.
    package func drainReturned<E: Error>(_ body: (Int) throws(E) -> Void) throws(E) {
        while let index = lending.withLock({ $0.returned.popLast() }) { try body(index) }
    }

    /// Puts plain memory in place of the driver's, at the same addresses: what is lent keeps its content there, and who
    /// unmaps it later calls no driver, and holds no node open.
    ///
    /// Blocks in the driver; only on the thread that lends. Others may read what is lent meanwhile, and see the same
    /// bytes all the time. The copy is complete before mremap(2) moves its pages, and the kernel holds the lock of the
    /// process's mappings for writing from before it unmaps the old ones until after it has moved the new ones
    /// (mm/mremap.c); a page fault in between finds no mapping, waits for that lock (mm/memory.c), and finds the copy.
    ///
    /// Where there is no memory for a copy, the driver's stays until its lease has ended.
    func leaveDriver() {
        for index in 0..<count {
            let memory = unsafe bytes(index)
            let copy = unsafe mmap(nil, memory.count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            guard let copy = unsafe copy, unsafe copy != MAP_FAILED, let start = memory.baseAddress else {
                continue
            }
            if isLent(index) { unsafe copy.copyMemory(from: start, byteCount: memory.count) }
            let place = unsafe UnsafeMutableRawPointer(mutating: start)
            if unsafe cv4l2_move_mapping(copy, memory.count, place) == MAP_FAILED {
                unsafe munmap(copy, memory.count)
            }
        }
    }
}
