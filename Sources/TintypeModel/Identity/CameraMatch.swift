// SPDX-License-Identifier: Apache-2.0

/// Conditions that select a camera; all of them must hold.
package struct CameraMatch: Hashable, Codable, WireObject, CustomStringConvertible {
    /// Property that a condition tests; the raw value is its name in the configuration, in JSON and (but for `name`) in
    /// ``CameraIdentity``.
    package enum Key: String, Hashable, Sendable, Codable, CaseIterable, CodingKey, CodingKeyRepresentable {
        case byID, byPath, serial, usb, port, card, name, busInfo, driver, path
    }

    /// At least one.
    package var conditions: [Key: String]
    package init(_ conditions: [Key: String]) { self.conditions = conditions }

    package func matches(_ identity: CameraIdentity) -> Bool {
        conditions.allSatisfy { key, value in key.holds(value, of: identity) }
    }

    package init(from decoder: any Decoder) throws { conditions = try [Key: String](from: decoder) }
    package func encode(to encoder: any Encoder) throws { try conditions.encode(to: encoder) }
    package static let summary = """
        The value of match in the configuration that selects this device and no other present device, with the most \
        stable conditions. Missing while no device is found, and for the test pattern.
        """
    package static let fields: [Field] = [
        Field("byID", of: String.schema, "A link in /dev/v4l/by-id, by its name or its whole path."),
        Field("byPath", of: String.schema, "A link in /dev/v4l/by-path, likewise."),
        Field("serial", of: String.schema, "The serial number of the USB device."),
        Field("usb", of: String.schema, "Vendor and product number of the USB device, as in 046d:082d."),
        Field("port", of: String.schema, "The port of the USB device, as in 1-2.3."),
        Field("card", of: String.schema, "The name of the device."),
        Field("name", of: String.schema, "A pattern for the name of the device: * for any characters, ? for one."),
        Field("busInfo", of: String.schema, "Where it is attached."),
        Field("driver", of: String.schema, "The name of the driver."),
        Field("path", of: String.schema, "The node."),
    ]

    /// YAML flow mapping in the order of the keys, all values quoted: YAML would read a serial number 0012 as a number.
    package var description: String {
        let parts = Key.allCases.compactMap { key in conditions[key].map { "\(key.rawValue): \(Self.quoted($0))" } }
        return "{\(parts.joined(separator: ", "))}"
    }

    /// Double-quoted scalar with escapes (YAML 1.1, section 5.5).
    private static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "\"", "\\": return "\\\(scalar)"
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{A0}":
                let digits = String(scalar.value, radix: 16, uppercase: true)
                return "\\x" + (digits.count < 2 ? "0" : "") + digits
            case "\u{2028}", "\u{2029}", "\u{FEFF}": return "\\u" + String(scalar.value, radix: 16, uppercase: true)
            default: return String(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }
}

extension CameraMatch.Key {
    package func accepts(_ value: String) -> Bool {
        switch self {
        case .usb: value.wholeMatch(of: /[0-9a-fA-F]{4}:[0-9a-fA-F]{4}/) != nil
        case .port: value.wholeMatch(of: /[0-9]+-[0-9]+(\.[0-9]+)*/) != nil
        case .path: value.hasPrefix("/")
        case .byID, .byPath: !value.isEmpty && !value.hasSuffix("/")
        case .serial, .card, .name, .busInfo, .driver: !value.isEmpty
        }
    }

    fileprivate func holds(_ value: String, of identity: CameraIdentity) -> Bool {
        switch self {
        case .byID: identity.byID.contains { Self.isLink($0, named: value) }
        case .byPath: identity.byPath.contains { Self.isLink($0, named: value) }
        case .usb: identity.usb == value.lowercased()
        case .name: NamePattern.matches(value, identity.card)
        case .serial, .port, .card, .busInfo, .driver, .path: values(in: identity).contains(value)
        }
    }

    /// Values of the property in `identity`, usable as conditions; empty if unknown.
    package func values(in identity: CameraIdentity) -> [String] {
        let values: [String?] =
            switch self {
            case .byID: identity.byID.map(Self.name(ofLink:))
            case .byPath: identity.byPath.map(Self.name(ofLink:))
            case .serial: [identity.serial]
            case .usb: [identity.usb]
            case .port: [identity.port]
            case .card: [identity.card]
            case .name: []
            case .busInfo: [identity.busInfo]
            case .driver: [identity.driver]
            case .path: [identity.path]
            }
        return values.compactMap(\.self).filter { !$0.isEmpty }
    }

    private static func isLink(_ link: String, named name: String) -> Bool {
        link == name || Self.name(ofLink: link) == name
    }

    private static func name(ofLink link: String) -> String { link.split(separator: "/").last.map(String.init) ?? "" }
}

/// Glob patterns, case-sensitive: `*` matches any characters, `?` one; brackets and backslashes are literal, because
/// camera names contain them.
package enum NamePattern {
    /// Matches the whole of `text` in O(m × n) at most.
    package static func matches(_ pattern: String, _ text: String) -> Bool {
        let pattern = Array(pattern)
        let text = Array(text)
        var (patternIndex, textIndex) = (0, 0)
        // Last star, and the text position to resume at if it consumes one more character.
        var star: (pattern: Int, text: Int)?
        while textIndex < text.count {
            if patternIndex < pattern.count, pattern[patternIndex] == "*" {
                star = (patternIndex, textIndex)
                patternIndex += 1
            } else if patternIndex < pattern.count, ["?", text[textIndex]].contains(pattern[patternIndex]) {
                patternIndex += 1
                textIndex += 1
            } else if let last = star {
                star = (last.pattern, last.text + 1)
                (patternIndex, textIndex) = (last.pattern + 1, last.text + 1)
            } else {
                return false
            }
        }
        return pattern[patternIndex...].allSatisfy { $0 == "*" }
    }
}

extension CameraMatch {
    /// Finds the only present camera that matches; throws `device-lost` if none does, and `camera-ambiguous` with a
    /// distinguishing condition for each if several do.
    package func resolve(among identities: [CameraIdentity]) throws(Problem) -> CameraIdentity {
        let candidates = identities.filter(matches)
        guard let first = candidates.first else { throw absence(among: identities) }
        guard candidates.count == 1 else { throw ambiguity(of: candidates) }
        return first
    }

    private func absence(among identities: [CameraIdentity]) -> Problem {
        // Reports a single condition that prevents a match: a typing error, or a camera on another port.
        let culprits = conditions.keys.compactMap { key -> (key: Key, identity: CameraIdentity)? in
            var others = self
            others.conditions[key] = nil
            guard !others.conditions.isEmpty else { return nil }
            return identities.first(where: others.matches).map { (key, $0) }
        }
        let near = culprits.min { $0.key.rawValue < $1.key.rawValue }.map { near in
            " \(near.identity.path) (\(near.identity.card)) meets all of it but \(near.key.rawValue)."
        }
        return Problem(
            .deviceLost,
            "No camera that is there matches \(self).\(near ?? "")",
            remedy: "Plug it in; it is then opened automatically. Or correct the configuration: “tintype cameras” "
                + "prints a line for each camera that is there.",
            retryAfter: .seconds(1)
        )
    }

    private func ambiguity(of candidates: [CameraIdentity]) -> Problem {
        let names = candidates.map { "\($0.path) (\($0.card))" }
        let hints = candidates.map { "\($0.path) has \(Self.distinguishing($0, from: candidates))" }
        let detail = "\(candidates.count) cameras match \(self): \(names.joined(separator: ", "))."
        let remedy = "Add a condition that only one of them meets: \(hints.joined(separator: ", "))."
        return Problem(.cameraAmbiguous, detail, remedy: remedy)
    }

    /// Conditions for a configuration, most stable first.
    ///
    /// Device properties come first, then properties of the port, then what may change at the next boot. A by-id link
    /// that udev could assign to either of two identical cameras matches both, and is never chosen.
    private static let stable: [[Key]] = [
        [.serial, .usb], [.byID], [.usb], [.usb, .port], [.byPath], [.driver, .busInfo], [.driver, .busInfo, .card],
        [.driver, .card], [.path],
    ]

    private static let distinguishing: [[Key]] = [
        [.serial], [.usb], [.port], [.byPath], [.byID], [.busInfo], [.card], [.driver], [.driver, .busInfo],
        [.busInfo, .card], [.path],
    ]

    /// Most stable match for `identity` that matches no other of `identities`; nil for a camera without a node.
    package static func best(for identity: CameraIdentity, among identities: [CameraIdentity]) -> CameraMatch? {
        first(of: stable, for: identity, among: identities)
    }

    static func distinguishing(_ identity: CameraIdentity, from candidates: [CameraIdentity]) -> CameraMatch {
        first(of: distinguishing, for: identity, among: candidates) ?? CameraMatch([.path: identity.path])
    }

    private static func first(
        of choices: [[Key]],
        for identity: CameraIdentity,
        among identities: [CameraIdentity]
    ) -> CameraMatch? {
        guard CameraMatch.Key.path.accepts(identity.path) else { return nil }
        let others = identities.filter { $0.path != identity.path }
        for keys in choices {
            if let match = match(on: keys, identity), !others.contains(where: match.matches) { return match }
            // One of several links may be unique.
            guard keys.count == 1, let key = keys.first else { continue }
            for value in key.values(in: identity).dropFirst() {
                let match = CameraMatch([key: value])
                if !others.contains(where: match.matches) { return match }
            }
        }
        return nil
    }

    private static func match(on keys: [Key], _ identity: CameraIdentity) -> CameraMatch? {
        var conditions: [Key: String] = [:]
        for key in keys {
            guard let value = key.values(in: identity).first, key.accepts(value) else { return nil }
            conditions[key] = value
        }
        return CameraMatch(conditions)
    }
}
