/// Options that name several things, by commas, by repetition, or both.
enum NameList {
    /// The names in one value of such an option, without the spaces around them.
    static func names(in value: String) -> [String] {
        value.split(separator: ",").map { String($0.trimmingSpaces) }.filter { !$0.isEmpty }
    }

    /// The names in all values of such an option.
    static func set(_ values: [String]) -> Set<String> {
        Set(values.flatMap(names))
    }
}
