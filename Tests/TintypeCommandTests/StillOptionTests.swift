// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Testing
internal import TintypeModel

@testable internal import tintype

/// Every option of stills and bursts at its bounds.
struct StillOptionTests {
    /// An option with valid and invalid values.
    struct Option: Sendable, CustomTestStringConvertible {
        var name: String
        var taken: [String]
        var refused: [String]
        /// Other arguments that the option needs in a burst.
        var with: [String]?
        var testDescription: String { name }
    }

    private static let longText = String(repeating: "x", count: 200)

    static let options = [
        Option(name: "--fresh", taken: ["request", "next", "latest"], refused: ["now", "", "Next"]),
        Option(name: "--max-age", taken: ["0s", "1h"], refused: ["3601s", "200", ""]),
        Option(name: "--at", taken: ["0s", "-1.5s", "-1h"], refused: ["1ms", "-3601s", "-5", "--5s", ""]),
        Option(name: "--deadline", taken: ["1ms", "10m"], refused: ["0s", "601s", "5", ""]),
        Option(name: "--settle", taken: ["auto", "always", "never"], refused: ["maybe", ""]),
        Option(name: "--integrity", taken: ["strict", "tolerant", "raw"], refused: ["none", ""]),
        Option(name: "--width", taken: ["1", "65500"], refused: ["0", "65501", "1.5", "x", ""]),
        Option(name: "--height", taken: ["1", "65500"], refused: ["0", "65501", "1.5", "x", ""]),
        Option(
            name: "--crop",
            taken: ["1x1+0+0", "640x480+100+50", "65535x65535+65535+65535"],
            refused: [
                "640x480", "0x1+0+0", "1x0+0+0", "65536x1+0+0", "1x65536+0+0", "1x1+65536+0", "1x1+0+65536", "1x1+-1+0",
                "",
            ]
        ),
        Option(name: "--rotate", taken: ["0", "90", "180", "270"], refused: ["45", "360", "left", ""]),
        Option(name: "--flip", taken: ["horizontal", "vertical"], refused: ["both", ""]),
        Option(name: "--quality", taken: ["1", "100"], refused: ["0", "101", "x", ""]),
        Option(name: "--overlay", taken: ["x", longText, "%H:%M"], refused: ["", longText + "x", "a\nb"]),
        Option(name: "--average", taken: ["1", "64"], refused: ["0", "65", "x", ""]),
        Option(name: "--size", taken: ["max"], refused: ["640x480", ""]),
        Option(name: "--durability", taken: ["none", "data", "full"], refused: ["some", ""]),
        Option(
            name: "--tag",
            taken: ["a", "A.b_c-9", String(repeating: "t", count: 64)],
            refused: ["", "ä", "a b", String(repeating: "t", count: 65)]
        ),
        Option(name: "--count", taken: ["1", "1000"], refused: ["0", "1001", "x", ""], with: []),
        Option(name: "--every", taken: ["0s", "1h"], refused: ["3601s", "2", ""], with: ["--count", "2"]),
        Option(
            name: "--from",
            taken: ["-1h", "0s", "+1s"],
            refused: ["-3601s", "3601s", "2", ""],
            with: ["--to", "1h"]
        ),
        Option(name: "--to", taken: ["-1s", "1h"], refused: ["-3601s", "3601s", "2", ""], with: ["--from", "-1h"]),
        Option(name: "--nth", taken: ["1", "1000"], refused: ["0", "1001", "x", ""], with: ["--to", "1s"]),
    ]

    /// The request of a command line with `option`.
    ///
    /// Parsed by the subcommand: debug code of ArgumentParser checks the definitions of each parent at each parse.
    private func request(_ option: Option, _ value: String) async throws -> StillRequest {
        guard let with = option.with else {
            let command = try await StillCommand.asyncParseAsRoot([option.name, value]) as? StillCommand
            return try #require(command).still.request(keep: true)
        }
        let command = try await BurstCommand.asyncParseAsRoot(with + [option.name, value]) as? BurstCommand
        var request = try #require(command).still.request(keep: true)
        request.burst = try #require(command).burst.burst
        return request
    }

    @Test(arguments: options)
    func `an option accepts its bounds and the request decodes unchanged`(_ option: Option) async throws {
        for value in option.taken {
            let request = try await request(option, value)
            #expect(try WireFormat.decode(StillRequest.self, from: WireFormat.encode(request)) == request, "\(value)")
        }
    }

    @Test(arguments: options)
    func `an invalid value is refused with its option and advice`(_ option: Option) async throws {
        for value in option.refused {
            let error = try #require(
                await #expect(throws: (any Error).self, "\(value)") { _ = try await request(option, value) }
            )
            let message = RootCommand.fullMessage(for: error)
            #expect(message.contains(option.name), "\(value): \(message)")
            let isHelpful = ["such as", "from 1 to", "Give", "Use one of", "provide one of", "A tag is"].contains {
                message.contains($0)
            }
            #expect(isHelpful, "\(value): \(message)")
        }
    }

    @Test func `every option is part of the request`() async throws {
        let line = """
            --at -1500ms --deadline 2s --settle never --integrity tolerant --width 640 --height 480 \
            --crop 320x240+10+20 --rotate 90 --flip vertical --no-lossless --quality 80 --overlay %H:%M --average 4 \
            --size max --durability data --tag door --tag 7
            """
        #expect(
            try await still(line)
                == StillRequest(
                    fresh: .at(.milliseconds(-1500)),
                    deadline: .seconds(2),
                    settle: .never,
                    integrity: .tolerant,
                    rendering: ImageOptions(
                        quality: 80,
                        width: 640,
                        height: 480,
                        crop: CropRectangle("320x240+10+20"),
                        turn: .quarter,
                        flip: .vertical,
                        isLossless: false,
                        overlay: "%H:%M"
                    ),
                    average: 4,
                    isLargest: true,
                    keep: false,
                    durability: .data,
                    tags: ["door", "7"]
                )
        )
    }

    private func still(_ options: String) async throws -> StillRequest {
        let line = options.isEmpty ? "still" : "still \(options)"
        return try #require(try await RootCommand.parsing(line) as? StillCommand).still.request(keep: false)
    }

    @Test func `freshness, rejected appearances and lossless are parsed`() async throws {
        #expect(try await still("") == StillRequest(keep: false))
        #expect(try await still("--max-age 1.5s").fresh == .maxAge(.milliseconds(1500)))
        #expect(try await still("--fresh latest").fresh == .latest)
        #expect(try await still("--reject black,frozen").reject == [.black, .frozen])
        #expect(try await still("--lossless").rendering.isLossless == true)
        #expect(try await still("--no-lossless").rendering.isLossless == false)
        await #expect(throws: (any Error).self) { try await still("--reject black,dark") }
    }

    @Test func `a burst is a count or a span`() async throws {
        func burst(_ options: String) async throws -> Burst {
            try #require(try await RootCommand.parsing("burst \(options)") as? BurstCommand).burst.burst
        }
        #expect(try await burst("--count 10") == .count(10, every: .zero))
        #expect(try await burst("--count 10 --every 2s") == .count(10, every: .seconds(2)))
        #expect(try await burst("--from -2s") == .span(from: .seconds(-2), to: .zero, nth: 1))
        #expect(try await burst("--from -2s --to 1s --nth 3") == .span(from: .seconds(-2), to: .seconds(1), nth: 3))
        #expect(try await burst("--to 1s") == .span(from: .zero, to: .seconds(1), nth: 1))
    }

    @Test(arguments: [
        "burst", "burst --every 1s", "burst --count 2 --from -1s", "burst --every 1s --to 1s", "burst --from 1s",
        "burst --from 1s --to 1s", "burst --nth 2", "burst --count 2 --at -1s", "burst --from -1s --fresh next",
        "burst --from -1s --size max", "burst --from -1s --average 2", "burst --from -1s --no-keep -o %i.jpg",
        "burst --count 2 -o a.jpg", "burst --count 2 -o %Y.jpg --every 1h", "burst --count 2 -o %S.jpg --every 500ms",
        "burst --from -1s -o %S.jpg", "burst --count 2 -o ", "burst --count 2 --no-keep",
        "still --fresh next --at -1s", "still --max-age 1s --at -1s", "still --count 2",
    ])
    func `incompatible options are refused with status 64 and advice`(_ line: String) async throws {
        let error = try #require(await #expect(throws: (any Error).self) { try await RootCommand.parsing(line) })
        #expect(RootCommand.exitCode(for: error).rawValue == 64)
        #expect(RootCommand.message(for: error).count > 20)
    }

    @Test(arguments: [
        "still --tag a --tag a", "still" + (1...17).map { " --tag t\($0)" }.joined(),
        "burst --count 2 --tag a --tag b --tag a",
    ])
    func `too many or duplicate tags are refused by option`(_ line: String) async throws {
        let error = try #require(await #expect(throws: (any Error).self) { try await RootCommand.parsing(line) })
        #expect(RootCommand.exitCode(for: error).rawValue == 64)
        let message = RootCommand.message(for: error)
        for word in ["--tag", "16 times", "different"] { #expect(message.contains(word), "\(message)") }
    }
}
