// SPDX-License-Identifier: Apache-2.0
package import TintypeModel
package import TintypeSystem

/// Built-in test pattern: a simulated camera with a counter and a clock in its picture.
///
/// Every frame is drawn, even if unused. The exposure of frame n begins n intervals after the start of the stream; the
/// frame is available at once, or after the lead, if configured.
package final class PatternDevice: CaptureDevice {
    /// Encodes a picture as JPEG for MJPEG patterns; runs on the device thread.
    package typealias PictureEncoder = (RawSpan, PictureLayout) throws -> [UInt8]

    package let identity: CameraIdentity
    let spec: PatternSpec
    let calls: DriverCalls
    let encoder: PictureEncoder?
    let timer: any ThreadTimer
    /// Raised once the source has changed (``PatternSpec/Change``), for good.
    let sourceChange: OnceFlag
    let patternControls: PatternControls
    package var clock: FrameClock
    var stream = PatternStream()
    /// Granted format, and crop; nil for the whole picture.
    var picture: CaptureFormat
    var part: CropRectangle?
    /// Those of the specification, and of the file of faults.
    var faults: PatternSpec.Faults
    /// Last content of the file of faults.
    var fileText = ""
    var hasHung = false
    private var hasChangedBrightness = false
    var pendingEvents: [DeviceEvent] = []

    /// Throws the simulated errors of the specification.
    ///
    /// `name` is the path of the node. `sourceChange` is raised when the source changes, and shared by all openings of
    /// a camera. An MJPEG pattern needs `encoder`.
    package init(
        _ spec: PatternSpec,
        name: String,
        calls: DriverCalls,
        sourceChange: OnceFlag = OnceFlag(),
        encoder: PictureEncoder? = nil
    ) throws(DeviceError) {
        NamedThread.assertMayBlock("opening \(name)")
        guard !spec.hasJPEG || encoder != nil else {
            throw .unsupported(path: name, reason: "an MJPEG pattern needs an encoder.")
        }
        (self.spec, faults, picture) = (spec, spec.faults, spec.format)
        (self.calls, self.sourceChange) = (calls, sourceChange)
        clock = FrameClock(origin: spec.faults.stampsArrival ? .arrival : .flagged)
        patternControls = PatternControls(path: name, faults: spec.controlFaults)
        self.encoder = spec.hasJPEG ? encoder : nil
        identity = Self.identity(named: name)
        do throws(ResourceError) { timer = try calls.clock.timer() } catch { throw DeviceError(error, path: name) }
        try refreshFaults()
        try simulateCall(.open)
        try simulateCall(.queryCapability)
    }

    package static func identity(named name: String) -> CameraIdentity {
        CameraIdentity(path: name, card: "Test pattern", driver: "pattern", busInfo: "built-in")
    }

    func unsupported(_ reason: String) -> DeviceError { .unsupported(path: identity.path, reason: reason) }
    package var descriptor: CInt { timer.descriptor }
    package var overwritesLentBuffers: Bool { stream.overwritesLent || faults.overwriteEvery != nil }
    package func mayHaveOverwritten(_ lease: borrowing FrameLease) -> Bool { stream.overwritten == lease.stamp.ordinal }
    package func exposureTime() -> Duration? { faults.exposure }

    package func events() throws(DeviceError) -> [DeviceEvent] {
        defer { pendingEvents = [] }
        return pendingEvents
    }

    /// For MJPEG, the picture before encoding.
    var canvas: PictureLayout {
        guard picture.pixelFormat.isJPEG else { return layout(of: picture.pixelFormat, picture.size) }
        let rows = faults.quirk == .largerSize ? 8 : 0
        return layout(of: .nv12, FrameSize(width: picture.size.width, height: picture.size.height + rows))
    }

    /// Layout without row padding.
    func layout(of format: FourCC, _ size: FrameSize) -> PictureLayout {
        let color = picture.pixelFormat.isJPEG ? ColorEncoding.jfif : spec.color
        var layout = PictureLayout(pixelFormat: format, size: size, bytesPerRow: 0, color: color)
        layout.bytesPerRow = layout.minimumBytesPerRow ?? 0
        return layout
    }

    package var controls: any ControlDriver { patternControls }

    /// Updates the painter for the controls and the progress of the simulated exposure and white balance.
    func followControls() {
        var look = patternControls.look
        // From 10 percent of the brightness, and from a colour cast of 60.
        let count = stream.handedOut
        if count < faults.ramp { look.exposure = 10 + 90 * count / faults.ramp }
        if count < faults.chromaRamp { look.cast = 60 * (faults.chromaRamp - count) / faults.chromaRamp }
        guard stream.painter?.look != look else { return }
        stream.painter = painter(look)
    }

    func painter(_ look: PatternLook) -> PatternPainter {
        PatternPainter(layout: canvas, look: look, scene: spec.scene, period: stream.period)
    }

    func changeControlsByOthers() {
        let faults = spec.controlFaults
        if let after = faults.foreignChangeAfter, stream.handedOut >= after, !hasChangedBrightness,
            patternControls.isWatched(ControlNumber.brightness)
        {
            hasChangedBrightness = true
            simulateChange(of: ControlNumber.brightness, to: .integer(PatternSpec.ControlFaults.foreignBrightness))
        }
        if let after = faults.shutterAfter, stream.handedOut == after {
            simulateChange(of: ControlNumber.privacy, to: .boolean(patternControls.look.isDark == false))
        }
    }

    private func simulateChange(of id: UInt32, to value: ControlValue) {
        if let event = patternControls.simulateChange(of: id, to: value) { pendingEvents.append(event) }
    }
}

struct PatternStream {
    /// Nil while not streaming.
    var pool: BufferPool?
    /// Buffers that are neither filled nor on lease.
    var free: [Int] = []
    var painter: PatternPainter?
    var noise: PatternNoise?
    var start = MonotonicTime(nanoseconds: 0)
    /// Time between frames: the interval, or the exposure if longer.
    var period = Duration.zero
    /// Number of frames, and of those handed out.
    var number: UInt64 = 0
    var handedOut = 0
    var lastSequence: UInt32?
    /// Fixed at the start of the stream, as no driver begins with that in mid-stream.
    var overwritesLent = false
    /// Ordinal of the last frame handed out overwritten.
    var overwritten: UInt64?
}

extension PatternDevice {
    var sourceFormat: CaptureFormat {
        var format = spec.format
        if sourceChange.isRaised, let size = spec.change?.size { format.size = size }
        return format
    }

    package func selectInput(_ wish: InputWish) throws(DeviceError) -> InputStatus? {
        let path = identity.path
        if let standard = wish.standard, standard.lowercased() != "auto" {
            throw .unsupported(path: path, reason: "a pattern has no standards, and \(standard) is asked for.")
        }
        let names = spec.inputs.map(\.name)
        var index = names.indices.first
        if let choice = wish.input { index = try choice.place(among: names, of: path) }
        let name = index.map { names[$0] } ?? "0"
        let fault = sourceChange.isRaised ? spec.change?.fault : index.flatMap { spec.inputs[$0].fault }
        if let fault { throw .noSignal(path: path, input: name, fault: fault) }
        return index.map { InputStatus(index: $0, name: name) }
    }

    package func formats() throws(DeviceError) -> [FormatDescription] {
        try simulateCall(.formats)
        return spec.descriptions(of: sourceFormat)
    }

    package func currentFormat() throws(DeviceError) -> CaptureFormat { sourceFormat }

    /// Grants the specified format, else the nearest one on offer.
    package func configure(_ format: CaptureFormat, crop: CropRectangle?) throws(DeviceError) -> GrantedFormat {
        try simulateCall(.setFormat)
        (picture, part) = (spec.grant(format, of: sourceFormat), nil)
        if let crop {
            let isPacked = [.yuyv, .grey].contains(picture.pixelFormat)
            guard spec.crops, isPacked else {
                throw unsupported("the device cannot deliver the part \(crop) of its picture.")
            }
            part = crop.fitted(into: picture.size)
        }
        var layout = layout(of: picture.pixelFormat, part?.size ?? picture.size)
        if !picture.pixelFormat.isJPEG {
            let (matrix, range) = (spec.color.matrix.rawValue, spec.color.range.rawValue)
            layout.signal = ColorSignal(parts: [.primaries: "srgb", .transfer: "srgb", .matrix: matrix, .range: range])
            if !picture.pixelFormat.hasChroma { layout.signal?.parts[.matrix] = nil }
        }
        var format = picture
        format.size = layout.size
        return GrantedFormat(format: format, layout: layout, crop: part)
    }
}

extension CropRectangle {
    /// The crop as a driver adjusts it: inside the picture, size and position even.
    fileprivate func fitted(into picture: FrameSize) -> CropRectangle {
        let width = max(2, min(size.width, picture.width) & ~1)
        let height = max(2, min(size.height, picture.height) & ~1)
        let (left, top) = (min(left, picture.width - width) & ~1, min(top, picture.height - height) & ~1)
        return CropRectangle(size: FrameSize(width: width, height: height), left: left, top: top)
    }
}
