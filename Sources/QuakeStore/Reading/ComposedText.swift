/// A string derived from other columns, stored in its own memory and valid until the next row.
///
/// Builds the same strings as `Quake.id`, `.pageURL`, `.detailURL` and `.title`, for rows that never become a `Quake`.
final class ComposedText {
    enum Part {
        case text([UInt8])
        case column(Int32)
        /// The magnitude in a column, formatted as in titles.
        case magnitude(Int32)

        static func constant(_ text: String) -> Part { .text(Array(text.utf8)) }
    }

    private let published: Int32?
    private let parts: [Part]
    private var memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 256)
    private var count = 0

    /// Creates a string that is the text in the column `published` or, if there is none, consists of `parts`.
    init(published: Int32?, _ parts: [Part]) {
        self.published = published
        self.parts = parts
    }

    deinit { memory.deallocate() }

    /// Returns the string for the current row of `statement`.
    func value(in statement: Statement) -> FieldValue {
        if let published, case .text(let text) = statement.field(published) { return .text(text) }
        count = 0
        for part in parts {
            switch part {
            case .text(let bytes): bytes.withUnsafeBufferPointer(append)
            case .column(let column): if case .text(let bytes) = statement.field(column) { append(bytes) }
            case .magnitude(let column):
                var text = Quake.titleMagnitude(statement.realOrNil(column))
                text.withUTF8(append)
            }
        }
        return .text(UnsafeBufferPointer(rebasing: memory[..<count]))
    }

    private func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        if memory.count - count < bytes.count {
            let needed = max(count + bytes.count, 2 * memory.count)
            let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: needed)
            _ = larger.update(fromContentsOf: memory[..<count])
            memory.deallocate()
            memory = larger
        }
        count = memory[count...].update(fromContentsOf: bytes)
    }
}
