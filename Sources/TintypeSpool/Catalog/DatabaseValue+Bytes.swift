// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GRDB
internal import TintypeModel

extension DatabaseValue {
    /// A blob.
    init(bytes: some Sequence<UInt8>) { self = Data(bytes).databaseValue }

    /// A blob of the bytes that hexadecimal digits stand for; NULL where the text is anything else.
    init(hexadecimal text: String) {
        let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue.map(UInt8.init) }
        guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else {
            self = .null
            return
        }
        self.init(bytes: stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }
}

extension FrameID {
    /// Its bytes, as the catalog has it.
    var databaseValue: DatabaseValue { DatabaseValue(bytes: bytes) }
}
