// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing
import TintypeImaging
import TintypeModel
import TintypeSystem

@testable import tintyped

/// The reader of codes with shell scripts in place of tintype-codes.
@Suite(.serialized)
struct CodeReaderTests {
    private static func picture(_ width: Int, _ height: Int) -> LumaPicture {
        LumaPicture(size: FrameSize(width: width, height: height), bytes: Array(repeating: 7, count: width * height))
    }

    private static let picture = picture(8, 4)

    // As in the daemon: a program that does not read its input causes a write error, not a signal.
    init() { _ = signal(SIGPIPE, SIG_IGN) }

    private func read(_ script: String, _ picture: LumaPicture = picture) async throws(Problem) -> [PictureCode] {
        // A clock that stands still: the script is not killed, however long it takes.
        let reader = CodeReader(program: "/bin/sh", arguments: ["-c", script], clock: ManualClock())
        return try await reader.read(picture, within: .patience)
    }

    @Test func `the program gets size and luma, and its codes are within the picture`() async throws {
        let script = #"""
            read -r size
            printf '{"codes":[{"kind":"QR-Code","text":"%s, %s\\u001b","left":-3,"top":2,"width":9,"height":9},' "$size" "$(wc -c)"
            printf '{"kind":"EAN-13","text":"1","left":2147483647,"top":-9,"width":2147483647,"height":0}]}\n'
            """#
        let codes = try await read(script)
        #expect(codes.map(\.text) == ["8 4, 32\u{1b}", "1"] && codes.map(\.kind) == ["QR-Code", "EAN-13"])
        #expect(codes.map(\.place.description) == ["6x2+0+2", "1x1+7+0"])
        #expect(try await read(#"cat > /dev/null; echo '{"codes":[]}'"#).isEmpty)
    }

    @Test func `the program inherits no variable and no descriptor`() async throws {
        // Apart from what a shell sets.
        let script = """
            names=$(env | grep -vcE '^(PWD|OLDPWD|SHLVL|_)=')
            files=$(ls /proc/self/fd | wc -l)
            printf '{"codes":[{"kind":"a","text":"%s %s","left":0,"top":0,"width":1,"height":1}]}' "$names" "$files"
            """
        // Standard streams, and the folder that ls reads.
        #expect(try await read(script).map(\.text) == ["0 4"])
    }

    private static let broken = [
        "head -c 1000 /dev/urandom", "exit 0", "exit 3", "kill -9 $$", "kill -SEGV $$", "echo '[]'", "echo '{}'",
        #"echo '{"codes":[{}]}'"#, "yes", "head -c 300000 /dev/zero", "exec 0<&- 1>&-",
        #"echo '{"codes":[{"kind":"a b","text":"","left":0,"top":0,"width":1,"height":1}]}'"#,
        #"echo '{"codes":[{"kind":"a","text":"","left":0,"top":0,"width":1,"height":99999999999}]}'"#,
    ]

    @Test(arguments: broken)
    func `a program that ends early, is killed, or writes noise or too much is a problem`(_ script: String) async {
        // More than a pipe holds, so that writing fails, too.
        for picture in [Self.picture, Self.picture(1000, 1000)] {
            let problem = await #expect(throws: Problem.self) { try await read(script, picture) }
            #expect(problem?.code == .internalError && problem?.remedy.isEmpty == false, "\(script)")
        }
    }

    private static let hanging = [
        "cat > /dev/null; sleep 1000", "sleep 1000", "trap '' TERM; sleep 1000 & sleep 1000", "while :; do :; done",
    ]

    @Test(arguments: hanging)
    func `a program that hangs is killed at the limit`(_ script: String) async {
        let clock = ManualClock()
        let reader = CodeReader(program: "/bin/sh", arguments: ["-c", script], clock: clock)
        async let end = Self.end(of: reader)
        var limits = clock.sleeps.makeAsyncIterator()
        #expect(await limits.next() == CodeReader.timeLimit)
        clock.move(to: CodeReader.timeLimit)
        // The call returns only once the process has ended.
        #expect(await end == .deadlineExceeded)
    }

    private static func end(of reader: CodeReader) async -> ProblemCode? {
        do throws(Problem) {
            _ = try await reader.read(picture, within: .patience)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `a missing program or library is a problem with the package as remedy`() async {
        for program in [nil, "/nowhere/tintype-codes", "/etc/passwd"] {
            let reader = CodeReader(program: program, clock: ManualClock())
            let problem = await #expect(throws: Problem.self) { try await reader.read(Self.picture, within: .patience) }
            #expect(problem?.code == .configurationUnsupported && problem?.remedy.contains("libzbar0") == true)
        }
        let problem = await #expect(throws: Problem.self) { try await read("exit 127") }
        #expect(problem?.code == .configurationUnsupported && problem?.detail.contains("libzbar") == true)
    }
}
