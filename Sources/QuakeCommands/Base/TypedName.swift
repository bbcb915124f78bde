import ArgumentParser

// Option declarations written as the help shows them: `@Option("-m --min-mag <magnitude>", "Minimum magnitude.")`.

/// The names of an option and of its value, parsed from `-m --min-mag <magnitude>`.
private struct TypedName {
    let names: NameSpecification
    let value: String?

    /// Works on bytes, because every run parses all options of a command, and working on characters takes four times as
    /// long.
    init(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "<"))
        let hasValue = parts.count > 1
        names = NameSpecification(
            parts[0].split(separator: UInt8(ascii: " ")).map { word in
                let name = Substring(word.drop { $0 == UInt8(ascii: "-") })
                return word.count > 2
                    ? .customLong(String(name)) : .customShort(name.first ?? "-", allowingJoined: hasValue)
            })
        value = hasValue ? String(Substring(parts[1].dropLast())) : nil
    }

    func help(_ text: String, _ visibility: ArgumentVisibility) -> ArgumentHelp {
        ArgumentHelp(text, valueName: value, visibility: visibility)
    }
}

extension Flag where Value == Bool {
    init(wrappedValue: Bool, _ name: String, _ help: String, visibility: ArgumentVisibility = .default) {
        let name = TypedName(name)
        self.init(wrappedValue: wrappedValue, name: name.names, help: name.help(help, visibility))
    }
}

extension Option {
    init<T: ExpressibleByArgument>(
        _ name: String, _ help: String, parsing: SingleValueParsingStrategy = .next, completion: CompletionKind? = nil,
        visibility: ArgumentVisibility = .default
    ) where Value == T? {
        let name = TypedName(name)
        self.init(name: name.names, parsing: parsing, help: name.help(help, visibility), completion: completion)
    }

    init<T>(
        _ name: String, _ help: String, parsing: SingleValueParsingStrategy = .next, completion: CompletionKind? = nil,
        visibility: ArgumentVisibility = .default, transform: @Sendable @escaping (String) throws -> T
    ) where Value == T? {
        let name = TypedName(name)
        self.init(
            name: name.names, parsing: parsing, help: name.help(help, visibility), completion: completion,
            transform: transform)
    }

    init(
        wrappedValue: Value, _ name: String, _ help: String, visibility: ArgumentVisibility = .default
    ) where Value: ExpressibleByArgument {
        let name = TypedName(name)
        self.init(wrappedValue: wrappedValue, name: name.names, help: name.help(help, visibility))
    }

    init<T>(
        wrappedValue: [T], _ name: String, _ help: String, parsing: ArrayParsingStrategy = .singleValue,
        completion: CompletionKind? = nil, transform: @Sendable @escaping (String) throws -> T
    ) where Value == [T] {
        let name = TypedName(name)
        self.init(
            wrappedValue: wrappedValue, name: name.names, parsing: parsing, help: name.help(help, .default),
            completion: completion, transform: transform)
    }
}
