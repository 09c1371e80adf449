// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc

extension BufferPool {
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
