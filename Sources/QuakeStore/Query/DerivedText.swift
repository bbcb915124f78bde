import QuakeModel

/// A text that follows from other columns, put together in memory of its own; valid until the next row.
///
/// The twin of `Quake.id`, `.url`, `.detail` and `.title` for rows that never become a `Quake`.
final class DerivedText {
    private enum Recipe {
        case identity(prefix: [UInt8], net: Int32, code: Int32, suffix: [UInt8])
        case title(magnitude: Int32, place: Int32)
    }

    private let published: Int32?
    private let recipe: Recipe
    private var memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 256)
    private var count = 0

    /// Network and code written together, with text around them, unless a column holds what was published instead.
    init(published: Int32? = nil, after prefix: String, net: Int32, code: Int32, before suffix: String = "") {
        self.published = published
        recipe = .identity(prefix: Array(prefix.utf8), net: net, code: code, suffix: Array(suffix.utf8))
    }

    /// The title from magnitude and place, unless a column holds what was published instead.
    init(published: Int32, magnitude: Int32, place: Int32) {
        self.published = published
        recipe = .title(magnitude: magnitude, place: place)
    }

    deinit {
        memory.deallocate()
    }

    /// The text for the row under `statement`.
    func value(in statement: SQLStatement) -> FieldValue {
        if let published, case .text(let text) = statement.field(published) { return .text(text) }
        count = 0
        switch recipe {
        case .identity(let prefix, let net, let code, let suffix):
            prefix.withUnsafeBufferPointer { append($0) }
            append(statement.field(net))
            append(statement.field(code))
            suffix.withUnsafeBufferPointer { append($0) }
        case .title(let magnitude, let place):
            append("M ")
            append(Quake.titleMagnitude(statement.realOrNil(magnitude)))
            append(" - ")
            append(statement.field(place))
        }
        return .text(UnsafeBufferPointer(rebasing: memory[..<count]))
    }

    private func append(_ text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    private func append(_ value: FieldValue) {
        if case .text(let bytes) = value { append(bytes) }
    }

    private func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        if memory.count - count < bytes.count { grow(toHold: count + bytes.count) }
        count = memory[count...].update(fromContentsOf: bytes)
    }

    private func grow(toHold needed: Int) {
        let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(needed, 2 * memory.count))
        _ = larger.update(fromContentsOf: memory[..<count])
        memory.deallocate()
        memory = larger
    }
}
