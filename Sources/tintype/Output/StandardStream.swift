// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// stdout and stderr, unbuffered.
struct StandardStream {
    static let output = StandardStream(descriptor: 1, name: "stdout")
    static let error = StandardStream(descriptor: 2, name: "stderr")

    let descriptor: CInt
    let name: String

    /// Makes a closed pipe an error of `write` in place of a signal, and keeps 0 to 2 from becoming files of ours.
    ///
    /// A process that is started with stdout closed would else get the socket as descriptor 1 and write the picture
    /// back to the daemon. To be called before anything is opened.
    static func prepare() {
        _ = signal(SIGPIPE, SIG_IGN)
        for descriptor: CInt in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
            // Without /dev/null writing fails just as well, unless a file of ours comes to be there.
            _ = try? SystemCalls.openNull()
        }
    }

    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Writes all of `bytes`; blocks.
    func write(_ bytes: [UInt8]) throws(OutputError) {
        do {
            try SystemCalls.write(bytes, to: descriptor)
        } catch {
            throw OutputError(stream: name, error)
        }
    }

    /// Writes `text`; blocks.
    func write(_ text: String) throws(OutputError) { try write(Array(text.utf8)) }
}
