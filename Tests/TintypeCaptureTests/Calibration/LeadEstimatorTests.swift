// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

@testable import TintypeStills

struct LeadEstimatorTests {
    /// A camera that looks at a lamp; times in milliseconds.
    struct Camera: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var interval = 33.333
        var lead = 60.0
        var exposure = 20.0
        var readout = 10.0
        /// How many times as bright the lamp is as what the picture shows as white.
        var brightness = 1.0
        /// What else there is in the picture, by frame and band.
        var ambient: @Sendable (_ frame: Int, _ band: Int) -> Double = { _, _ in 0 }
        /// The bands that show the lamp.
        var shown = 0..<BrightFrame.bandCount
        /// The stamps are off by up to this much.
        var jitter = 0.0
        /// The light comes up to this much after the moment that is told, as a screen's.
        var delay = 0.0

        /// The frames of so many changes at random moments, and these moments.
        func record(_ count: Int, seed: UInt64, shortest: Double = 500) -> ([BrightFrame], [MonotonicTime]) {
            var random = SeededGenerator(seed: seed)
            var moments: [Double] = []
            for _ in 0..<count {
                moments.append((moments.last ?? 1000) + .random(in: shortest...shortest + 1000, using: &random))
            }
            let lights = moments.map { $0 + Double.random(in: 0...max(delay, 0.001), using: &random) }
            let last = (moments.last ?? 0) + 2000
            let frames = (0..<Int(last / interval)).map { index -> BrightFrame in
                let begin = Double(index) * interval
                let bands = (0..<BrightFrame.bandCount).map { band -> Double in
                    guard shown.contains(band) else { return ambient(index, band) }
                    let place = (Double(band) + 0.5) / Double(BrightFrame.bandCount)
                    let start = begin + (readout < 0 ? -readout * (1 - place) : readout * place)
                    return min(1, ambient(index, band) + brightness * Self.lit(lights, from: start, for: exposure))
                }
                let stamp = begin + lead + .random(in: -max(jitter, 0.001)...max(jitter, 0.001), using: &random)
                return BrightFrame(stamp: Self.time(stamp), bands: bands)
            }
            return (frames, moments.map(Self.time))
        }

        private static func time(_ milliseconds: Double) -> MonotonicTime {
            MonotonicTime(nanoseconds: 5_000_000_000 + Int64(milliseconds * 1_000_000))
        }

        private static func lit(_ changes: [Double], from start: Double, for duration: Double) -> Double {
            var lit = 0.0
            for index in stride(from: 0, to: changes.count, by: 2) {
                let off = index + 1 < changes.count ? changes[index + 1] : .infinity
                lit += max(0, min(start + duration, off) - max(start, changes[index]))
            }
            return lit / duration
        }
    }

    @Test(arguments: [
        Camera(testDescription: "usual"),
        Camera(testDescription: "a stamp at the start of exposure", lead: 0),
        Camera(testDescription: "hardly any exposure", exposure: 0.5, readout: 0),
        Camera(testDescription: "hardly any exposure, rolling shutter", exposure: 0.5, readout: 28),
        Camera(testDescription: "exposed for the whole interval", lead: 70, exposure: 33, readout: 30),
        Camera(testDescription: "the last row first", readout: -25),
        Camera(testDescription: "a lamp that saturates the picture", exposure: 30, brightness: 4),
        Camera(testDescription: "a dim lamp in a room whose light flickers", brightness: 0.1) {
            frame,
            _ in 0.3 + 0.002 * Double(frame % 3)
        },
        Camera(testDescription: "late", lead: 900),
        Camera(testDescription: "stamps that are uneven", jitter: 4),
        Camera(testDescription: "fifteen frames a second", interval: 66.667, lead: 120, exposure: 60, readout: 30),
        Camera(testDescription: "hundred frames a second", interval: 10, lead: 25, exposure: 8, readout: 9),
    ])
    func `the lead is found within three milliseconds`(_ camera: Camera) throws {
        for seed: UInt64 in 1...20 {
            let (frames, moments) = camera.record(40, seed: seed)
            let estimate = try #require(LeadEstimator.estimate(frames, moments), "seed \(seed)")
            #expect(abs(estimate.lead.millisecondCount - camera.lead) <= 3, "seed \(seed): \(estimate)")
            #expect(estimate.seen >= 36, "seed \(seed): \(estimate)")
        }
    }

    @Test func `the delay of a screen is in the lead and in the spread`() throws {
        let camera = Camera(testDescription: "a screen of 60 Hz", delay: 16.7)
        for seed: UInt64 in 1...20 {
            let (frames, moments) = camera.record(40, seed: seed)
            let estimate = try #require(LeadEstimator.estimate(frames, moments))
            #expect(abs(estimate.lead.millisecondCount - 68.3) <= 9, "seed \(seed): \(estimate)")
            #expect((4...12).contains(estimate.spread.millisecondCount), "seed \(seed): \(estimate)")
        }
    }

    @Test func `the spread covers what frames that are exposed shortly leave open`() throws {
        let camera = Camera(testDescription: "a webcam in the sun", exposure: 0.5, readout: 0)
        for seed in 1...10 as ClosedRange<UInt64> {
            let (frames, moments) = camera.record(10, seed: seed)
            let estimate = try #require(LeadEstimator.estimate(frames, moments))
            let error = abs(estimate.lead.millisecondCount - camera.lead)
            #expect(error <= estimate.spread.millisecondCount + 0.5, "seed \(seed): \(estimate)")
        }
    }

    @Test func `a lamp that shows in a part of the picture is enough`() throws {
        let camera = Camera(testDescription: "the middle", readout: 0, shown: 3..<5)
        let (frames, moments) = camera.record(40, seed: 4)
        let estimate = try #require(LeadEstimator.estimate(frames, moments))
        #expect(abs(estimate.lead.millisecondCount - 60) <= 3, "\(estimate)")
    }

    @Test(arguments: [
        Camera(testDescription: "dark", brightness: 0),
        Camera(testDescription: "people who walk by", brightness: 0) { frame, _ in frame % 97 < 40 ? 0.6 : 0.1 },
        Camera(testDescription: "another picture in each frame", brightness: 0) { frame, band in
            (frame * 8 + band) &* 2_654_435_761 >> 13 & 1 == 0 ? 0.2 : 0.4
        },
    ])
    func `no lead comes of pictures that do not show the light`(_ camera: Camera) {
        for seed: UInt64 in 1...40 {
            let (frames, moments) = camera.record(seed % 2 == 0 ? 40 : 20, seed: seed)
            #expect(LeadEstimator.estimate(frames, moments) == nil, "seed \(seed)")
        }
    }

    @Test func `no lead comes of a record that is too short`() {
        let (frames, moments) = Camera(testDescription: "usual").record(7, seed: 1)
        #expect(LeadEstimator.estimate(frames, moments) == nil)
        #expect(LeadEstimator.estimate([], moments) == nil)
        #expect(LeadEstimator.estimate(frames, []) == nil)
    }
}
