import FoundationEssentials
import QuakeModel

/// The conditions of a claim as the cache keeps them: a JSON object of ``QuakeFilter/claimMembers``.
extension QuakeFilter {
    var claimJSON: String {
        let members = claimMembers.map { name, value in "\(JSONText.quoted(name)):\(value.json)" }
        return "{\(members.joined(separator: ","))}"
    }

    /// Reads the conditions that the cache at `path` keeps; throws where the file is damaged.
    init(claimJSON json: String, in path: String) throws(StoreError) {
        guard let members = try? JSONDecoder().decode([String: FilterValue].self, from: Data(json.utf8)) else {
            throw .corrupt(path: path, reason: "the conditions of a claim cannot be read")
        }
        self.init(claimMembers: members)
    }
}

extension FilterValue {
    fileprivate var json: String {
        switch self {
        case .number(let number): "\(number)"
        case .numbers(let numbers): "[\(numbers.map { "\($0)" }.joined(separator: ","))]"
        case .words(let words): "[\(words.map { JSONText.quoted($0) }.joined(separator: ","))]"
        }
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
