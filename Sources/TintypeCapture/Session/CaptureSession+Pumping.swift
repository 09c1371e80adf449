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
        guard let device else { return }
        do throws(DeviceError) {
            if CInt(events) & POLLPRI != 0, try !act(onEventsOf: device) { return }
            let began = MonotonicTime.now()
            var drain = try device.dequeue()
            if drain.hasEvents, try !act(onEventsOf: device) { return }
            emptiedAt = began
            if drain.taken == 0, CInt(events) & (POLLERR | POLLHUP | POLLNVAL) != 0 {
                throw .system(operation: "poll", path: device.identity.path, errno: EIO)
            }
            guard drain.taken > 0 || drain.gaps > 0 else { return }
            try serve(damaged: drain.damaged.take(), of: device)
            account(for: drain)
            guard let lease = drain.newest.take() else { return }
            let stamp = lease.stamp
            hold(lease)
            try device.reclaim()
            if settleWork.isAwaitingFirst { noteFirstFrame() }
            noteFrame(stamp)
            noteGoodFrame(stamp)
            showSettling(at: .now())
            serveHeldFrame(isNew: true)
        } catch {
            interrupt(error)
        }
    }

    private func account(for drain: borrowing Drain) {
        taken += UInt64(drain.taken)
        if drain.taken > 0 { lastArrival = .now() }
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

    private func hold(_ lease: consuming FrameLease) {
        shared = nil
        held = consume lease
        if copiesAtOnce { share() }
    }

    /// Whether a frame is copied out of its buffer before anybody asks for it.
    private var copiesAtOnce: Bool { hasFewBuffers || device?.overwritesLentBuffers == true }

    /// Makes the held frame one that others may have too.
    private func share() {
        guard shared == nil, let layout = granted?.layout, let lease = held.take() else { return }
        shared = capture(lease, layout, copies: copiesAtOnce)
    }

    /// A picture of what is in a buffer.
    private func capture(_ lease: consuming FrameLease, _ layout: PictureLayout, copies: Bool) -> CapturedPicture {
        let key = FrameKey(stream: stream, ordinal: lease.stamp.ordinal)
        return CapturedPicture(
            lease,
            key: key,
            layout: layout,
            converter: converter,
            leases: leases,
            copies: copies,
            quirks: quirks,
            isOverwritten: { [device] lease in device?.mayHaveOverwritten(lease) ?? false }
        )
    }

    /// Hands a frame that the driver calls damaged to clients that take it as it is; for all others it does not exist.
    private func serve(damaged lease: consuming FrameLease?, of device: any CaptureDevice) throws(DeviceError) {
        guard let lease = lease.take(), let layout = granted?.layout, hub.takesDamaged else { return }
        let stamp = lease.stamp
        guard !refuseBehindShutter(), stamp.exposureStart >= controlState.shutterOpened else { return }
        let key = FrameKey(stream: stream, ordinal: stamp.ordinal)
        let renditions = hub.offerDamaged(stamp, key: key)
        guard !renditions.isEmpty else { return }
        let copy = capture(lease, layout, copies: true)
        try device.reclaim()
        for rendition in renditions { encode(copy, as: rendition) }
    }

    /// Offers the held frame to waiting clients, and has it encoded for the clients that it does for.
    func serveHeldFrame(isNew: Bool = false) {
        guard !refuseBehindShutter() else { return }
        guard let stamp = shared?.stamp ?? heldStamp, stamp.exposureStart >= controlState.shutterOpened else { return }
        let key = FrameKey(stream: stream, ordinal: stamp.ordinal)
        let ringRendition = isNew && keepInRing(stamp, key: key) ? ring?.rendition : nil
        let renditions = hub.offer(stamp, key: key, isNew: isNew, slept: sleptBefore, ring: ringRendition)
        if let ringRendition, !renditions.contains(ringRendition) { ring?.complete(key, nil) }
        guard !renditions.isEmpty else { return }
        share()
        guard let shared else { return }
        for rendition in renditions { encode(shared, as: rendition) }
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
            thread.ring()
        }
    }

    /// The held frame, made one that others may have too, if it came after `key` and may be shown; nil otherwise.
    func sharedFrame(after key: FrameKey?) -> CapturedPicture? {
        guard let stamp = shared?.stamp ?? heldStamp, stamp.exposureStart >= controlState.shutterOpened else {
            return nil
        }
        if let key, key.stream == stream, key.ordinal >= stamp.ordinal { return nil }
        share()
        return shared
    }

    private var heldStamp: FrameStamp? {
        switch held {
        case .some(let lease): lease.stamp
        case .none: nil
        }
    }
}
