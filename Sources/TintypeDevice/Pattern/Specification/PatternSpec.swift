// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import TintypeModel

/// Picture and faults of the test pattern, as given to `--pattern`: `YUYV:1280x720@30,hang-after=20,hang=30s`.
package struct PatternSpec: Hashable, Sendable {
    /// YUYV, NV12, GREY, MJPG, 8-bit Bayer (BA81, GBRG, GRBG, RGGB) or Y16, any size and rate.
    package var format = CaptureFormat(
        pixelFormat: .yuyv,
        size: FrameSize(width: 1280, height: 720),
        interval: FrameInterval(framesPerSecond: 30)
    )
    /// Matrix and range of YUV; limited-range BT.601 by default, as with most cameras.
    package var color = ColorEncoding(matrix: .bt601, range: .limited)
    /// Other formats on offer (`also=MJPG:1920x1080@30`, repeatable).
    package var others: [CaptureFormat] = []
    /// Sizes up to that of ``format``, in steps (`sizes=64x48/16x8`) or any (`sizes=64x48`); nil for that size only.
    package var sizes: SizeRange?
    /// Format granted regardless of the request (`grants=YUYV:640x480@15`); nil for the nearest offer.
    package var grants: CaptureFormat?
    /// Inputs (`input=NAME` or `input=NAME:no-signal`, repeatable); empty for a device without inputs.
    package var inputs: [Input] = []
    /// Supports cropping, for YUYV and GREY only (`crops`).
    package var crops = false
    /// Change of the source in mid-stream (`change-after=N:640x480`, `change-after=N:no-lock`).
    package var change: Change?
    package var faults = Faults()
    package var controlFaults = ControlFaults()
    /// File with the times when the moving block is visible (`moves=FILE`); nil for always.
    package var moves: String?
    /// Scene instead of bars, code and clock (`scene=yard`).
    package var scene: PatternScene?

    /// True if it simulates no fault; only such a pattern can be a camera of the configuration.
    package var isFaultless: Bool {
        faults == Faults() && controlFaults == ControlFaults() && change == nil && inputs.allSatisfy { $0.fault == nil }
    }

    var hasJPEG: Bool { ([format] + others + (grants.map { [$0] } ?? [])).contains { $0.pixelFormat.isJPEG } }

    /// Faults by option of `--pattern`; tintyped(8) describes all of them.
    ///
    /// Numbers of frames count from the start of each stream, percentages are spread evenly.
    package struct Faults: Hashable, Sendable {
        package var hangAfter: Int?
        /// The call that hangs; nil for the dequeue.
        package var hangAt: DriverCalls.Call?
        package var hang = Duration.seconds(30)
        package var stallAfter: Int?
        package var flagEvery: Int?
        package var shortEvery: Int?
        package var cutEvery: Int?
        package var damage: PatternDamage.Share?
        package var quirk: PictureQuirk?
        package var isDark = false
        /// Amplitude of the luma noise.
        package var noise: Int?
        package var isFrozen = false
        package var isUniform = false
        package var blackFrames = 0
        package var lateness = Duration.zero
        /// Frames over which the brightness rises after a start, as with an automatic exposure.
        package var ramp = 0
        /// Frames over which a colour cast fades after a start, as with an automatic white balance.
        package var chromaRamp = 0
        /// Frame interval, 1 to 1000 times the granted one.
        package var slowness = 1
        /// Timestamps are of unknown type, as from v4l2loopback.
        package var isUndated = false
        package var stampsEndOfFrame = false
        /// Timestamps are flagged as start of exposure but taken on arrival, as by uvcvideo.
        package var stampsArrival = false
        package var lead = Duration.zero
        /// Buffers granted, 1 to 32.
        package var buffers = wantedBuffers
        package var hasNoHuffmanTables = false
        package var padding = 0
        /// `fail`, and for short `deny`, `gone`, `busy`, `no-bandwidth` and `lose-after`.
        package var failures: [PatternFailure] = []
        package var pollErrorAfter: Int?
        package var flagPercent = 0
        package var flagAfter: Int?
        package var dropPercent = 0
        package var wrapsSequence = false
        /// The driver's clock wraps, like the sequence number, at the twentieth frame.
        package var wrapsTime = false
        package var overwrites = false
        /// In every n-th frame the second half is zero, as if overwritten while being copied.
        package var overwriteEvery: Int?
        package var exposure: Duration?
        /// Absolute path of a file with further faults, reread for every frame.
        package var file: String?
    }

    package struct ControlFaults: Hashable, Sendable {
        /// This control and the next two fail when they are set: EBUSY, EIO, ENODEV.
        package var busy: String?
        package var broken: String?
        package var gone: String?
        package var ignored: String?
        package var forgets = false
        package var foreignChangeAfter: Int?
        package var isShutterClosed = false
        package var shutterAfter: Int?

        package static let foreignBrightness: Int64 = 20
    }

    package init() {}
}

package struct PatternSpecError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Two sentences: the error and its remedy.
    package let description: String

    init(_ description: String) { self.description = description }
}

extension PatternSpec {
    package struct SizeRange: Hashable, Sendable {
        package var minimum: FrameSize
        /// 1x1 for any size.
        package var step: FrameSize
    }

    package struct Input: Hashable, Sendable {
        package var name: String
        /// Nil for a valid signal.
        package var fault: SignalFault?
    }

    package struct Change: Hashable, Sendable {
        package var after: Int
        /// New size; nil for no picture.
        package var size: FrameSize?
        package var fault: SignalFault?
    }

    /// One for each pixel format.
    func descriptions(of format: CaptureFormat) -> [FormatDescription] {
        var list: [FormatDescription] = []
        for offer in [format] + others {
            var entry = FrameSizeDescription(size: offer.size, intervals: offer.interval.map { [$0] } ?? [])
            if let sizes, offer == format {
                let (low, high) = (sizes.minimum, offer.size)
                entry = FrameSizeDescription(minimum: low, maximum: high, step: sizes.step, intervals: entry.intervals)
            }
            if let index = list.firstIndex(where: { $0.pixelFormat == offer.pixelFormat }) {
                list[index].add(entry)
            } else {
                list.append(FormatDescription(pixelFormat: offer.pixelFormat, name: "Test pattern", sizes: [entry]))
            }
        }
        return list
    }

    /// The offer nearest to a request, as drivers grant it.
    func grant(_ wish: CaptureFormat, of format: CaptureFormat) -> CaptureFormat {
        if let grants { return grants }
        let descriptions = descriptions(of: format)
        let description = descriptions.first { $0.pixelFormat == wish.pixelFormat } ?? descriptions[0]
        let sizes = description.sizes.map { (size: $0.nearest(to: wish.size), intervals: $0.intervals) }
        let best = sizes.min { wish.size.distance(to: $0.size) < wish.size.distance(to: $1.size) }
        let rate = (wish.interval ?? format.interval)?.rate ?? 30
        let interval = best?.intervals.min { abs($0.rate - rate) < abs($1.rate - rate) } ?? format.interval
        return CaptureFormat(pixelFormat: description.pixelFormat, size: best?.size ?? format.size, interval: interval)
    }
}

extension FormatDescription {
    fileprivate mutating func add(_ entry: FrameSizeDescription) {
        if let index = sizes.firstIndex(where: { $0.maximum == entry.maximum && $0.step == nil }) {
            sizes[index].intervals = (sizes[index].intervals + entry.intervals).sorted { $0.duration < $1.duration }
        } else {
            sizes.append(entry)
        }
    }
}

/// Simulated failure of a driver call: `fail=CALL:ERRNO` or `fail=CALL:ERRNO@N`, for example `fail=DQBUF:ENODEV@20`.
package struct PatternFailure: Hashable, Sendable {
    package var call: DriverCalls.Call
    package var errno: CInt
    /// Number of frames of the stream after which all calls fail.
    package var after = 0

    private static let names: [String: CInt] = [
        "EACCES": EACCES, "EBUSY": EBUSY, "EINVAL": EINVAL, "EIO": EIO, "ENODEV": ENODEV, "ENOENT": ENOENT,
        "ENOLINK": ENOLINK, "ENOMEM": ENOMEM, "ENOSPC": ENOSPC, "ENXIO": ENXIO, "EPERM": EPERM, "EPIPE": EPIPE,
        "EPROTO": EPROTO, "ESHUTDOWN": ESHUTDOWN, "ETIMEDOUT": ETIMEDOUT,
    ]

    /// With or without the prefix `VIDIOC_`.
    static func call(named name: String) -> DriverCalls.Call? {
        DriverCalls.Call.allCases.first { $0.name == name || $0.name == "VIDIOC_\(name)" }
    }
}

extension PatternFailure {
    init(_ text: String) throws(PatternSpecError) {
        let (names, count) = PatternSpec.halves(of: text, at: "@")
        let (name, code) = PatternSpec.halves(of: names, at: ":")
        guard let call = Self.call(named: name), let errno = Self.names[code ?? ""], let after = Int(count ?? "0"),
            after >= 0
        else {
            throw PatternSpecError(
                "“\(text)” names no failure. Give fail=CALL:ERRNO or fail=CALL:ERRNO@FRAMES, as in fail=STREAMON:EIO."
            )
        }
        self.init(call: call, errno: errno, after: after)
    }
}
