// SPDX-License-Identifier: Apache-2.0

extension Contract {
    /// Values in JSON that `schema` does not allow: of other types, and just outside of its bounds.
    func wrong(_ schema: [String: Any]) -> [String] {
        let schema = resolved(schema)
        let choices = (schema["oneOf"] as? [[String: Any]] ?? [schema]).map(resolved)
        let types = Set(choices.flatMap { $0["type"] as? [String] ?? [$0["type"] as? String ?? ""] })
        var values = [
            ("null", "null"), ("boolean", "true"), ("integer", "7"), ("number", "0.5"), ("string", #""\u0007 no""#),
            ("array", "[]"), ("object", "{}"),
        ].filter { type, _ in !types.contains(type) && !(type == "integer" && types.contains("number")) }.map(\.1)
        for choice in choices { values += outside(choice) }
        return values
    }

    private func outside(_ schema: [String: Any]) -> [String] {
        var values: [String] = []
        if let least = schema["minimum"] as? Int { values += ["\(least - 1)", "-1e300"] }
        if let most = schema["maximum"] as? Int { values += ["\(most + 1)", "1e300"] }
        if schema["type"] as? String == "integer" { values += ["1.5", "1e30"] }
        if schema["enum"] != nil { values += [#""none of these""#, "99"] }
        if schema["pattern"] != nil || schema["format"] != nil { values.append(#""\n""#) }
        if schema["minLength"] != nil { values.append(#""""#) }
        if let most = schema["maxLength"] as? Int { values.append("\"\(String(repeating: "x", count: most + 1))\"") }
        if let items = schema["items"] as? [String: Any] {
            values += wrong(items).map { "[\($0)]" }
            if schema["minItems"] != nil { values.append("[]") }
            if let most = schema["maxItems"] as? Int {
                values.append("[\((0...most).map { "\"\($0)\"" }.joined(separator: ","))]")
            }
            if schema["uniqueItems"] as? Bool == true { values.append(#"["a","a"]"#) }
        }
        if let members = schema["properties"] as? [String: [String: Any]] {
            values.append(#"{"nonsense": 1}"#)
            for (name, member) in members {
                values += wrong(member).map { "{\"\(name)\": \($0)}" }
            }
        }
        return values
    }
}
