// SPDX-License-Identifier: Apache-2.0
internal import Testing

@testable internal import tintype

struct PictureOpenerTests {
    private static let desktop = ["DISPLAY": ":0", "PATH": "/opt/bin:/usr/bin"]

    private func choose(
        _ program: String? = nil,
        prints: Bool = false,
        isTerminal: Bool = true,
        _ environment: [String: String] = PictureOpenerTests.desktop,
        _ programs: Set<String> = ["/usr/bin/xdg-open", "/usr/bin/feh", "./mine"]
    ) throws -> PictureOpener {
        try PictureOpener.choose(
            program: program,
            prints: prints,
            isTerminal: isTerminal,
            environment: environment,
            mayRun: programs.contains
        )
    }

    @Test func `on a terminal of a desktop pictures are opened, elsewhere their paths are printed`() throws {
        #expect(try choose() == .desktop("/usr/bin/xdg-open"))
        #expect(try choose(nil, ["WAYLAND_DISPLAY": "wayland-0", "PATH": "/usr/bin"]) == .desktop("/usr/bin/xdg-open"))
        #expect(try choose(isTerminal: false) == .printing)
        #expect(try choose(prints: true) == .printing)
        #expect(try choose(nil, ["DISPLAY": "", "PATH": "/usr/bin"]) == .printing)
        #expect(try choose(nil, Self.desktop, []) == .printing)
        #expect(try choose(nil, ["DISPLAY": ":0"]) == .desktop("/usr/bin/xdg-open"))
    }

    @Test func `a program that is named is taken wherever one is, and has to be there`() throws {
        #expect(try choose("feh", isTerminal: false, [:]) == .program("/usr/bin/feh"))
        #expect(try choose("./mine") == .program("./mine"))
        for name in ["none", "/usr/bin/none", ""] {
            #expect(throws: OutputError.self) { try choose(name) }
        }
    }
}
