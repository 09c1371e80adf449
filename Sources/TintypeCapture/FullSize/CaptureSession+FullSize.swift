// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeDevice
internal import TintypeModel

/// Stills of the largest size: the stream is stopped for them, begun at that size, and brought back.
///
/// Clients that wait for frames of the usual size go on waiting meanwhile, and all who want the largest share one such
/// interruption.
extension CaptureSession {
    /// Others wait for so long at most.
    private static let longest = Duration.seconds(30)

    /// Whether a closed device is opened at its largest size: there is no stream to interrupt then.
    var opensAtLargest: Bool {
        guard hub.awaitsLargest else { return false }
        return configuration.allowsGap || !(use.keepsOpen(configuration.warmth) || hub.awaitsUsual)
    }

    /// Opens a closed device for clients that wait for the largest size, and for the others afterwards.
    func openAtLargest() {
        let othersWait = hub.awaitsUsual
        guard let error = openDevice(keepsDemands: othersWait, isFullSize: true), othersWait else { return }
        hub.failLargest(error.problem)
    }

    /// Changes the size for clients that want the largest, and changes it back when they have their pictures.
    func serveLargest() {
        guard let stream = phase.stream else { return }
        if stream.isFullSize {
            if !hub.isLargestInDemand {
                openAtUsual()
            } else if MonotonicTime.now() - stream.began > Self.longest {
                hub.failLargest(tookTooLong)
                openAtUsual()
            }
            return
        }
        guard !stream.settling.isAwaitingFirst, hub.awaitsLargest else { return }
        if isUsualFullSize(stream) {
            hub.set(.both)
        } else if let refusal = gapRefusal {
            hub.failLargest(refusal)
        } else {
            gapBegan = gapBegan ?? stream.stall.lastGood
            logger.info("interrupting the stream for a still of the largest size")
            guard let error = openDevice(keepsDemands: true, isFullSize: true) else { return }
            hub.failLargest(error.problem)
            openAtUsual()
        }
    }

    /// Goes back from the largest size to the usual one, or closes the device if it was opened for the largest alone.
    private func openAtUsual() {
        if gapBegan != nil || isWanted { openDevice(keepsDemands: true) } else { enter(.closes) }
    }

    /// The first good frame after an interruption has come, or the camera is closed before there is one.
    func endGap(at moment: MonotonicTime) {
        guard let began = gapBegan else { return }
        gapBegan = nil
        let gap = StreamGap(began: began, duration: max(.zero, moment - began))
        logger.notice(
            "the stream was interrupted for a still of the largest size",
            metadata: ["gap": "\(HumanDuration.text(gap.duration))"]
        )
        hub.endGap(gap)
    }

    /// Sets the largest size that is offered in one of the pixel formats of the configuration, and the whole picture.
    func negotiateLargest(_ device: any CaptureDevice) throws(DeviceError) -> Negotiation {
        let input = try device.selectInput(configuration.input)
        let offer = try Self.offer(of: device, input)
        let asked = try configuration.format.largest(of: offer).resolve(offer)
        return Negotiation(asked: asked, granted: try device.configure(asked, crop: nil), input: input, unmet: [])
    }

    /// Whether the usual size of a stream is the largest one; the device is asked once a stream.
    private func isUsualFullSize(_ stream: CaptureStream) -> Bool {
        if let known = stream.isUsualFullSize { return known }
        guard let device = stream.device else { return false }
        var isLargest = false
        do throws(DeviceError) {
            let offer = try Self.offer(of: device, hub.snapshot.negotiation?.input)
            let largest = try configuration.format.largest(of: offer).resolve(offer)
            isLargest = largest.size.area <= stream.granted.format.size.area
        } catch {
            // What cannot be told turns out when it is asked for.
            logger.debug("the largest size is not known: \(error)")
        }
        stream.isUsualFullSize = isLargest
        return isLargest
    }

    /// Why the stream may not be interrupted now; nil if it may.
    private var gapRefusal: Problem? {
        if !configuration.allowsGap {
            return Problem(
                .gapNotAllowed,
                "A still of the largest size would interrupt the stream of the camera \(name), which its configuration forbids.",
                remedy: "Leave size out, ask while the camera is off, or remove allowGap from cameras.\(name) in "
                    + "tintyped's configuration."
            )
        }
        guard hub.isInBurst else { return nil }
        return Problem(
            .gapNotAllowed,
            "A still of the largest size would interrupt the stream of the camera \(name), of which a burst is being taken.",
            remedy: "Ask again when the burst is over.",
            retryAfter: .seconds(1)
        )
    }

    private var tookTooLong: Problem {
        Problem(
            .deadlineExceeded,
            "The camera \(name) gave no picture of its largest size that does within \(HumanDuration.text(Self.longest)).",
            remedy: "Ask for less: settle never, or a lower integrity.",
            retryAfter: .seconds(1)
        )
    }
}

extension FormatWish {
    /// The wish for the largest size, in one of these pixel formats if there are any.
    fileprivate func largest(of offer: FormatOffer) -> FormatWish {
        let usable = offer.formats.filter { !$0.isEmulated && $0.isSupported && pixelFormats.contains($0.pixelFormat) }
        func area(_ format: FormatDescription) -> Int { format.sizes.map(\.maximum.area).max() ?? 0 }
        let most = usable.map(area).max() ?? 0
        // Their order is of preference; here size comes first.
        let largest = pixelFormats.filter { name in usable.contains { $0.pixelFormat == name && area($0) == most } }
        return FormatWish(preset: .photo, pixelFormats: largest.isEmpty ? pixelFormats : largest)
    }
}
