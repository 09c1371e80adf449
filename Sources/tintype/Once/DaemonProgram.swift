// SPDX-License-Identifier: Apache-2.0
internal import TintypeClient

/// Where the program `tintyped` is.
enum DaemonProgram {
    private static let name = "tintyped"

    /// The path of the program: beside this command, in a folder of PATH, or in `../libexec/tintype` beside this
    /// command's folder, in this order.
    ///
    /// Throws ``ClientError`` of the kind `missing`, with the places that were searched.
    static func find(environment: [String: String]) throws(ClientError) -> String {
        let own = SystemCalls.link("/proc/self/exe").map(OutputFile.folder(of:))
        return try find(beside: own, path: environment["PATH"] ?? "", mayRun: SystemCalls.mayRun)
    }

    /// The same for a command in the folder `own`, nil if that cannot be told.
    static func find(
        beside own: String?,
        path: String,
        mayRun: (String) -> Bool
    ) throws(ClientError) -> String {
        // An empty part of PATH means the working folder, in which a program of this name may be any other's.
        let folders = path.split(separator: ":").map(String.init)
        let libexec = own.map { "\(OutputFile.folder(of: $0))/libexec/tintype" }
        for folder in [own].compactMap(\.self) + folders + [libexec].compactMap(\.self) {
            let program = "\(folder)/\(name)"
            if mayRun(program) { return program }
        }
        throw ClientError(
            .missing,
            "There is no \(name) beside this command\(own.map { " (\($0))" } ?? ""), in PATH or in "
                + "\(libexec ?? "libexec").",
            remedy: "Install it there, or add its folder to PATH."
        )
    }
}
