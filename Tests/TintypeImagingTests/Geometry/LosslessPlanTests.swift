// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeModel

@testable internal import TintypeImaging

struct LosslessPlanTests {
    /// A picture, what is asked of it, and which part of it that takes; nil where it cannot be had in whole blocks.
    struct Case: Sendable, CustomTestStringConvertible {
        let sampling: ChromaSampling
        let size: String
        var crop: String?
        var flip: Flip?
        var turn = Turn.none
        let region: String?
        var testDescription: String {
            "\(sampling) \(size) \(crop ?? "whole") flip \(flip?.rawValue ?? "none") turn \(turn.rawValue)"
        }
    }

    @Test(arguments: [
        // A part begins on a block, at or before what was asked; its end stays.
        Case(sampling: .quarter, size: "640x480", crop: "100x50+32+16", region: "100x50+32+16"),
        Case(sampling: .quarter, size: "640x480", crop: "100x50+33+17", region: "101x51+32+16"),
        Case(sampling: .quarter, size: "640x480", crop: "100x50+47+31", region: "115x65+32+16"),
        Case(sampling: .half, size: "640x480", crop: "100x50+47+31", region: "115x57+32+24"),
        Case(sampling: .full, size: "640x480", crop: "100x50+47+31", region: "107x57+40+24"),
        Case(sampling: .halfRows, size: "640x480", crop: "100x50+47+31", region: "107x65+40+16"),
        Case(sampling: .fourth, size: "640x480", crop: "100x50+47+31", region: "115x57+32+24"),
        Case(sampling: .grey, size: "640x480", crop: "100x50+47+31", region: "107x57+40+24"),
        Case(sampling: .quarter, size: "639x479", crop: "9x9+630+470", region: "15x15+624+464"),
        // Where it is mirrored it ends on a block too.
        Case(sampling: .quarter, size: "640x480", crop: "100x50+33+17", flip: .horizontal, region: "112x51+32+16"),
        Case(sampling: .quarter, size: "640x480", crop: "100x50+33+17", flip: .vertical, region: "101x64+32+16"),
        Case(sampling: .quarter, size: "640x480", crop: "100x50+33+17", turn: .half, region: "112x64+32+16"),
        // A quarter clockwise mirrors the rows, three of them the columns.
        Case(sampling: .quarter, size: "640x480", crop: "100x50+33+17", turn: .quarter, region: "101x64+32+16"),
        Case(sampling: .quarter, size: "640x480", crop: "100x50+33+17", turn: .threeQuarters, region: "112x51+32+16"),
        // What is mirrored at the picture's own edge loses its incomplete block.
        Case(sampling: .quarter, size: "1920x1080", flip: .vertical, region: "1920x1072+0+0"),
        Case(sampling: .half, size: "1920x1080", flip: .vertical, region: "1920x1080+0+0"),
        Case(sampling: .quarter, size: "1920x1080", flip: .horizontal, region: "1920x1080+0+0"),
        Case(sampling: .quarter, size: "1920x1080", turn: .quarter, region: "1920x1072+0+0"),
        Case(sampling: .quarter, size: "1920x1080", turn: .threeQuarters, region: "1920x1080+0+0"),
        Case(sampling: .quarter, size: "1920x1080", flip: .horizontal, turn: .threeQuarters, region: "1920x1080+0+0"),
        Case(sampling: .quarter, size: "639x479", turn: .half, region: "624x464+0+0"),
        // Nothing of it would be left, or it could not be read again.
        Case(sampling: .quarter, size: "639x479", crop: "9x9+630+470", flip: .horizontal, region: nil),
        Case(sampling: .quarter, size: "15x15", turn: .half, region: nil),
        Case(sampling: .fourth, size: "640x480", turn: .quarter, region: nil),
        Case(sampling: .fourth, size: "640x480", flip: .horizontal, turn: .threeQuarters, region: nil),
        Case(sampling: .fourth, size: "640x480", turn: .half, region: "640x480+0+0"),
    ])
    func `a part grows to whole blocks, and at a mirrored edge of the picture shrinks to them`(_ test: Case) throws {
        let size = try #require(FrameSize(test.size))
        let jpeg = SampleJPEG.sampled(test.sampling, size)
        let header = try JPEGHeader.read(jpeg.rawSpan)
        #expect(header.sampling == test.sampling)
        let crop = try test.crop.map { try #require(CropRectangle($0)) }
        let plan = try GeometryPlan(StillRendering(crop: crop, turn: test.turn, flip: test.flip), of: size)
        #expect(LosslessPlan(plan, of: header)?.region.description == test.region)
    }

    @Test func `a scaled picture is drawn`() throws {
        let size = FrameSize(width: 64, height: 64)
        let jpeg = SampleJPEG.sampled(.quarter, size)
        let plan = try GeometryPlan(StillRendering(width: 32), of: size)
        #expect(try LosslessPlan(plan, of: JPEGHeader.read(jpeg.rawSpan)) == nil)
    }
}
