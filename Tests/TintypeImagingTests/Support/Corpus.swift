// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing

/// The pictures that the fuzzers begin with.
enum Corpus {
    /// The bytes of one of them.
    static func file(_ name: String) throws -> [UInt8] {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Fuzz/corpus/\(name)")
        return [UInt8](try Data(contentsOf: path.standardized))
    }
}
