// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeDevice
import TintypeModel
import TintypeSystem

/// The contract of every ``CaptureDevice``; each check reopens the device.
///
/// Only on a device thread.
struct DeviceConformance: Sendable {
    let test: TestDevice

    static let checks: [Check] = [
        Check("has an identity and a supported format") { try $0.introducesItself() },
        Check("accepts its own control values") { try $0.keepsControls() },
        Check("grants an offered size with a consistent layout") { try $0.grantsFormats() },
        Check("delivers whole frames in order") { try $0.deliversFrames() },
        Check("stamps frames with plausible times") { try $0.tellsTime() },
        Check("streams while two leases are held") { try $0.goesOnWhileBuffersAreHeld() },
        Check("dequeues the newest frame after a pause (oldest-first after idle)") { try $0.givesTheNewest() },
        Check("restarts after a stop") { try $0.startsAgain() },
        Check("reopens after closing") { try $0.opensAgain() },
        Check("keeps a lease readable after stop and close") { try $0.leavesLeasesReadable() },
        Check("unmaps all buffers at stop while a lease is held") { try $0.leavesNothingMapped() },
    ]

    struct Check: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let run: @Sendable (DeviceConformance) throws -> Void

        init(_ description: String, _ run: @escaping @Sendable (DeviceConformance) throws -> Void) {
            testDescription = description
            self.run = run
        }
    }

    private func introducesItself() throws {
        let device = try test.open()
        #expect(!device.identity.card.isEmpty)
        #expect(!device.identity.driver.isEmpty)
        #expect(!device.identity.busInfo.isEmpty)
        #expect(device.identity.path == test.path ?? "pattern")
        let formats = try device.formats()
        #expect(formats.contains { $0.isSupported && !$0.isEmulated })
        for format in formats {
            for size in format.sizes { #expect(size.minimum.area > 0 && size.maximum.area >= size.minimum.area) }
        }
        #expect(try device.currentFormat().size.area > 0)
    }

    private func keepsControls() throws {
        let device = try test.open()
        let controls = DeviceControls(of: device)
        let all = try controls.all()
        #expect(Set(all.map(\.name)).count == all.count)
        #expect(Set(all.map(\.id)).count == all.count)
        for outcome in try controls.apply(ControlSettings(of: all)) { #expect(outcome.isFulfilled, "\(outcome)") }
        for control in all where control.isSettable { #expect(try controls.value(of: control) == control.value) }
    }

    private func grantsFormats() throws {
        let open = try OpenDevice(test)
        expectConsistent(open.granted)
        let offered = try open.device.formats().first { $0.pixelFormat == open.granted.format.pixelFormat }
        let sizes = offered?.sizes.map { $0.nearest(to: FrameSize(width: 640, height: 360)) } ?? []
        guard let other = sizes.first(where: { $0 != open.granted.format.size }) else { return }
        var wish = open.granted.format
        wish.size = other
        wish.interval = nil
        let granted = try open.device.configure(wish, crop: nil)
        #expect(granted.format.size == other)
        expectConsistent(granted)
    }

    private func expectConsistent(_ granted: GrantedFormat) {
        #expect(granted.layout.pixelFormat == granted.format.pixelFormat)
        #expect(granted.layout.size == granted.format.size)
        guard let least = granted.layout.minimumBytesPerRow else {
            #expect(granted.format.pixelFormat.isJPEG)
            return
        }
        #expect(granted.layout.bytesPerRow >= least)
        #expect((granted.layout.byteCount ?? 0) > 0)
    }

    private func deliversFrames() throws {
        let open = try OpenDevice(test)
        #expect(try open.device.start() >= 2)
        var (ordinal, sequence) = (UInt64(0), UInt32?.none)
        for _ in 0..<5 {
            let lease = try open.nextFrame()
            #expect(lease.stamp.ordinal > ordinal)
            if let sequence {
                let step = Int32(bitPattern: lease.stamp.sequence &- sequence)
                // vivid derives sequence numbers from its clock and repeats one if the machine was late, also the first.
                #expect(step > 0 || step == 0 && open.device.identity.driver == "vivid")
            }
            (ordinal, sequence) = (lease.stamp.ordinal, lease.stamp.sequence)
            let bytes = lease.copiedBytes()
            if let count = open.granted.layout.byteCount {
                #expect(bytes.count >= count)
            } else {
                #expect(bytes.starts(with: [0xFF, 0xD8]))
            }
        }
        open.device.stop()
    }

    private func tellsTime() throws {
        let open = try OpenDevice(test)
        let start = test.clock.now
        _ = try open.device.start()
        var last: FrameStamp?
        for _ in 0..<5 {
            let stamp = try open.nextFrame().stamp
            let now = test.clock.now
            #expect(stamp.exposureStart <= stamp.dequeued)
            #expect(stamp.dequeued <= now)
            #expect(stamp.dequeued >= start)
            #expect(stamp.uncertainty >= .zero)
            // Exposure start and dequeue of a plausible frame are at most ten seconds and one frame interval apart.
            #expect(stamp.dequeued - stamp.exposureStart < .seconds(12))
            // An implausible timestamp is replaced by the time of the dequeue, which has another source.
            if let last, last.source == stamp.source { #expect(stamp.exposureStart >= last.exposureStart) }
            last = stamp
        }
    }

    private func goesOnWhileBuffersAreHeld() throws {
        let open = try OpenDevice(test)
        let buffers = try open.device.start()
        try #require(buffers >= 3, "too few buffers to hold two")
        let first = try open.nextFrame()
        let second = try open.nextFrame()
        var last = second.stamp.ordinal
        // More frames than buffers: released buffers return to the driver.
        for _ in 0..<2 * buffers {
            let ordinal = try open.nextFrame().stamp.ordinal
            #expect(ordinal > last)
            last = ordinal
        }
        #expect(first.stamp.ordinal < second.stamp.ordinal)
        #expect(first.copiedBytes().count > 0)
        first.end()
        second.end()
        try open.device.reclaim()
        for _ in 0..<2 * buffers { _ = try open.nextFrame() }
    }

    private func givesTheNewest() throws {
        let open = try OpenDevice.streaming(test)
        var before = try open.nextFrame().stamp
        let interval = open.granted.format.interval?.duration ?? .milliseconds(100)
        var skipped = 0
        while true {
            test.clock.block(for: test.path == nil ? interval * 5 : .seconds(2))
            var drain = try open.device.dequeue()
            guard let lease = drain.newest.take() else {
                skipped += drain.taken
                continue
            }
            let newest = lease.stamp
            #expect(drain.superseded == drain.taken - drain.flagged - drain.short - 1)
            // The queue is empty now.
            #expect(newest.ordinal == before.ordinal + UInt64(skipped + drain.taken))
            // A busy machine may have produced a single frame, and vivid several with the same number.
            let step = newest.sequence &- before.sequence
            if drain.taken + drain.gaps >= 2, step >= 2 || open.device.identity.driver != "vivid" {
                #expect(step >= 2)
                return
            }
            (before, skipped) = (newest, 0)
        }
    }

    private func startsAgain() throws {
        let open = try OpenDevice(test)
        for _ in 0..<3 {
            _ = try open.device.start()
            #expect(try open.nextFrame().stamp.ordinal >= 1)
            open.device.stop()
            let drain = try open.device.dequeue()
            #expect(drain.taken == 0)
        }
        open.device.stop()
    }

    private func opensAgain() throws {
        for _ in 0..<3 {
            let open = try OpenDevice.streaming(test)
            #expect(try open.nextFrame().copiedBytes().count > 0)
        }
    }

    private func leavesLeasesReadable() throws {
        let lease: FrameLease
        let (before, driver): ([UInt8], String)
        do {
            let open = try OpenDevice.streaming(test)
            lease = try open.nextFrame()
            (before, driver) = (lease.copiedBytes(), open.device.identity.driver)
            open.device.stop()
        }
        // The device is closed.
        let after = lease.copiedBytes()
        #expect(after.count == before.count)
        // The writer of v4l2loopback overwrites buffers that a reader still holds.
        if driver != "v4l2 loopback" { #expect(after == before) }
    }

    /// Nodes only: the pattern's memory belongs to no device.
    private func leavesNothingMapped() throws {
        guard let path = test.path else { return }
        let open = try OpenDevice.streaming(test)
        let lease = try open.nextFrame()
        #expect(try Mappings.count(of: path) > 0)
        open.device.stop()
        #expect(try Mappings.count(of: path) == 0)
        #expect(lease.copiedBytes().count > 0)
    }
}
