import QuakeModel
import QuakeTestSupport

/// Text that does not follow the notation of Fixtures/rule-cases.
struct NotationError: Error {
    let text: String
}

/// A word of a situation: a name and, in parentheses, arguments separated by spaces.
struct Word {
    let name: String
    let arguments: [Substring]

    /// Returns the words of `text`. Spaces separate them, except in parentheses.
    static func words(of text: Substring) -> [Word] {
        var depth = 0
        let parts = text.split { character in
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            return character == " " && depth == 0
        }
        return parts.map { Word($0) }
    }

    private init(_ text: Substring) {
        let parts = text.split(separator: "(", maxSplits: 1)
        name = String(parts[0])
        arguments = parts.count == 2 ? parts[1].dropLast().split(separator: " ") : []
    }

    /// The time in the argument that begins with `prefix`, such as `seen=12:06`; nil if there is none.
    func time(of prefix: String) throws -> Timestamp? {
        try arguments.first { $0.hasPrefix(prefix) }.map { try Timestamp(clock: $0.dropFirst(prefix.count)) }
    }
}

extension Substring {
    /// The texts that a text with a range stands for: `us[1-3]` for us1, us2 and us3.
    var expanded: [String] {
        let name = prefix { $0 != "[" }
        let ends = dropFirst(name.count + 1).dropLast().split(separator: "-").map { Int($0) }
        guard ends.count == 2, let first = ends[0], let last = ends[1] else { return [String(self)] }
        return (first...last).map { "\(name)\($0)" }
    }
}

extension QuakeKey {
    init(notation text: some StringProtocol) throws {
        guard let number = Int64(text) else { throw NotationError(text: String(text)) }
        self.init(number)
    }
}

extension Timestamp {
    /// Midnight at the start of the day of all rows.
    private static let midnight = Timestamp.sample - .seconds(12 * 3600)
    private static let millisecondsPerDay: Int64 = 86_400_000

    /// Reads a time such as `12:05`, `12:05:00.001`, `12:05-30d` (30 days before) or `never`.
    init(clock text: Substring) throws {
        guard text != "never" else {
            self.init(milliseconds: 0)
            return
        }
        let time = text.prefix { $0 != "-" && $0 != "+" }
        let days = text.hasSuffix("d") ? Int64(text.dropFirst(time.count).dropLast()) : 0
        let parts = time.split { ":.".contains($0) }.map { Int64($0) }
        guard let days, (2...4).contains(parts.count), !parts.contains(nil) else {
            throw NotationError(text: String(text))
        }
        let units: [Int64] = [3_600_000, 60_000, 1000, 1]
        let elapsed = zip(parts, units).reduce(days * Timestamp.millisecondsPerDay) { $0 + ($1.0 ?? 0) * $1.1 }
        self = Timestamp.midnight + .milliseconds(elapsed)
    }

    /// The time as in the notation.
    var clock: String {
        let elapsed = milliseconds - Timestamp.midnight.milliseconds
        let days = (Double(elapsed) / Double(Timestamp.millisecondsPerDay)).rounded(.down)
        let inDay = elapsed - Int64(days) * Timestamp.millisecondsPerDay
        func digits(_ number: Int64, _ count: Int) -> String { String(String(number + 1000).suffix(count)) }
        var text = digits(inDay / 3_600_000, 2) + ":" + digits(inDay / 60_000 % 60, 2)
        if inDay % 60_000 != 0 { text += ":" + digits(inDay / 1000 % 60, 2) }
        if inDay % 1000 != 0 { text += "." + digits(inDay % 1000, 3) }
        if days != 0 { text += (days > 0 ? "+" : "") + "\(Int64(days))d" }
        return text
    }

    /// Reads the two times in text such as `11:00..12:00`.
    static func clocks(_ text: Substring) throws -> (first: Timestamp, last: Timestamp) {
        let ends = text.split(separator: "..")
        guard ends.count == 2 else { throw NotationError(text: String(text)) }
        return (try Timestamp(clock: ends[0]), try Timestamp(clock: ends[1]))
    }
}

extension Quake {
    /// Reads a quake such as `ci3+us1(mag=4.5)`: its preferred id, its other ids and its values. Other values are those
    /// of `known` or, if it is nil, the same for all quakes.
    init(_ name: some StringProtocol, _ arguments: [Substring], like known: Quake? = nil) throws {
        let names = name.split(separator: "+").map { String($0) }
        let id = names[0]
        self = known ?? .sample(String(id.prefix(2)), String(id.dropFirst(2)))
        net = String(id.prefix(2))
        code = String(id.dropFirst(2))
        if known == nil { sources = PublishedSet("us") }
        if names.count > 1 { ids = PublishedSet(names.joined(separator: ",")) }
        for argument in arguments {
            let parts = argument.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let property = QuakeProperty(rawValue: String(parts[0])) else { continue }
            self[stored: property] = try Quake.value(parts[1], of: property)
        }
    }

    private static func value(_ text: Substring, of property: QuakeProperty) throws -> QuakeValue {
        guard text != "none" else { return .null }
        let value: QuakeValue? =
            switch property.kind {
            case .integer: Int64(text).map { .integer($0) }
            case .real: Double(text).map { .real($0) }
            case .text: .text(String(text))
            case .time: .integer(try Timestamp(clock: text).milliseconds)
            }
        guard let value else { throw NotationError(text: String(text)) }
        return value
    }
}
