import QuakeModel

extension FeatureDefect {
    /// What JSONDecoder found wrong with a feature, by the member it stumbled over.
    init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, _): self = .missing(key.stringValue)
        case .valueNotFound(_, let context):
            self = context.codingPath.member.map(FeatureDefect.missing) ?? .notAnObject
        case .typeMismatch(let type, let context):
            guard let member = context.codingPath.member else {
                self = .notAnObject
                return
            }
            self = .wrongKind(member: member, expected: FeatureDefect.words[ObjectIdentifier(type)] ?? "an object")
        case .dataCorrupted(let context): self = .notJSON(context.debugDescription)
        @unknown default: self = .notJSON("\(error)")
        }
    }

    private static let words: [ObjectIdentifier: String] = [
        ObjectIdentifier(String.self): "a text", ObjectIdentifier(Double.self): "a number",
    ]
}

extension [any CodingKey] {
    /// The member the path ends at; coordinates by what they mean. Nil for the feature itself.
    fileprivate var member: String? {
        guard let last else { return nil }
        guard let index = last.intValue else { return last.stringValue }
        guard count > 1, self[count - 2].stringValue == "coordinates" else { return nil }
        return ["longitude", "latitude", "depth"][Swift.min(index, 2)]
    }
}
