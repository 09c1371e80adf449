// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import TintypeModel

extension PatternSpec {
    package static let formats: [FourCC] = [.yuyv, .nv12, .grey, .mjpeg, .sbggr8, .sgbrg8, .sgrbg8, .srggb8, .y16]

    /// `FORMAT:WIDTHxHEIGHT@RATE`, all but the first part optional, then any number of `,FAULT` or `,FAULT=VALUE`.
    package init(_ text: String) throws(PatternSpecError) {
        let (head, options) = Self.halves(of: text, at: ",")
        format = try Self.format(head, format)
        if let options { try readOptions(options) }
        if scene != nil, moves != nil {
            throw PatternSpecError("scene cannot be combined with moves: a scene has no block. Leave one out.")
        }
    }

    mutating func readOptions(_ text: String) throws(PatternSpecError) {
        for option in text.split(separator: ",", omittingEmptySubsequences: false) {
            let (key, value) = Self.halves(of: String(option), at: "=")
            try read(key, value)
        }
    }

    /// Omitted parts are those of `usual`.
    private static func format(_ text: String, _ usual: CaptureFormat) throws(PatternSpecError) -> CaptureFormat {
        var format = usual
        let (head, rate) = Self.halves(of: text, at: "@")
        let (name, size) = Self.halves(of: head, at: ":")
        guard let pixelFormat = FourCC(name), Self.formats.contains(pixelFormat) else {
            let remedy = Spelling.remedy(for: name, among: Self.formats.map(\.description), otherwise: "")
            throw PatternSpecError("“\(name)” is no format of the test pattern. \(remedy)")
        }
        format.pixelFormat = pixelFormat
        if let size {
            guard let size = FrameSize(size), size.width <= 16_384, size.height <= 16_384 else {
                throw PatternSpecError("“\(size)” is not a size. Give one such as 1280x720, up to 16384x16384.")
            }
            format.size = size
        }
        if let rate {
            guard let interval = FrameInterval(rate: rate) else {
                throw PatternSpecError("“\(rate)” is not a rate. Give frames a second, such as 30, up to 1000.")
            }
            format.interval = interval
        }
        return format
    }

    private mutating func read(_ key: String, _ value: String?) throws(PatternSpecError) {
        switch key {
        case "undated": faults.isUndated = true
        case "end-of-frame": faults.stampsEndOfFrame = true
        case "arrival-stamps": faults.stampsArrival = true
        case "no-dht": faults.hasNoHuffmanTables = true
        case "hang-after": faults.hangAfter = try Self.number(key, value, 0...1_000_000_000)
        case "hang":
            let seconds = value.map { $0.hasSuffix("s") ? String($0.dropLast()) : $0 }
            faults.hang = .seconds(try Self.number(key, seconds, 1...86_400))
        case "stall-after": faults.stallAfter = try Self.number(key, value, 0...1_000_000_000)
        case "flag-every": faults.flagEvery = try Self.number(key, value, 1...1_000_000_000)
        case "short-every": faults.shortEvery = try Self.number(key, value, 1...1_000_000_000)
        case "cut-every": faults.cutEvery = try Self.number(key, value, 1...1_000_000_000)
        case "dark": faults.isDark = true
        case "noise": faults.noise = try Self.number(key, value, 1...64)
        case "frozen": faults.isFrozen = true
        case "uniform": faults.isUniform = true
        case "slow": faults.slowness = try Self.number(key, value, 1...1000)
        case "buffers": faults.buffers = try Self.number(key, value, 1...32)
        case "padding": faults.padding = try Self.number(key, value, 0...65_536)
        case "also": others.append(try Self.format(value ?? "", format))
        case "grants": grants = try Self.format(value ?? "", format)
        case "sizes": sizes = try Self.sizes(value ?? "", within: format.size)
        case "input": inputs.append(try Self.input(value ?? ""))
        case "crops": crops = true
        case "moves": moves = try Self.path(key, value)
        case "change-after": change = try Self.sourceChange(value ?? "")
        case "scene":
            let names = PatternScene.allCases.map(\.rawValue).joined(separator: " or ")
            scene = try Self.choice(value, "scene is \(names).") as PatternScene
        case "range": color.range = try Self.choice(value, "range is full or limited.")
        case "matrix": color.matrix = try Self.choice(value, "matrix is bt601, bt709, smpte240m or bt2020.")
        default: try readFault(key, value)
        }
    }

    private mutating func readFault(_ key: String, _ value: String?) throws(PatternSpecError) {
        switch key {
        case "fail": faults.failures.append(try PatternFailure(value ?? ""))
        case "deny": faults.failures.append(PatternFailure(call: .open, errno: EACCES))
        case "gone": faults.failures.append(PatternFailure(call: .open, errno: ENOENT))
        case "busy": faults.failures.append(PatternFailure(call: .streamOn, errno: EBUSY))
        case "no-bandwidth": faults.failures.append(PatternFailure(call: .streamOn, errno: ENOSPC))
        case "lose-after":
            let count = try Self.number(key, value, 0...1_000_000_000)
            faults.failures.append(PatternFailure(call: .dequeue, errno: ENODEV, after: count))
        case "poll-error-after": faults.pollErrorAfter = try Self.number(key, value, 0...1_000_000_000)
        case "flag": faults.flagPercent = try Self.number(key, value, 0...100)
        case "flag-after": faults.flagAfter = try Self.number(key, value, 0...1_000_000_000)
        case "damage": faults.damage = try Self.damage(value ?? "")
        case "quirk":
            let names = PictureQuirk.allCases.map(\.rawValue).joined(separator: ", ")
            faults.quirk = try Self.choice(value, "quirk is one of \(names).") as PictureQuirk
        case "black-frames": faults.blackFrames = try Self.number(key, value, 0...1_000_000_000)
        case "ramp": faults.ramp = try Self.number(key, value, 0...1_000_000_000)
        case "chroma-ramp": faults.chromaRamp = try Self.number(key, value, 0...1_000_000_000)
        case "drop": faults.dropPercent = try Self.number(key, value, 0...100)
        case "wrap-sequence": faults.wrapsSequence = true
        case "wrap-timestamp": faults.wrapsTime = true
        case "overwrite": faults.overwrites = true
        case "overwrite-every": faults.overwriteEvery = try Self.number(key, value, 1...1_000_000_000)
        case "hang-at":
            guard let call = PatternFailure.call(named: value ?? "") else {
                throw PatternSpecError("hang-at takes a driver call, as in hang-at=STREAMON.")
            }
            faults.hangAt = call
        case "exposure": faults.exposure = try Self.time(key, value, .seconds(60), "500ms")
        case "late": faults.lateness = try Self.time(key, value, .seconds(60), "4s")
        case "lead": faults.lead = try Self.time(key, value, StampLead.longest, "50ms")
        case "faults": faults.file = try Self.path(key, value)
        case "control-busy": controlFaults.busy = try Self.control(key, value)
        case "control-error": controlFaults.broken = try Self.control(key, value)
        case "control-gone": controlFaults.gone = try Self.control(key, value)
        case "control-ignored": controlFaults.ignored = try Self.control(key, value)
        case "forget-controls": controlFaults.forgets = true
        case "shutter": controlFaults.isShutterClosed = true
        case "foreign-change-after": controlFaults.foreignChangeAfter = try Self.number(key, value, 0...1_000_000_000)
        case "shutter-after": controlFaults.shutterAfter = try Self.number(key, value, 1...1_000_000_000)
        default:
            throw PatternSpecError("The test pattern has no option “\(key)”. See tintyped(8) for those that it has.")
        }
    }

    private static func choice<Choice: RawRepresentable<String>>(
        _ value: String?,
        _ refusal: String
    ) throws(PatternSpecError) -> Choice {
        guard let choice = Choice(rawValue: value ?? "") else { throw PatternSpecError(refusal) }
        return choice
    }

    private static func sizes(_ text: String, within size: FrameSize) throws(PatternSpecError) -> SizeRange {
        let (least, step) = halves(of: text, at: "/")
        guard let minimum = FrameSize(least), minimum.width <= size.width, minimum.height <= size.height,
            let step = FrameSize(step ?? "1x1")
        else {
            throw PatternSpecError("“\(text)” is no range of sizes. Give smallest and steps: sizes=64x48/16x8.")
        }
        return SizeRange(minimum: minimum, step: step)
    }

    private static func input(_ text: String) throws(PatternSpecError) -> Input {
        let (name, state) = halves(of: text, at: ":")
        let fault = state.flatMap(signalFault)
        guard case .name = InputChoice(name), state == nil || fault != nil else {
            throw PatternSpecError("“\(text)” is no input. Give a name, as in input=HDMI or input=HDMI:no-signal.")
        }
        return Input(name: name, fault: fault)
    }

    private static func sourceChange(_ text: String) throws(PatternSpecError) -> Change {
        let (count, what) = halves(of: text, at: ":")
        let after = try number("change-after", count, 0...1_000_000_000)
        if let size = what.flatMap(FrameSize.init) { return Change(after: after, size: size, fault: nil) }
        if let fault = what.flatMap(signalFault) { return Change(after: after, size: nil, fault: fault) }
        throw PatternSpecError("“\(text)” is no change. Give one such as change-after=9:640x480 or 9:no-lock.")
    }

    private static func signalFault(_ word: String) -> SignalFault? {
        SignalFault(rawValue: word).flatMap { $0.isOfInput ? $0 : nil }
    }

    private static func damage(_ text: String) throws(PatternSpecError) -> PatternDamage.Share {
        let (percent, seed) = halves(of: text, at: ":")
        return PatternDamage.Share(
            percent: try number("damage", percent, 0...100),
            seed: UInt64(try number("damage", seed ?? "1", 0...1_000_000_000))
        )
    }

    private static func time(
        _ key: String,
        _ value: String?,
        _ longest: Duration,
        _ example: String
    ) throws(PatternSpecError) -> Duration {
        guard let time = HumanDuration.parse(value ?? ""), time <= longest else {
            let limit = "\(longest.components.seconds)s"
            throw PatternSpecError("\(key) takes a time of at most \(limit), as in \(key)=\(example).")
        }
        return time
    }

    private static func path(_ key: String, _ value: String?) throws(PatternSpecError) -> String {
        guard let value, value.hasPrefix("/") else {
            throw PatternSpecError("\(key) takes the absolute path of a file, as in \(key)=/tmp/\(key).")
        }
        return value
    }

    private static func control(_ key: String, _ value: String?) throws(PatternSpecError) -> String {
        let names = PatternControls.table.map(\.name)
        guard let value, names.contains(value) else {
            throw PatternSpecError("\(key) takes the name of a control: one of \(names.joined(separator: ", ")).")
        }
        return value
    }

    private static func number(_ key: String, _ value: String?, _ range: ClosedRange<Int>) throws(PatternSpecError)
        -> Int
    {
        guard let value, let number = Int(value), range.contains(number) else {
            throw PatternSpecError(
                "\(key) takes a whole number from \(range.lowerBound) to \(range.upperBound), as in \(key)=\(range.lowerBound)."
            )
        }
        return number
    }

    static func halves(of text: String, at separator: Character) -> (String, String?) {
        guard let index = text.firstIndex(of: separator) else { return (text, nil) }
        return (String(text[..<index]), String(text[text.index(after: index)...]))
    }
}
