// SPDX-License-Identifier: Apache-2.0

extension StillRecord {
    /// Reads the header of a picture of `bytes` bytes; nil if a field that every record has is missing, or one that is
    /// there cannot be read.
    package init?(header: [HeaderField: String], bytes: Int) {
        do throws(Unreadable) {
            let fields = Fields(header: header)
            self.init(
                id: try fields.required(.id) { FrameID($0) },
                camera: try fields.required(.camera) { $0 },
                path: try fields.optional(.path) { $0 },
                stored: try fields.required(.stored, Stored.init),
                bytes: bytes,
                width: try fields.required(.width) { Int($0) },
                height: try fields.required(.height) { Int($0) },
                sequence: try fields.required(.sequence) { UInt32($0) },
                capturedAt: try fields.required(.capturedAt) { Timestamp($0) },
                capturedMonotonicNs: try fields.optional(.capturedMonotonicNs) { Int64($0) },
                timestampSource: try fields.required(.timestampSource, TimestampSource.init),
                uncertaintyMs: try fields.optional(.uncertaintyMs, Milliseconds.init(header:)),
                leadMs: try fields.optional(.leadMs, Milliseconds.init(header:)),
                ageMs: try fields.optional(.ageMs, Milliseconds.init(header:)),
                waitedMs: try fields.optional(.waitedMs, Milliseconds.init(header:)),
                skipped: try fields.optional(.skipped) { Self.map($0, SkipReason.init) { Int($0) } },
                settled: try fields.optional(.settled) { Bool($0) },
                verdict: try fields.optional(.verdict, Verdict.init),
                faults: try fields.optional(.faults) { Self.list($0, PictureFault.init) },
                appearance: try fields.optional(.appearance) { Self.list($0, Appearance.init) },
                tags: try fields.optional(.tags) { Self.list($0) { $0 } },
                average: try fields.optional(.average) { Int($0) },
                gapMs: try fields.optional(.gapMs, Milliseconds.init(header:)),
                sha256: try fields.optional(.sha256) { $0 },
                phasesMs: try fields.optional(.phasesMs, StillPhases.init(header:))
            )
        } catch {
            return nil
        }
    }

    /// The members of a list; nil if one cannot be read.
    private static func list<Value>(_ text: String, _ read: (String) -> Value?) -> [Value]? {
        let members = text.split(separator: ",").map { String($0.drop { $0 == " " }) }
        let values = members.compactMap(read)
        return values.count == members.count ? values : nil
    }

    /// The members of a map; nil if one cannot be read or two have one name.
    fileprivate static func map<Key: Hashable, Value>(
        _ text: String,
        _ key: (String) -> Key?,
        _ value: (String) -> Value?
    ) -> [Key: Value]? {
        let pairs = list(text) { member -> (Key, Value)? in
            let parts = member.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let key = key(parts[0]), let value = value(parts[1]) else { return nil }
            return (key, value)
        }
        let map = pairs.map { Dictionary($0) { first, _ in first } }
        return map?.count == pairs?.count ? map : nil
    }

    private struct Unreadable: Error {}

    private struct Fields {
        let header: [HeaderField: String]

        func optional<Value>(_ field: HeaderField, _ read: (String) -> Value?) throws(Unreadable) -> Value? {
            guard let text = header[field] else { return nil }
            guard let value = read(text) else { throw Unreadable() }
            return value
        }

        func required<Value>(_ field: HeaderField, _ read: (String) -> Value?) throws(Unreadable) -> Value {
            guard let value = try optional(field, read) else { throw Unreadable() }
            return value
        }
    }
}

extension Milliseconds {
    fileprivate init?(header text: String) {
        guard let value = Double(text), value.isFinite, abs(value) < 1e12 else { return nil }
        self.init(.microseconds(Int64((value * 1000).rounded())))
    }
}

extension StillPhases {
    fileprivate init?(header text: String) {
        guard let phases = StillRecord.map(text, { $0 }, Milliseconds.init(header:)) else { return nil }
        self.init()
        for (name, path) in Self.members {
            guard let phase = phases[name] else { return nil }
            self[keyPath: path] = phase
        }
    }
}
