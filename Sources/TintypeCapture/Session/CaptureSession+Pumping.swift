// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel

extension CaptureSession {
    /// Empties the driver's queue, keeps the newest good frame and offers it.
    ///
    /// - Parameter events: what poll(2) said; 0 if it was not asked.
    func pump(_ events: Int16) {
        guard let stream = phase.stream, let device = stream.device else { return }
        do throws(DeviceError) {
            if CInt(events) & POLLPRI != 0, try !act(onEventsOf: device) { return }
            let began = MonotonicTime.now()
            var drain = try device.dequeue()
            if drain.hasEvents, try !act(onEventsOf: device) { return }
            stream.progress.emptiedAt = began
            if drain.taken == 0, CInt(events) & (POLLERR | POLLHUP | POLLNVAL) != 0 {
                throw .system(operation: "poll", path: device.identity.path, errno: EIO)
            }
            guard drain.taken > 0 || drain.gaps > 0 else { return }
            try serve(damaged: drain.damaged.take(), of: stream, device)
            // The device may have been lost meanwhile.
            guard phase.stream === stream else { return }
            account(for: drain, of: stream)
            guard let lease = drain.newest.take() else { return }
            let stamp = lease.stamp
            stream.newest.hold(lease, of: device)
            try device.reclaim()
            if stream.settling.isAwaitingFirst { recordFirstFrame(of: stream) }
            beginSettling(with: stamp, of: stream)
            recordGoodFrame(stamp, of: stream)
            showSettling(isAwaited: hub.isSettlingAwaited(at: .now()))
            serveHeldFrame(isNew: true)
        } catch {
            interrupt(error)
        }
    }

    private func account(for drain: borrowing Drain, of stream: CaptureStream) {
        stream.progress.taken += UInt64(drain.taken)
        if drain.taken > 0 { stream.stall.frameCame(now: .now()) }
        let (captured, gaps, flagged, short, superseded) = (
            UInt64(drain.taken), UInt64(drain.gaps), drain.flagged, drain.short, drain.superseded
        )
        hub.count { counters in
            counters.captured += captured
            counters.sequenceGaps += gaps
            counters.flagged += UInt64(flagged)
            counters.short += UInt64(short)
            counters.superseded += UInt64(superseded)
        }
        hub.pass(over: .flagged, count: flagged)
        hub.pass(over: .short, count: short)
        hub.pass(over: .superseded, count: superseded)
    }

    /// Hands a frame that the driver calls damaged to clients that take it as it is; for all others it does not exist.
    private func serve(
        damaged lease: consuming FrameLease?,
        of stream: CaptureStream,
        _ device: any CaptureDevice
    ) throws(DeviceError) {
        guard let lease = lease.take(), hub.takesDamaged else { return }
        let stamp = lease.stamp
        guard !refuseBehindShutter(), stamp.exposureStart >= controlState.shutter.opened else { return }
        let key = FrameKey(stream: stream.number, ordinal: stamp.ordinal)
        let renditions = hub.offerDamaged(stamp, key: key)
        guard !renditions.isEmpty else { return }
        let copy = stream.newest.capture(lease, of: device, copies: true)
        try device.reclaim()
        for rendition in renditions { encode(copy, as: rendition) }
    }

    /// Offers the held frame to waiting clients, and has it encoded for the clients that it does for.
    func serveHeldFrame(isNew: Bool = false) {
        guard !refuseBehindShutter(), let stream = phase.stream, let stamp = visibleStamp(of: stream) else { return }
        let key = FrameKey(stream: stream.number, ordinal: stamp.ordinal)
        let ringRendition = isNew && keepInRing(stamp, of: stream) ? ring?.rendition : nil
        let renditions = hub.offer(stamp, key: key, isNew: isNew, slept: sleptBefore, ring: ringRendition)
        if let ringRendition, !renditions.contains(ringRendition) { ring?.complete(key, nil) }
        guard !renditions.isEmpty, let shared = stream.shareNewest() else { return }
        for rendition in renditions { encode(shared, as: rendition) }
    }

    /// The stamp of a stream's newest frame, if that was not taken behind a closed shutter.
    private func visibleStamp(of stream: CaptureStream) -> FrameStamp? {
        guard let stamp = stream.newest.stamp, stamp.exposureStart >= controlState.shutter.opened else { return nil }
        return stamp
    }

    /// Puts the frame that is held into the ring, if there is one; returns whether it is to be encoded for that.
    private func keepInRing(_ stamp: FrameStamp, of stream: CaptureStream) -> Bool {
        guard let ring, !stream.isFullSize else { return false }
        // What a stream without times begins with may have been taken at any time.
        guard stamp.source != .dequeue || stamp.ordinal > 1 else { return false }
        return stream.newest.keep(in: ring, stamp, slept: sleptBefore)
    }

    private func encode(_ picture: CapturedPicture, as rendition: Rendition) {
        encoding.render(picture, as: rendition, remembering: looks) { [hub, thread, logger, ring] rendered in
            let accepted = rendered.flatMap { frame -> Result<Frame, ImagingError> in
                rendition.standard.rejection(of: frame.appearance).map { .failure(.rejected($0)) } ?? .success(frame)
            }
            // The ring's pictures are no stills yet: each that is taken out is described then.
            if rendition == ring?.rendition {
                let frame = try? accepted.get()
                ring?.complete(picture.key, frame?.picture, took: frame?.encodeTime ?? .zero)
            }
            // The parts of a picture of several frames have no description of their own.
            let result = rendition.part == nil ? accepted.map { $0.described(rendition, hub.snapshot) } : accepted
            let isFirstDamage = hub.finish(picture.key, rendition, result)
            if case .failure(let error) = result {
                let level: Logger.Level = isFirstDamage ? .warning : .debug
                logger.log(level: level, "a frame is not used: \(error)", metadata: ["bus": hub.bus])
            }
            thread.wake()
        }
    }

    /// The held frame, made one that others may have too, if it came after `key` and may be shown; nil otherwise.
    func sharedFrame(of stream: CaptureStream, after key: FrameKey?) -> CapturedPicture? {
        guard let stamp = visibleStamp(of: stream) else { return nil }
        if let key, key.stream == stream.number, key.ordinal >= stamp.ordinal { return nil }
        return stream.shareNewest()
    }
}
