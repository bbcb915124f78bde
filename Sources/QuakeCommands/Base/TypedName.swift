import ArgumentParser

// Option declarations written as the help shows them: `@Option("-m --min-mag <magnitude>", "Minimum magnitude.")`.

/// The names of an option and of its value, parsed from `-m --min-mag <magnitude>`.
private struct TypedName {
    let names: NameSpecification
    let value: String?

    /// Works on bytes, because every run parses all options of a command, and working on characters takes four times as
    /// long.
    init(_ text: String) {
        let bytes = Array(text.utf8)
        let opening = bytes.firstIndex(of: UInt8(ascii: "<"))
        names = NameSpecification(
            bytes[..<(opening ?? bytes.endIndex)].split(separator: UInt8(ascii: " ")).map { word in
                let name = String(decoding: word.drop { $0 == UInt8(ascii: "-") }, as: UTF8.self)
                return word.count > 2
                    ? .customLong(name) : .customShort(Character(name), allowingJoined: opening != nil)
            })
        value = opening.map { String(decoding: bytes[($0 + 1)...].dropLast(), as: UTF8.self) }
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
