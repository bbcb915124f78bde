import FoundationEssentials

/// The conditions of a covered range as stored in the cache: a JSON object of ``QuakeFilter/coverageMembers``.
extension QuakeFilter {
    var coverageJSON: String {
        let json = JSONWriter()
        json.value(Record(coverageMembers.map { ($0.name, $0.value) }))
        return json.drain { String(decoding: $0, as: UTF8.self) }
    }

    /// Reads conditions stored in the cache at `path`; throws if they are damaged.
    init(coverageJSON json: String, in path: String) throws(StoreError) {
        guard let members = try? JSONDecoder().decode([String: FilterValue].self, from: Data(json.utf8)) else {
            throw .corrupt(path: path, reason: "the conditions of a covered range cannot be read")
        }
        self.init(coverageMembers: members)
    }
}

extension FilterValue: Decodable {
    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let numbers = try? value.decode([Double].self) {
            self = .numbers(numbers)
        } else {
            self = .words(try value.decode([String].self))
        }
    }
}
