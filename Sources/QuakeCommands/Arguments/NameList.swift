import ArgumentParser

/// Parses the values of an option that may be repeated and whose values are comma-separated lists.
enum NameList {
    /// Returns the names in one value, without surrounding spaces or empty names.
    static func names(in value: String) -> [String] {
        value.split(separator: ",").map { String($0.trimmingSpaces) }.filter { !$0.isEmpty }
    }

    /// Returns the names in one value of an option; throws if there are none.
    static func parse(_ value: String) throws -> [String] {
        let names = names(in: value)
        guard !names.isEmpty else { throw ValidationError("Give at least one value.") }
        guard !names.contains("!") else { throw ValidationError("! must be followed by the value to exclude.") }
        return names
    }

    /// Returns the names in all values of an option.
    static func set(_ values: [String]) -> Set<String> { Set(values.flatMap(names)) }
}
