// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// The faults of the frames of a camera that gives some: each of the three questions has at most one answer.
struct FrameDiagnosis {
    private let examination: Examination
    private var frames: FrameTally { examination.frames }
    private var pictures: PictureTally { examination.pictures }

    /// Fewer equal pictures than this may be chance.
    static let fewestEqual = 5
    /// Less than this share of the granted rate is slow.
    static let slowShare = 0.8
    /// A first frame that takes longer is late: so long a camera has at its first attempt.
    static let lateStart = Duration.seconds(2)
    /// More than this share of the frames left out is a loss.
    static let lossShare = 0.1

    init(_ examination: Examination) { self.examination = examination }

    /// Whether frames arrive whole and without a break.
    var damage: Finding? {
        let damaged = frames.flagged + frames.short + UInt64(pictures.corrupt)
        if damaged > 0 {
            let kinds = [
                (frames.flagged, "with the driver's error flag"), (frames.short, "cut short"),
                (UInt64(pictures.corrupt), "that are not whole pictures"),
            ]
            let counts = kinds.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
            return Finding(
                .damagedFrames,
                pictures.examined == 0 ? "The camera gives damaged frames only." : "The camera gives damaged frames.",
                evidence: "Of \(frames.captured) frames: \(counts).",
                remedy: "Try another cable and another port, without a hub, then a lower rate or a smaller size."
            )
        }
        guard frames.interrupted > 0 else { return nil }
        return Finding(
            .interrupted,
            "The camera went away and came back.",
            evidence: "Its stream broke off \(Self.times(frames.interrupted)) in \(examination.tookMs.spoken).",
            remedy:
                "Check cable, port and the power of its hub; the kernel's log has the cause (sudo journalctl -k)."
        )
    }

    /// Whether its privacy shutter lets anything through; no still is taken while it does not.
    var shutter: Finding? {
        guard examination.shutterClosed == true else { return nil }
        return Finding(
            .shutterClosed,
            "The camera's privacy shutter is closed.",
            evidence: "The control privacy (V4L2_CID_PRIVACY) is set.",
            remedy: "Open the shutter or press its key."
        )
    }

    /// Whether the picture shows something.
    var picture: Finding? {
        guard pictures.examined > 0, let mean = pictures.meanLuma, let darkest = pictures.darkest,
            let brightest = pictures.brightest
        else { return nil }
        let luma = "Luma is \(mean) of 255 on average; 98 % of the pixels have \(darkest) to \(brightest)."
        if brightest < Appearance.darkLuma {
            return Finding(
                .dark,
                "The picture is dark.",
                evidence: luma,
                remedy: "Remove the lens cap or open the shutter, add light, and check exposure and gain."
            )
        }
        if brightest - darkest < Appearance.evenSpan {
            return Finding(
                .uniform,
                "The picture shows one uniform tone.",
                evidence: luma,
                remedy: "Check the view before the lens; a device without a source often shows one colour."
            )
        }
        guard pictures.examined >= Self.fewestEqual, pictures.changed == 0 else { return nil }
        return Finding(
            .frozen,
            "The picture does not change.",
            evidence: "\(pictures.examined) pictures are equal in every pixel; a sensor's noise makes them differ.",
            remedy: "Unplug the camera and plug it in again; a virtual camera is fed a still picture."
        )
    }

    /// Whether frames come soon, and as fast as granted.
    var pace: Finding? {
        if let first = examination.phasesMs.firstFrame, first.duration > Self.lateStart {
            return Finding(
                .slowToStart,
                "The camera is slow to start.",
                evidence: "Its first frame came after \(first.spoken).",
                remedy: "Allow more time than that (deadlineMs), or keep the camera open (warmth: linger or hot)."
            )
        }
        let lost = Double(frames.sequenceGaps) / Double(max(1, frames.captured + frames.sequenceGaps))
        let granted = examination.format?.interval?.rate
        let isSlow = if let rate = frames.rate, let granted { rate < granted * Self.slowShare } else { false }
        let rates = frames.rate.map { rate in
            "\(rate) frames a second came" + (granted.map { ", \(($0 * 100).rounded() / 100) were granted" } ?? "")
                + "."
        }
        if lost > Self.lossShare {
            let counts = "\(frames.sequenceGaps) of \(frames.captured + frames.sequenceGaps) frames were left out."
            return Finding(
                .droppedFrames,
                "Frames are lost on the way from the camera.",
                evidence: [counts, rates].compactMap(\.self).joined(separator: " "),
                remedy: "Check whether the machine is overloaded or other devices share the USB bus; choose MJPG, a "
                    + "smaller size or a lower rate."
            )
        }
        guard isSlow, let rates else { return nil }
        return Finding(
            .slow,
            "The camera is slower than its driver granted.",
            evidence: rates + " None was lost on the way.",
            remedy: "Give it more light, or forbid it to lengthen the exposure (exposure_dynamic_framerate=0)."
        )
    }

    private static func times(_ count: UInt64) -> String { count == 1 ? "once" : "\(count) times" }
}
