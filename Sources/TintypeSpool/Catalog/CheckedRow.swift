// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GRDB
internal import TintypeModel
internal import TintypeSystem

/// A row with checked values, which other programs and disk faults can change: GRDB's subscript traps on other types.
struct CheckedRow {
    let row: Row

    init(_ row: Row) { self.row = row }

    /// Valid timestamps, in microseconds since 1970: from the year 1 to the last one that fits in a frame id.
    static let moments: ClosedRange<Int64> = -62_135_596_800_000_000...281_474_976_710_655_999

    func integer(_ column: String, in range: ClosedRange<Int64>) throws(DatabaseError) -> Int64 {
        guard let value = try optionalInteger(column, in: range) else { throw fault(column) }
        return value
    }

    func optionalInteger(_ column: String, in range: ClosedRange<Int64>) throws(DatabaseError) -> Int64? {
        switch self[column].storage {
        case .null: return nil
        case .int64(let number) where range.contains(number): return number
        default: throw fault(column)
        }
    }

    func int(_ column: String, in range: ClosedRange<Int>) throws(DatabaseError) -> Int {
        Int(try integer(column, in: Int64(range.lowerBound)...Int64(range.upperBound)))
    }

    func flag(_ column: String) throws(DatabaseError) -> Bool { try integer(column, in: 0...1) == 1 }

    func moment(_ column: String) throws(DatabaseError) -> Timestamp {
        Timestamp(microseconds: try integer(column, in: Self.moments))
    }

    func optionalMoment(_ column: String) throws(DatabaseError) -> Timestamp? {
        try optionalInteger(column, in: Self.moments).map { Timestamp(microseconds: $0) }
    }

    func value<Value>(_ column: String, _ read: (String) -> Value?) throws(DatabaseError) -> Value {
        guard case .string(let text) = self[column].storage, let value = read(text) else { throw fault(column) }
        return value
    }

    func id(_ column: String) throws(DatabaseError) -> FrameID {
        guard case .blob(let bytes) = self[column].storage, let id = FrameID(bytes: bytes) else { throw fault(column) }
        return id
    }

    /// SHA-256 in lower-case hexadecimal.
    func checksum(_ column: String) throws(DatabaseError) -> String {
        guard case .blob(let bytes) = self[column].storage, bytes.count == 32 else { throw fault(column) }
        return Hexadecimal.text(bytes)
    }

    func camera() throws(DatabaseError) -> String { try value("camera") { CameraName.isValid($0) ? $0 : nil } }

    /// NULL for an unknown column.
    subscript(_ column: String) -> DatabaseValue { row[column] as DatabaseValue? ?? .null }

    /// SQLITE_CORRUPT for a value that tintyped never writes, as in: settled is -1.
    func fault(_ column: String) -> DatabaseError {
        let text = "\(self[column])"
        let part = "\(text.prefix(100))\(text.count > 100 ? "…" : "")"
        return DatabaseError(resultCode: .SQLITE_CORRUPT, message: "in a row, \(column) is \(part)")
    }
}

extension DatabaseValue {
    init(bytes: some Sequence<UInt8>) { self = Data(bytes).databaseValue }

    /// Decodes hexadecimal digits to a blob; NULL for any other text.
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
    var databaseValue: DatabaseValue { DatabaseValue(bytes: bytes) }
}
