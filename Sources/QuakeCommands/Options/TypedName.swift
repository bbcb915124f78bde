import ArgumentParser

// Declarations of options as the help shows them: `@Option("-m --min-mag <magnitude>", "Minimum magnitude.")`.

/// The names of an option and what its value is called, read from `-m --min-mag <magnitude>`.
private struct TypedName {
    let names: NameSpecification
    let value: String?

    /// Reads bytes: every start of the program reads all options of a command, and characters take four times as long.
    init(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "<"))
        names = NameSpecification(
            parts[0].split(separator: UInt8(ascii: " ")).map { word in
                let name = Substring(word.drop { $0 == UInt8(ascii: "-") })
                return word.count > 2 ? .customLong(String(name)) : .customShort(name.first ?? "-")
            })
        value = parts.count > 1 ? String(Substring(parts[1].dropLast())) : nil
    }

    func help(_ text: String) -> ArgumentHelp { ArgumentHelp(text, valueName: value) }
}

extension Flag where Value == Bool {
    init(wrappedValue: Bool, _ name: String, _ help: String) {
        self.init(wrappedValue: wrappedValue, name: TypedName(name).names, help: ArgumentHelp(help))
    }
}

extension Option {
    init<T: ExpressibleByArgument>(
        _ name: String, _ help: String, parsing: SingleValueParsingStrategy = .next, completion: CompletionKind? = nil
    ) where Value == T? {
        let name = TypedName(name)
        self.init(name: name.names, parsing: parsing, help: name.help(help), completion: completion)
    }

    init<T>(
        _ name: String, _ help: String, parsing: SingleValueParsingStrategy = .next, completion: CompletionKind? = nil,
        transform: @Sendable @escaping (String) throws -> T
    ) where Value == T? {
        let name = TypedName(name)
        self.init(
            name: name.names, parsing: parsing, help: name.help(help), completion: completion, transform: transform)
    }

    init(wrappedValue: Value, _ name: String, _ help: String) where Value: ExpressibleByArgument {
        let name = TypedName(name)
        self.init(wrappedValue: wrappedValue, name: name.names, help: name.help(help))
    }

    init(
        wrappedValue: Value, _ name: String, _ help: String, completion: CompletionKind? = nil,
        transform: @Sendable @escaping (String) throws -> Value
    ) {
        let name = TypedName(name)
        self.init(
            wrappedValue: wrappedValue, name: name.names, help: name.help(help), completion: completion,
            transform: transform)
    }

    init<T: ExpressibleByArgument>(
        wrappedValue: [T], _ name: String, _ help: String, parsing: ArrayParsingStrategy = .singleValue,
        completion: CompletionKind? = nil
    ) where Value == [T] {
        let name = TypedName(name)
        self.init(
            wrappedValue: wrappedValue, name: name.names, parsing: parsing, help: name.help(help),
            completion: completion)
    }

    init<T>(
        wrappedValue: [T], _ name: String, _ help: String, completion: CompletionKind? = nil,
        transform: @Sendable @escaping (String) throws -> T
    ) where Value == [T] {
        let name = TypedName(name)
        self.init(
            wrappedValue: wrappedValue, name: name.names, help: name.help(help), completion: completion,
            transform: transform)
    }
}
