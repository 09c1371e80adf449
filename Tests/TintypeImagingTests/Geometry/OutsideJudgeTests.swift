// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeImaging

/// Stills checked by other programs: pixels by Pillow, sizes by ffprobe.
struct OutsideJudgeTests {
    /// Script that applies the same operations to the source of each line and compares every pixel.
    private static let script = """
        import json, sys
        from PIL import Image, ImageChops, ImageStat
        turns = {90: Image.ROTATE_270, 180: Image.ROTATE_180, 270: Image.ROTATE_90}
        flips = {"horizontal": Image.FLIP_LEFT_RIGHT, "vertical": Image.FLIP_TOP_BOTTOM}
        for line in json.load(open(sys.argv[1])):
            picture = Image.open(line["source"]).convert("RGB")
            left, top, width, height = line["region"]
            picture = picture.crop((left, top, left + width, top + height))
            if line.get("flip"): picture = picture.transpose(flips[line["flip"]])
            if line["turn"]: picture = picture.transpose(turns[line["turn"]])
            still = Image.open(line["still"])
            still.load()
            still = still.convert("RGB")
            if still.size != picture.size:
                picture = picture.resize(tuple(line["size"]), Image.BOX)
            if still.size != picture.size or list(still.size) != line["size"]:
                print("%s is %s, not %s" % (line["name"], still.size, picture.size)); continue
            mean = max(ImageStat.Stat(ImageChops.difference(still, picture)).mean)
            if mean > line["limit"]: print("%s differs by %.2f" % (line["name"], mean))
        print("looked at all")
        """

    private struct Line: Encodable {
        let name: String
        let source: String
        let still: String
        let region: [Int]
        let size: [Int]
        let flip: String?
        let turn: Int
        let limit: Double
    }

    /// Stills of one sampling and orientation, with their regions of the source.
    private func stills(of kind: ChromaSampling, _ way: WayRound, in folder: URL) throws -> [Line] {
        let size = FrameSize(width: 304, height: 208)
        let jpeg = SampleJPEG.sampled(kind, size, quality: 95)
        let source = folder.appending(path: "\(kind).jpg").path
        try Data(jpeg).write(to: URL(filePath: source))
        var transformer = JPEGTransformer()
        var encoder = JPEGEncoder()
        var picture = PlanarPicture()
        var lines: [Line] = []
        for (box, crop, lossless) in [
            (nil, nil, true), (nil, "150x90+37+21", true), (nil, nil, false), (nil, "150x90+37+21", false),
            (100, nil, false), (77, "150x90+37+21", false),
        ] as [(Int?, String?, Bool)] {
            let crop = crop.flatMap { CropRectangle($0) }
            let plan = try GeometryPlan(way.rendering(width: box, crop: crop, isLossless: lossless), of: size)
            let still: [UInt8]
            let region: CropRectangle
            let result: FrameSize
            if lossless {
                guard let whole = try transformer.transform(jpeg.rawSpan, plan: plan) else { continue }
                region = try #require(try LosslessPlan(plan, of: JPEGHeader.read(jpeg.rawSpan))).region
                (still, result) = (whole, plan.orientation.size(of: region.size))
            } else {
                try transformer.draw(jpeg.rawSpan, plan: plan, into: &picture)
                (still, region, result) = (try encoder.encode(picture, quality: 95), plan.region, plan.size)
            }
            let name = "\(kind), \(way.testDescription), \(box ?? 0), \(crop?.description ?? "whole"), \(lossless)"
            let file = "\(way.flip?.rawValue ?? "none")-\(way.turn.rawValue)-\(lines.count).jpg"
            let path = folder.appending(path: file).path
            try Data(still).write(to: URL(filePath: path))
            lines.append(
                Line(
                    name: name,
                    source: source,
                    still: path,
                    region: [region.left, region.top, region.size.width, region.size.height],
                    size: [result.width, result.height],
                    flip: way.flip?.rawValue,
                    turn: way.turn.rawValue,
                    // Pillow interpolates chroma samples, the encoder does not: the difference is largest with 4:1:1.
                    limit: kind == .fourth ? 5 : box == nil ? 2 : 4
                )
            )
        }
        return lines
    }

    @Test(arguments: ChromaSampling.allCases)
    func `stills match the transformations of Pillow`(_ kind: ChromaSampling) throws {
        try inTemporaryFolder { folder in
            let folder = URL(filePath: folder)
            let lines = try WayRound.all.flatMap { try stills(of: kind, $0, in: folder) }
            #expect(lines.count >= 12 * 4)
            let list = folder.appending(path: "list.json")
            try JSONEncoder().encode(lines).write(to: list)
            let told = try Programs.run(["/usr/bin/python3", "-c", Self.script, list.path])
            #expect(String(decoding: told, as: UTF8.self) == "looked at all\n")
            for line in lines.indices where line.isMultiple(of: 7) {
                let entries = ["-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0"]
                let size = try Programs.run(["ffprobe"] + entries + [lines[line].still])
                let expected = lines[line].size.map(String.init).joined(separator: ",") + "\n"
                #expect(String(decoding: size, as: UTF8.self) == expected)
            }
        }
    }
}
