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
