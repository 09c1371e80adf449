// SPDX-License-Identifier: Apache-2.0
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

    var hasJPEG: Bool { ([format] + others + (grants.map { [$0] } ?? [])).contains { $0.pixelFormat.isJPEG } }

    package struct Faults: Hashable, Sendable {
        /// After this many frames a driver call hangs for ``hang`` (`hang-after=N`).
        package var hangAfter: Int?
        /// Call that hangs; nil for the dequeue (`hang-at=CALL`).
        package var hangAt: DriverCalls.Call?
        /// Duration of the hang (`hang=30s`).
        package var hang = Duration.seconds(30)
        /// No more frames after this many (`stall-after=N`).
        package var stallAfter: Int?
        /// Every n-th frame is flagged as damaged (`flag-every=N`).
        package var flagEvery: Int?
        /// Every n-th frame has a short `bytesused` (`short-every=N`).
        package var shortEvery: Int?
        /// Every n-th MJPEG picture is truncated (`cut-every=N`).
        package var cutEvery: Int?
        /// Percentage of frames with random damage of any kind, and seed (`damage=N` or `damage=N:SEED`).
        package var damage: PatternDamage.Share?
        /// Quirk of every MJPEG picture (`quirk=missingEnd`, `surplusBytes` or `decoderWarning`).
        package var quirk: PictureQuirk?
        /// Every frame is black (`dark`).
        package var isDark = false
        /// Amplitude of luma noise (`noise=N`).
        package var noise: Int?
        /// Every frame is the same picture (`frozen`).
        package var isFrozen = false
        /// Every frame is uniformly grey (`uniform`).
        package var isUniform = false
        /// Number of black frames after each start (`black-frames=N`).
        package var blackFrames = 0
        /// Delay of the first frame after each start (`late=4s`).
        package var lateness = Duration.zero
        /// Number of frames over which the brightness rises after each start, like an automatic exposure (`ramp=N`).
        package var ramp = 0
        /// Frames over which a colour cast fades after each start, like an automatic white balance (`chroma-ramp=N`).
        package var chromaRamp = 0
        /// Factor by which frames are slower than the granted interval, 1 to 1000 (`slow=N`).
        package var slowness = 1
        /// Timestamps of unknown type, as from v4l2loopback (`undated`).
        package var isUndated = false
        /// Timestamps at the end of the frame (`end-of-frame`).
        package var stampsEndOfFrame = false
        /// Timestamps flagged as start of exposure but taken on arrival, as by uvcvideo (`arrival-stamps`).
        package var stampsArrival = false
        /// Time from start of exposure to arrival (`lead=50ms`).
        package var lead = Duration.zero
        /// Number of buffers granted, 1 to 32 (`buffers=N`).
        package var buffers = wantedBuffers
        /// MJPEG pictures without Huffman tables (`no-dht`).
        package var hasNoHuffmanTables = false
        /// Number of zero bytes after EOI of MJPEG pictures (`padding=N`).
        package var padding = 0

        /// Failing driver calls (`fail=CALL:ERRNO@N`, repeatable; also `deny`, `gone`, `busy`, `no-bandwidth`,
        /// `lose-after=N`).
        package var failures: [PatternFailure] = []
        /// poll(2) reports an error after this many frames (`poll-error-after=N`).
        package var pollErrorAfter: Int?
        /// Percentage of frames flagged as damaged (`flag=N`).
        package var flagPercent = 0
        /// All frames after this many are flagged as damaged (`flag-after=N`).
        package var flagAfter: Int?
        /// Percentage of frames dropped by the driver (`drop=N`).
        package var dropPercent = 0
        /// The sequence number wraps at the twentieth frame (`wrap-sequence`).
        package var wrapsSequence = false
        /// The driver's clock wraps at the twentieth frame (`wrap-timestamp`).
        package var wrapsTime = false
        /// Buffers on lease are overwritten (`overwrite`).
        package var overwrites = false
        /// Every n-th frame is half zero, as if overwritten while being copied (`overwrite-every=N`).
        package var overwriteEvery: Int?
        /// Exposure time of each frame, regardless of the rate (`exposure=3s`).
        package var exposure: Duration?
        /// Absolute path of a file with additional faults, reread for every frame (`faults=FILE`).
        package var file: String?
    }

    package struct ControlFaults: Hashable, Sendable {
        /// Setting this control fails as if in use by another program (`control-busy=NAME`).
        package var busy: String?
        /// Setting this control fails with an I/O error (`control-error=NAME`).
        package var broken: String?
        /// Setting this control fails as if the camera were removed (`control-gone=NAME`).
        package var gone: String?
        /// Setting this control succeeds without effect (`control-ignored=NAME`).
        package var ignored: String?
        /// Controls are reset to their defaults when a stream starts (`forget-controls`).
        package var forgets = false
        /// Another program changes the brightness after this many frames, once subscribed to
        /// (`foreign-change-after=N`).
        package var foreignChangeAfter: Int?
        /// The privacy shutter is closed (`shutter`).
        package var isShutterClosed = false
        /// The privacy shutter is toggled after this many frames (`shutter-after=N`).
        package var shutterAfter: Int?

        package static let foreignBrightness: Int64 = 20

        /// False if it is not one of these.
        mutating func read(_ key: String, _ value: String?) throws(PatternSpecError) -> Bool {
            switch key {
            case "control-busy": busy = try Self.name(key, value)
            case "control-error": broken = try Self.name(key, value)
            case "control-gone": gone = try Self.name(key, value)
            case "control-ignored": ignored = try Self.name(key, value)
            case "forget-controls": forgets = true
            case "shutter": isShutterClosed = true
            case "foreign-change-after": foreignChangeAfter = try PatternSpec.number(key, value, 0...1_000_000_000)
            case "shutter-after": shutterAfter = try PatternSpec.number(key, value, 1...1_000_000_000)
            default: return false
            }
            return true
        }

        private static func name(_ key: String, _ value: String?) throws(PatternSpecError) -> String {
            let names = PatternControls.table.map(\.name)
            guard let value, names.contains(value) else {
                throw PatternSpecError("\(key) takes the name of a control: one of \(names.joined(separator: ", ")).")
            }
            return value
        }
    }

    package init() {}
}

package struct PatternSpecError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Two sentences: the error and its remedy.
    package let description: String

    init(_ description: String) { self.description = description }
}
