// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing
import TintypeModel

@testable import TintypeDevice

struct BufferPoolTests {
    private func pool(_ count: Int) throws -> BufferPool {
        var buffers: [UnsafeMutableRawBufferPointer] = unsafe []
        for index in 0..<count {
            let start = unsafe mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            let memory = unsafe UnsafeMutableRawBufferPointer(start: start, count: 4096)
            try #require(unsafe start != MAP_FAILED)
            unsafe memory.initializeMemory(as: UInt8.self, repeating: UInt8(index + 1))
            unsafe buffers.append(memory)
        }
        return unsafe BufferPool(buffers)
    }

    private let stamp = FrameStamp(
        sequence: 0,
        ordinal: 1,
        exposureStart: .now(),
        uncertainty: .zero,
        source: .dequeue,
        dequeued: .now()
    )

    private func returned(_ pool: BufferPool) -> [Int] {
        var list: [Int] = []
        pool.drainReturned { list.append($0) }
        return list.sorted()
    }

    @Test func `a lease returns its buffer once when it ends`() throws {
        let pool = try pool(3)
        let first = FrameLease(stamp: stamp, pool: pool, index: 2, used: 10)
        let second = FrameLease(stamp: stamp, pool: pool, index: 0, used: 10)
        #expect(returned(pool).isEmpty)
        first.end()
        #expect(returned(pool) == [2])
        #expect(returned(pool).isEmpty)
        second.end()
        #expect(returned(pool) == [0])
    }

    @Test func `a lease moved to another task returns its buffer`() async throws {
        let pool = try pool(1)
        let lease = FrameLease(stamp: stamp, pool: pool, index: 0, used: 4096)
        await Self.consume(lease)
        #expect(returned(pool) == [0])
    }

    @concurrent private static func consume(_ lease: consuming FrameLease) async {
        #expect(lease.copiedBytes().count == 4096)
    }

    @Test func `a lease exposes exactly its bytes`() throws {
        let pool = try pool(2)
        let lease = FrameLease(stamp: stamp, pool: pool, index: 1, offset: 96, used: 1000)
        #expect(lease.copiedBytes() == [UInt8](repeating: 2, count: 1000))
        #expect(lease.withBytes { $0.byteCount } == 1000)
        #expect(pool.length(1) == 4096)
    }

    @Test func `a lease keeps its pool alive`() throws {
        let lease = FrameLease(stamp: stamp, pool: try pool(4), index: 3, used: 4096)
        #expect(lease.copiedBytes() == [UInt8](repeating: 4, count: 4096))
    }

    @Test func `a lease outside its buffer traps`() async {
        await #expect(processExitsWith: .failure) {
            let suite = BufferPoolTests()
            let pool = try suite.pool(1)
            _ = FrameLease(stamp: suite.stamp, pool: pool, index: 0, offset: 4000, used: 97)
        }
    }
}
