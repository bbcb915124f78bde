import ArgumentParser
import QuakeModel

/// Finds an option that takes one value but was given two different ones. ArgumentParser would silently use the last.
enum RepeatedOption {
    /// Throws a usage error if `words` give an option of `command` two different values although it takes only one.
    static func reject(in words: some Collection<String>, of command: any ParsableCommand.Type) throws {
        // Describing a command takes longer than parsing it, so do this only if an option may be repeated.
        let names = words.filter { $0.hasPrefix("-") && $0.utf8.count > 1 }.map { $0.prefix { $0 != "=" } }
        let isSuspicious = Set(names).count < names.count || names.count > 1 && names.contains { !$0.hasPrefix("--") }
        guard isSuspicious else { return }
        let description = try CommandDescription(command)
        var values: [String: String] = [:]
        var rest = Array(words.prefix { $0 != "--" })[...]
        while let word = rest.popFirst() {
            guard let (option, joined) = description.find(word) else { continue }
            guard let value = joined ?? option.takeValue(from: &rest), !option.isRepeating else { continue }
            guard let former = values.updateValue(value, forKey: option.name), former != value else { continue }
            let advice = option.isList ? "separate its values with commas" : "it takes one value"
            throw ValidationError(
                "\(option.name) is given twice, with \(former.shownWord) and \(value.shownWord); \(advice).")
        }
    }
}
