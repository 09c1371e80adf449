// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TintypeImaging
internal import TintypeModel

/// Measures which share of damage is found in JPEG pictures, and what looking for it costs.
///
/// `damage-benchmark [--rounds N] [--require-packets PERCENT] [--require-flips PERCENT] PICTURE.jpg…`. Each picture is
/// damaged N times (1000) by one flipped bit inside its scan, and as often by one lost piece of 512 to 3072 bytes, at
/// random places that are the same in each run. A picture with restart markers is damaged again with surplus bytes
/// before them, as if those were learned. It ends with status 1 where less than PERCENT of the lost pieces are found in
/// any of the pictures, or with surplus bytes less than PERCENT of the flips that are found without.
@main
struct DamageBenchmark {
    static func main() {
        var arguments = Array(CommandLine.arguments.dropFirst())
        do {
            let rounds = try option("--rounds", of: &arguments) ?? 1000
            let required = try option("--require-packets", of: &arguments) ?? 0
            let requiredFlips = try option("--require-flips", of: &arguments) ?? 0
            guard !arguments.isEmpty, !arguments.contains(where: { $0.hasPrefix("-") }), rounds > 0 else {
                let options = "[--rounds N] [--require-packets PERCENT] [--require-flips PERCENT]"
                throw ImagingError.encoder("usage: damage-benchmark \(options) PICTURE.jpg…")
            }
            print(DamageReport.heading)
            var total = DamageReport.Shares()
            var (isMissed, isHidden) = (false, false)
            for file in arguments {
                guard let data = FileManager.default.contents(atPath: file) else {
                    throw ImagingError.notJPEG("\(file) cannot be read")
                }
                let name = URL(filePath: file).deletingPathExtension().lastPathComponent
                let report = try DamageReport(of: [UInt8](data), rounds: rounds)
                print(report.line(name))
                total.add(report.shares)
                isMissed = isMissed || report.shares.packets.share < Double(required)
                guard let odd = DamageReport.withSurplusBytes([UInt8](data)) else { continue }
                let shares = try DamageReport(of: odd, rounds: rounds, learned: .surplusBytes).shares
                print(shares.line("  with surplus bytes"))
                isMissed = isMissed || shares.packets.share < Double(required)
                isHidden = isHidden || shares.flips.share < report.shares.flips.share * Double(requiredFlips) / 100
            }
            print(total.line("all"))
            if isMissed {
                FileHandle.standardError.write(Data("Less than \(required) % of the lost pieces are found.\n".utf8))
                exit(1)
            }
            if isHidden {
                let text = "With surplus bytes less than \(requiredFlips) % of the flips found without are found.\n"
                FileHandle.standardError.write(Data(text.utf8))
                exit(1)
            }
        } catch {
            FileHandle.standardError.write(Data("damage-benchmark: \(error)\n".utf8))
            exit(70)
        }
    }

    private static func option(_ name: String, of arguments: inout [String]) throws -> Int? {
        guard let index = arguments.firstIndex(of: name) else { return nil }
        guard index + 1 < arguments.count, let number = Int(arguments[index + 1]) else {
            throw ImagingError.encoder("\(name) takes a whole number")
        }
        arguments.removeSubrange(index...index + 1)
        return number
    }
}
