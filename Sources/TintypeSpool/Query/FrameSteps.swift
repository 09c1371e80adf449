// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// The steps by which the catalog sorts frames of about the same size.
///
/// They are part of the schema that was released: never change one.
enum FrameSteps {
    /// The least number of each step but the first, which begins at 0.
    static func thresholds(of measure: FrameMeasure) -> [Int] {
        switch measure {
        case .bytes:
            // 4 KiB, 6 KiB, 8 KiB, … 16 MiB, then 32 and 64 MiB.
            (12...23).flatMap { [1 << $0, 3 << ($0 - 1)] } + [1 << 24, 1 << 25, 1 << 26]
        case .width: [320, 640, 800, 1024, 1280, 1600, 1920, 2560, 3840]
        case .height: [240, 480, 600, 720, 960, 1080, 1440, 2160]
        }
    }

    /// The unit of each measure in the column `scale`: bytes, then width, then height, two digits each.
    static func weight(of measure: FrameMeasure) -> Int {
        switch measure {
        case .bytes: 10_000
        case .width: 100
        case .height: 1
        }
    }

    /// The numbers that frames of this `scale` can have.
    static func numbers(of measure: FrameMeasure, scale: Int) -> ClosedRange<Int> {
        let thresholds = thresholds(of: measure)
        let step = scale / weight(of: measure) % 100
        guard (0...thresholds.count).contains(step) else { return 0...Int.max }
        return (step == 0 ? 0 : thresholds[step - 1])...(step == thresholds.count ? .max : thresholds[step] - 1)
    }

    /// The column `scale` of a frame.
    static func scale(bytes: Int, size: FrameSize) -> Int {
        zip(FrameMeasure.allCases, [bytes, size.width, size.height]).reduce(0) { scale, part in
            scale + weight(of: part.0) * thresholds(of: part.0).count(where: { part.1 >= $0 })
        }
    }

    /// The greatest ``scale(bytes:size:)``.
    static let largest = FrameMeasure.allCases.reduce(0) { $0 + weight(of: $1) * thresholds(of: $1).count }

    /// The same as SQL makes it of the other columns of `row`.
    static func sql(_ row: String) -> String {
        FrameMeasure.allCases.map { measure in
            let steps = thresholds(of: measure).map { "(\(row).\(measure.rawValue) >= \($0))" }
            return "\(weight(of: measure)) * (\(steps.joined(separator: " + ")))"
        }.joined(separator: " + ")
    }
}
