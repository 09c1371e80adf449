// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import Synchronization

/// Driver buffers, mapped at the start and unmapped when the pool and its last lease are released.
///
/// That may be on any thread, and unmapping driver memory is a call into the driver: while leases are outstanding, the
/// mapping thread must call ``leaveDriver()``.
@safe package final class BufferPool: Sendable {
    // Constant after init. QBUF and DQBUF order the driver's writes to the memory.
    private nonisolated(unsafe) let buffers: [UnsafeMutableRawBufferPointer]
    private let lending: Mutex<Lending>

    private struct Lending {
        var isLent: [Bool]
        /// Leases ended, not requeued yet.
        var returned: [Int]
    }

    /// Takes ownership of mapped memory, one region per buffer.
    package init(_ buffers: [UnsafeMutableRawBufferPointer]) {
        unsafe self.buffers = buffers
        var returned: [Int] = []
        unsafe returned.reserveCapacity(buffers.count)
        lending = unsafe Mutex(Lending(isLent: Array(repeating: false, count: buffers.count), returned: returned))
    }

    deinit {
        for index in unsafe buffers.indices { unsafe munmap(buffers[index].baseAddress, buffers[index].count) }
    }

    package var count: Int { unsafe buffers.count }
    package func length(_ index: Int) -> Int { unsafe buffers[index].count }

    /// Write access for the test pattern, which must own the buffer.
    package func withMutableBytes<R>(_ index: Int, _ body: (inout MutableRawSpan) -> R) -> R {
        var span = unsafe buffers[index].mutableBytes
        return body(&span)
    }

    func bytes(_ index: Int) -> UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(buffers[index]) }
    package func isLent(_ index: Int) -> Bool { lending.withLock { $0.isLent[index] } }
    func lend(_ index: Int) { lending.withLock { $0.isLent[index] = true } }

    /// Returns the buffer of an ended lease; any thread.
    func returnBuffer(_ index: Int) {
        lending.withLock { lending in
            lending.isLent[index] = false
            lending.returned.append(index)
        }
    }

    /// Calls `body` with each buffer returned since the last call.
    package func drainReturned<E: Error>(_ body: (Int) throws(E) -> Void) throws(E) {
        while let index = lending.withLock({ $0.returned.popLast() }) { try body(index) }
    }

    /// Replaces the driver's memory by anonymous memory at the same addresses; leases keep their content.
    ///
    /// Unmapping it later neither calls the driver nor keeps the node open. Without memory for a copy, the driver's
    /// mapping stays until its lease ends.
    ///
    /// Blocks in the driver; only on the thread that mapped the buffers. Other threads may read leases meanwhile and
    /// always see the same bytes: the copy is complete before mremap(2) moves its pages, and a page fault in between
    /// waits for the kernel's mmap lock (mm/mremap.c, mm/memory.c) and finds the copy.
    func leaveDriver() {
        for index in 0..<count {
            let memory = unsafe bytes(index)
            let copy = unsafe mmap(nil, memory.count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            guard let copy = unsafe copy, unsafe copy != MAP_FAILED, let start = memory.baseAddress else { continue }
            if isLent(index) { unsafe copy.copyMemory(from: start, byteCount: memory.count) }
            let place = unsafe UnsafeMutableRawPointer(mutating: start)
            if unsafe cv4l2_move_mapping(copy, memory.count, place) == MAP_FAILED { unsafe munmap(copy, memory.count) }
        }
    }
}
