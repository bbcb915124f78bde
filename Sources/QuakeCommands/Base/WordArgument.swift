import ArgumentParser

/// An option value that is one of a few words, such as a format. Case does not matter.
protocol WordArgument: CaseIterable, ExpressibleByArgument, RawRepresentable where RawValue == String {
    /// The values keyed by additional accepted words, in lowercase.
    static var synonyms: [String: Self] { get }
}

extension WordArgument {
    static var synonyms: [String: Self] { [:] }

    init?(argument: String) {
        let word = argument.lowercased()
        guard let value = Self.synonyms[word] ?? Self(rawValue: word) else { return nil }
        self = value
    }
}
