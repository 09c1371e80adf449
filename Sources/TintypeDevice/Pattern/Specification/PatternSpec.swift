// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// What the built-in test pattern shows and how it misbehaves, as `--pattern` spells it:
/// `YUYV:1280x720@30,hang-after=20,hang=30s`.
package struct PatternSpec: Hashable, Sendable {
    /// The format: YUYV, NV12, GREY, MJPG, 8-bit Bayer (BA81, GBRG, GRBG, RGGB) or Y16, any size and rate.
    package var format = CaptureFormat(
        pixelFormat: .yuyv,
        size: FrameSize(width: 1280, height: 720),
        interval: FrameInterval(framesPerSecond: 30)
    )
    /// The matrix and range of its YUV numbers; limited-range BT.601, as most cameras have.
    package var color = ColorEncoding(matrix: .bt601, range: .limited)
    /// More formats that are offered (`also=MJPG:1920x1080@30`, repeatable).
    package var others: [CaptureFormat] = []
    /// Sizes up to that of ``format``, in steps (`sizes=64x48/16x8`) or any (`sizes=64x48`); nil for that size alone.
    package var sizes: SizeRange?
    /// What is granted whatever is asked for (`grants=YUYV:640x480@15`); nil for the offer nearest to it.
    package var grants: CaptureFormat?
    /// Its inputs (`input=NAME` or `input=NAME:no-signal`, repeatable); empty for a camera.
    package var inputs: [Input] = []
    /// Whether it can deliver a part of the picture, YUYV and GREY only (`crops`).
    package var crops = false
    /// What becomes of the source in mid-stream (`change-after=N:640x480`, `change-after=N:no-lock`).
    package var change: Change?
    /// What it does wrong on purpose.
    package var faults = Faults()
    /// What its controls do wrong on purpose.
    package var controlFaults = ControlFaults()
    /// A file that says when the block is there, an absolute path (`moves=FILE`); nil for always.
    ///
    /// Without it, nothing moves but the number and the time at the top left.
    package var moves: String?

    /// Whether any of its formats needs an encoder.
    var hasJPEG: Bool { ([format] + others + (grants.map { [$0] } ?? [])).contains { $0.pixelFormat.isJPEG } }

    /// What a pattern camera does wrong on purpose.
    package struct Faults: Hashable, Sendable {
        /// A driver call after this many frames does not return for ``hang`` (`hang-after=N`).
        package var hangAfter: Int?
        /// Which one, the dequeue if nil (`hang-at=CALL`).
        package var hangAt: DriverCalls.Call?
        /// For how long that call hangs (`hang=30s`).
        package var hang = Duration.seconds(30)
        /// No frame comes after this many (`stall-after=N`).
        package var stallAfter: Int?
        /// Every n-th frame is flagged as damaged (`flag-every=N`).
        package var flagEvery: Int?
        /// Every n-th frame is cut short (`short-every=N`).
        package var shortEvery: Int?
        /// Every n-th MJPEG picture has lost its end (`cut-every=N`).
        package var cutEvery: Int?
        /// Of a hundred frames, how many are damaged, in every way that there is, and which throw of the dice
        /// (`damage=N` or `damage=N:SEED`).
        package var damage: PatternDamage.Share?
        /// What every MJPEG picture has wrong (`quirk=missingEnd`, `surplusBytes` or `decoderWarning`).
        package var quirk: PictureQuirk?
        /// Every frame is black (`dark`).
        package var isDark = false
        /// Each sample of luma is off by up to this much, differently in every frame (`noise=N`).
        package var noise: Int?
        /// Every frame is the same picture (`frozen`).
        package var isFrozen = false
        /// Every frame has one grey all over (`uniform`).
        package var isUniform = false
        /// So many frames after each start are black (`black-frames=N`).
        package var blackFrames = 0
        /// The first frame comes so long after each start (`late=4s`).
        package var lateness = Duration.zero
        /// The brightness rises over so many frames after each start, as exposure does that adjusts itself (`ramp=N`).
        package var ramp = 0
        /// A cast of colour fades over so many frames after each start, as white balance does it (`chroma-ramp=N`).
        package var chromaRamp = 0
        /// Frames take this many times as long as the granted interval says, 1 to 1000 (`slow=N`).
        package var slowness = 1
        /// Its stamps are of an unknown type, as v4l2loopback's (`undated`).
        package var isUndated = false
        /// Its stamps are taken at the end of the frame (`end-of-frame`).
        package var stampsEndOfFrame = false
        /// Its stamps are flagged as the start of exposure and taken when a frame arrives, as uvcvideo's (`arrival-stamps`).
        package var stampsArrival = false
        /// How long before its arrival a frame's exposure begins (`lead=50ms`).
        package var lead = Duration.zero
        /// Buffers granted, 1 to 32 (`buffers=N`).
        package var buffers = wantedBuffers
        /// MJPEG pictures without Huffman tables (`no-dht`).
        package var hasNoHuffmanTables = false
        /// Zero bytes after the end of MJPEG pictures (`padding=N`).
        package var padding = 0

        /// Driver calls that fail (`fail=CALL:ERRNO@N`, any number of times), also as if the node's mode refused (`deny`),
        /// there were no node (`gone`), another program streamed (`busy`), the USB bus were full (`no-bandwidth`), or the
        /// device were gone after so many frames (`lose-after=N`).
        package var failures: [PatternFailure] = []
        /// poll(2) reports an error after this many frames (`poll-error-after=N`).
        package var pollErrorAfter: Int?
        /// Of a hundred frames, how many are flagged as damaged (`flag=N`).
        package var flagPercent = 0
        /// All frames after this many are flagged as damaged (`flag-after=N`).
        package var flagAfter: Int?
        /// Of a hundred frames, how many the driver leaves out (`drop=N`).
        package var dropPercent = 0
        /// The driver's numbers wrap at the twentieth frame (`wrap-sequence`).
        package var wrapsSequence = false
        /// Its clock wraps at the twentieth frame (`wrap-timestamp`).
        package var wrapsTime = false
        /// It writes into buffers that it lent (`overwrite`).
        package var overwrites = false
        /// Of every n-th frame the second half of the bytes is zero, as if it were written over while it is copied
        /// (`overwrite-every=N`).
        package var overwriteEvery: Int?
        /// Each exposure takes this long, whatever the rate (`exposure=3s`).
        package var exposure: Duration?
        /// A file in which more faults may come and go, an absolute path (`faults=FILE`).
        package var file: String?
    }

    /// The pattern without faults, YUYV 1280x720 at 30 frames a second.
    package init() {}
}

/// Why a text is no ``PatternSpec``.
package struct PatternSpecError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what would be right, in two sentences.
    package let description: String

    init(_ description: String) { self.description = description }
}
