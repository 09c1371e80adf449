// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TintypeImaging
internal import TintypeModel

/// Measures which share of damage is found in JPEG pictures, and what looking for it costs.
///
/// `damage-benchmark [--rounds N] [--require-packets PERCENT] PICTURE.jpg…`. Each picture is damaged N times (1000) by one
/// flipped bit inside its scan, and as often by one lost piece of 512 to 3072 bytes, at random places that are the same in
/// each run. It ends with status 1 where less than PERCENT of the lost pieces are found in any of the pictures.
@main
struct DamageBenchmark {
    static func main() {
        var arguments = Array(CommandLine.arguments.dropFirst())
        do {
            let rounds = try option("--rounds", of: &arguments) ?? 1000
            let required = try option("--require-packets", of: &arguments) ?? 0
            guard !arguments.isEmpty, !arguments.contains(where: { $0.hasPrefix("-") }), rounds > 0 else {
                throw ImagingError.encoder(
                    "usage: damage-benchmark [--rounds N] [--require-packets PERCENT] PICTURE.jpg…"
                )
            }
            print(DamageReport.heading)
            var total = DamageReport.Shares()
            var isMissed = false
            for file in arguments {
                guard let data = FileManager.default.contents(atPath: file) else {
                    throw ImagingError.notJPEG("\(file) cannot be read")
                }
                let report = try DamageReport(of: [UInt8](data), rounds: rounds)
                print(report.line(URL(filePath: file).deletingPathExtension().lastPathComponent))
                total.add(report.shares)
                isMissed = isMissed || report.shares.packets.share < Double(required)
            }
            print(total.line("all"))
            if isMissed {
                FileHandle.standardError.write(Data("Less than \(required) % of the lost pieces are found.\n".utf8))
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
