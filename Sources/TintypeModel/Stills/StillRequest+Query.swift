// SPDX-License-Identifier: Apache-2.0

extension StillRequest {
    /// Reads the parameters of `GET …/still.jpg`, decoded, in any order; every one may be left out, and `keep` is then
    /// false.
    ///
    /// Throws ``Problem`` with code `invalid-request` that names the parameter.
    package init(query parameters: [(name: String, value: String)]) throws(Problem) {
        guard !parameters.isEmpty else {
            self = StillQuery.defaults
            return
        }
        let fields = try StillQuery.fields(parameters)
        do throws(Problem) {
            self = try StillRequest(fields: fields)
        } catch {
            throw error.unnested(from: StillQuery.fresh)
        }
    }

    /// The parameters of `GET …/still.jpg` that ask for this; what has its default is left out.
    ///
    /// A burst is left out, too: there is one picture in the reply. Throws nothing that a request of valid values would
    /// cause.
    package var query: [(name: String, value: String)] {
        get throws {
            let fields = try StillQuery.fields(of: self)
            let defaults = try StillQuery.fields(of: StillQuery.defaults)
            return StillQuery.parameters.compactMap { field in
                guard let value = fields[field.name], value != defaults[field.name] else { return nil }
                return (field.name, value.parameter)
            }
        }
    }
}

extension StillQuery {
    /// The fields of `request` by the names of their parameters.
    fileprivate static func fields(of request: StillRequest) throws -> [String: FieldValue] {
        var fields = try WireFormat.decode([String: FieldValue].self, from: try WireFormat.encode(request))
        guard case .object(let age) = fields[fresh] else { return fields }
        fields[fresh] = nil
        return fields.merging(age) { first, _ in first }
    }
}

extension Problem {
    /// The problem of a field that is a member of `object` in JSON, and stands alone in a query.
    fileprivate func unnested(from object: String) -> Problem {
        guard let path = field, path.hasPrefix("\(object).") else { return self }
        var problem = self
        let name = String(path.dropFirst(object.count + 1))
        problem.field = name
        problem.detail = detail.replacing(path, with: name)
        return problem
    }
}
