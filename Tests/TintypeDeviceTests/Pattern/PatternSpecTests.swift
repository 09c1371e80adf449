// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing
import TintypeModel

@testable import TintypeDevice

struct PatternSpecTests {
    @Test func `defaults to YUYV 1280x720 at 30 frames per second`() throws {
        #expect(try PatternSpec("YUYV") == PatternSpec())
        #expect(try PatternSpec("YUYV").format.description == "YUYV:1280x720@30")
        #expect(try PatternSpec("NV12@5").format.description == "NV12:1280x720@5")
        #expect(try PatternSpec("MJPG:64x48").format.description == "MJPG:64x48@30")
        #expect(try PatternSpec("GREY:64x48@29.97").format.description == "GREY:64x48@29.97")
    }

    @Test func `parses the options of formats, sizes, crop and inputs`() throws {
        let spec = try PatternSpec(
            "YUYV:640x480@30,also=MJPG:1280x720,also=YUYV@15,sizes=64x48/16x8,grants=GREY:64x48@5,crops,input=TV,"
                + "input=HDMI 1:no-lock,change-after=9:320x240"
        )
        #expect(spec.others.map(\.description) == ["MJPG:1280x720@30", "YUYV:640x480@15"])
        #expect(spec.sizes?.minimum == FrameSize(width: 64, height: 48))
        #expect(spec.sizes?.step == FrameSize(width: 16, height: 8))
        #expect(spec.grants?.description == "GREY:64x48@5")
        #expect(spec.crops)
        #expect(spec.inputs.map(\.name) == ["TV", "HDMI 1"])
        #expect(spec.inputs.map(\.fault) == [nil, .noLock])
        #expect(spec.change?.after == 9)
        #expect(spec.change?.size == FrameSize(width: 320, height: 240))
        #expect(try PatternSpec("YUYV,sizes=64x48").sizes?.step == FrameSize(width: 1, height: 1))
        #expect(try PatternSpec("YUYV,change-after=0:out-of-range").change?.fault == .outOfRange)
    }

    @Test func `parses every fault option`() throws {
        let text =
            "MJPG:64x48@10,deny,busy,no-bandwidth,undated,end-of-frame,no-dht,hang-after=20,hang=3s,lose-after=0,"
            + "stall-after=4,flag-every=5,short-every=6,cut-every=7,buffers=2,padding=100,dark,frozen,noise=12,slow=8,"
            + "range=full,matrix=bt709,fail=STREAMON:EIO,fail=DQBUF:EIO@7,gone,poll-error-after=8,flag=9,flag-after=6,"
            + "drop=90,wrap-sequence,wrap-timestamp,overwrite,overwrite-every=11,exposure=500ms,hang-at=REQBUFS,faults=/tmp/faults,"
            + "arrival-stamps,lead=50ms,damage=10:7,quirk=surplusBytes,uniform,black-frames=3,ramp=30,chroma-ramp=40,moves=/tmp/moves,"
            + "late=4s"
        let spec = try PatternSpec(text)
        var faults = PatternSpec.Faults()
        faults.isUndated = true
        faults.stampsEndOfFrame = true
        faults.stampsArrival = true
        faults.lead = .milliseconds(50)
        faults.hasNoHuffmanTables = true
        faults.hangAfter = 20
        faults.hang = .seconds(3)
        faults.stallAfter = 4
        faults.flagEvery = 5
        faults.shortEvery = 6
        faults.cutEvery = 7
        faults.buffers = 2
        faults.padding = 100
        faults.isDark = true
        faults.isFrozen = true
        faults.noise = 12
        faults.lateness = .seconds(4)
        faults.slowness = 8
        faults.failures = [
            PatternFailure(call: .open, errno: EACCES), PatternFailure(call: .streamOn, errno: EBUSY),
            PatternFailure(call: .streamOn, errno: ENOSPC), PatternFailure(call: .dequeue, errno: ENODEV, after: 0),
            PatternFailure(call: .streamOn, errno: EIO), PatternFailure(call: .dequeue, errno: EIO, after: 7),
            PatternFailure(call: .open, errno: ENOENT),
        ]
        faults.pollErrorAfter = 8
        faults.flagPercent = 9
        faults.flagAfter = 6
        faults.dropPercent = 90
        faults.damage = PatternDamage.Share(percent: 10, seed: 7)
        faults.quirk = .surplusBytes
        faults.wrapsSequence = true
        faults.wrapsTime = true
        faults.overwrites = true
        faults.overwriteEvery = 11
        faults.exposure = .milliseconds(500)
        faults.hangAt = .requestBuffers
        faults.file = "/tmp/faults"
        faults.isUniform = true
        faults.blackFrames = 3
        faults.ramp = 30
        faults.chromaRamp = 40
        #expect(spec.faults == faults)
        #expect(spec.moves == "/tmp/moves")
        #expect(try PatternSpec("YUYV:1280x720@15,scene=yard").scene == .yard)
        #expect(spec.color == ColorEncoding(matrix: .bt709, range: .full))
        #expect(try PatternSpec("YUYV,hang=3").faults.hang == .seconds(3))
    }

    @Test(arguments: [
        ("", "“”"), ("H264", "H264"), ("YUYV:1280", "1280"), ("YUYV:20000x1", "20000x1"), ("YUYV@0", "“0”"),
        ("YUYV@fast", "fast"), ("YUYV,explode", "explode"), ("YUYV,hang-after", "hang-after"), ("YUYV,hang=0", "hang"),
        ("YUYV,hang=3m", "hang"), ("YUYV,flag-every=0", "flag-every"), ("YUYV,buffers=33", "buffers"),
        ("YUYV,slow=0", "slow"), ("YUYV,range=half", "range"), ("YUYV,matrix=bt1", "matrix"), ("YUYV,", "“”"),
        ("YUYV,also=H264", "H264"), ("YUYV,grants", "“”"), ("YUYV:64x48,sizes=65x48", "65x48"),
        ("YUYV,sizes=64x48/0x1", "64x48/0x1"), ("YUYV,input", "no input"), ("YUYV,input=3", "“3”"),
        ("YUYV,input=TV:dark", "TV:dark"), ("YUYV,change-after=3", "“3”"), ("YUYV,change-after=x:1x1", "change-after"),
        ("YUYV,change-after=3:blue", "3:blue"), ("YUYV,fail", "fail="), ("YUYV,fail=STREAMON", "STREAMON"),
        ("YUYV,fail=DANCE:EIO", "DANCE"), ("YUYV,fail=QBUF:EWRONG", "EWRONG"), ("YUYV,fail=QBUF:EIO@", "QBUF:EIO@"),
        ("YUYV,fail=QBUF:EIO@-1", "@-1"), ("YUYV,drop=101", "drop"), ("YUYV,damage=101", "damage"),
        ("YUYV,damage=5:x", "damage"), ("YUYV,quirk", "quirk"), ("YUYV,quirk=odd", "missingEnd"),
        ("YUYV,hang-at=DANCE", "hang-at"), ("YUYV,exposure=5", "exposure"), ("YUYV,exposure=2m", "exposure"),
        ("YUYV,scene=beach", "scene is yard or workshop"), ("YUYV,scene=yard,moves=/tmp/moves", "scene cannot"),
        ("YUYV,faults=relative", "faults"), ("YUYV,moves=relative", "moves"), ("YUYV,lead=11s", "lead"),
    ])
    func `rejects an invalid pattern and names the wrong part`(_ text: String, _ words: String) {
        let error = #expect(throws: PatternSpecError.self) { try PatternSpec(text) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        ("YUYV:1280x720@30", true), ("MJPG:640x480@15,also=YUYV:320x240@5,sizes=64x48/16x8", true),
        ("YUYV,scene=workshop", true),
        ("GREY,range=full,matrix=bt709,crops,input=HDMI,moves=/tmp/moves", true), ("YUYV,grants=GREY:64x48@5", true),
        ("YUYV,stall-after=3", false), ("YUYV,busy", false), ("YUYV,noise=3", false), ("YUYV,shutter", false),
        ("YUYV,faults=/tmp/f", false), ("YUYV,input=HDMI:no-signal", false), ("YUYV,change-after=3:64x48", false),
    ])
    func `tells a pattern without faults`(_ text: String, _ isFaultless: Bool) throws {
        #expect(try PatternSpec(text).isFaultless == isFaultless)
    }
}
