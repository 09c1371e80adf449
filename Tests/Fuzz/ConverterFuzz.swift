// SPDX-License-Identifier: Apache-2.0
import Glibc
import TintypeDevice
import TintypeModel

// Converts frames of noise and of wrong lengths with ROUNDS instances of PixelConverter. Run by Tests/Fuzz/run, with the
// address sanitizer, which ends the process at the first access out of bounds: by our code, and by a libv4lconvert that
// is built with it (LD_LIBRARY_PATH).
//
//   ConverterFuzz ROUNDS [SEED]    prints the seed first; the same seed gives the same frames
//   ConverterFuzz plant            reads a byte past a frame, which the sanitizer must detect

/// Reproducible random numbers from a seed (SplitMix64).
struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func roll(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
    mutating func oneIn(_ count: Int) -> Bool { roll(1...count) == 1 }
}

struct Tally {
    var frames = 0
    var pictures = 0
    var short = 0
    var refused = 0
}

/// Ends the process because of a broken promise.
func fail(_ sentence: String) -> Never {
    print("ConverterFuzz: \(sentence)")
    exit(1)
}

@main struct ConverterFuzz {
    static let identity = CameraIdentity(path: "fuzz", card: "Fuzz", driver: "fuzz", busInfo: "fuzz")

    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count > 1 else { fail("usage: ConverterFuzz ROUNDS [SEED] | plant") }
        if arguments[1] == "plant" { return plant() }
        let seed = arguments.count > 2 ? UInt64(arguments[2]) : UInt64.random(in: 0 ... .max)
        guard let rounds = Int(arguments[1]), let seed else { fail("\(arguments.dropFirst()) are no numbers") }
        print("seed \(seed)")
        fflush(nil)
        var dice = Dice(state: seed)
        var tally = Tally()
        for _ in 0..<rounds { stream(&dice, &tally) }
        print("\(tally)")
        guard tally.pictures > 0, tally.short > 0, tally.refused > 0 else {
            fail("not every outcome was seen")
        }
    }

    static func stream(_ dice: inout Dice, _ tally: inout Tally) {
        let isTurned = dice.oneIn(4)
        let formats = isTurned ? FourCC.supported.map(\.inOneBuffer) : ConvertedFormat.all.map(\.pixelFormat)
        let layout = layout(formats[dice.roll(0...formats.count - 1)], &dice)
        // V4L2_IN_ST_HFLIP and V4L2_IN_ST_VFLIP.
        let status: UInt32 = isTurned ? [0x10, 0x20, 0x30][dice.roll(0...2)] : 0
        let profile = ConverterProfile(identity, inputStatus: status)
        do throws(DeviceError) {
            switch try PixelConverter.make(for: layout, profile: profile) {
            case .some(var converter):
                for _ in 0..<dice.roll(1...8) { convert(frame(converter.source, &dice), &converter, &tally) }
            case .none: tally.refused += 1
            }
        } catch {
            tally.refused += 1
        }
    }

    static func convert(_ frame: [UInt8], _ converter: inout PixelConverter, _ tally: inout Tally) {
        tally.frames += 1
        do throws(ConversionError) {
            try unsafe converter.convert(frame.span.bytes)
            tally.pictures += 1
            let (count, sum) = converter.withPicture { (bytes, layout) in
                unsafe bytes.withUnsafeBytes { bytes in unsafe (bytes.count, bytes.reduce(0) { $0 &+ Int($1) }) }
            }
            guard count == converter.result.byteCount, sum >= 0 else { fail("a picture has \(count) bytes") }
        } catch {
            switch error {
            case .short(let have, let need):
                tally.short += 1
                guard have == frame.count, have < need else { fail("a short frame has \(have) of \(need) bytes") }
            case .failed: fail("a frame was refused")
            }
        }
    }

    /// A valid or invalid size, mostly small; sometimes with padded rows.
    static func layout(_ format: FourCC, _ dice: inout Dice) -> PictureLayout {
        let step = format.conversion?.step ?? FrameSize(width: 2, height: 2)
        let isOdd = dice.oneIn(20)
        let most = dice.oneIn(10) ? 40 : 8
        let size = FrameSize(
            width: dice.roll(1...most) * (isOdd ? 3 : step.width * 4),
            height: dice.roll(1...most) * (isOdd ? 3 : step.height * 2)
        )
        var layout = PictureLayout(pixelFormat: format, size: size, bytesPerRow: 0, color: .jfif)
        let least = layout.minimumBytesPerRow ?? 0
        layout.bytesPerRow = least > 0 && dice.oneIn(2) ? least + dice.roll(1...33) : least
        return layout
    }

    static func frame(_ layout: PictureLayout, _ dice: inout Dice) -> [UInt8] {
        let need = layout.byteCount ?? 0
        return noise(dice.oneIn(4) ? dice.roll(0...need + 64) : need, &dice)
    }

    static func noise(_ count: Int, _ dice: inout Dice) -> [UInt8] {
        let mask = UInt8(truncatingIfNeeded: dice.oneIn(2) ? 0xFF : dice.roll(0...255))
        let base = UInt8(truncatingIfNeeded: dice.oneIn(2) ? 0 : dice.roll(0...255))
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: dice.next()) & mask | base }
    }

    /// An access out of bounds, as the sanitizer must detect it.
    static func plant() {
        let frame = [UInt8](repeating: 0, count: 64)
        let beyond = unsafe frame.withUnsafeBytes { bytes in
            unsafe bytes.baseAddress.map { unsafe $0.load(fromByteOffset: bytes.count + 16, as: UInt8.self) }
        }
        print("read \(String(describing: beyond)) behind a frame, and nothing said so")
    }
}
