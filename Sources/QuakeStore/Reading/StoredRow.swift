/// The current row of a query, reduced to the requested fields. Valid only inside the call that receives it.
package struct StoredRow {
    let statement: Statement
    let layout: RowLayout

    /// Returns the value of the field at `index`, in the order in which the fields were named.
    package func field(at index: Int) -> FieldValue {
        switch layout.origins[index] {
        case .column(let column): statement.field(column)
        case .derived(let text): text.value(in: statement)
        }
    }
}

/// The columns that a listing reads, and how its fields are derived from them.
///
/// Derived values are built here, because SQL's string functions took a third of the time of a listing.
struct RowLayout {
    /// The origin of a field's value.
    enum Origin {
        case column(Int32)
        case derived(DerivedText)
    }

    /// The selected columns, in order.
    private(set) var columns: [String] = []
    private(set) var origins: [Origin] = []

    init(_ fields: [QuakeProperty]) {
        for field in fields {
            let parts: [DerivedText.Part]
            switch field {
            case .id: parts = identity()
            case .url: parts = [.constant(Quake.eventPages)] + identity()
            case .detail: parts = [.constant(Quake.detailFeeds)] + identity() + [.constant(Quake.detailSuffix)]
            case .title:
                parts = [.constant("M "), .magnitude(column("mag")), .constant(" - "), .column(column("place"))]
            default:
                origins.append(.column(column(field.rawValue)))
                continue
            }
            origins.append(.derived(DerivedText(published: field == .id ? nil : column(field.rawValue), parts)))
        }
    }

    private mutating func identity() -> [DerivedText.Part] { [.column(column("net")), .column(column("code"))] }

    /// Returns the position of a column, selecting it first if necessary.
    private mutating func column(_ name: String) -> Int32 {
        if let position = columns.firstIndex(of: name) { return Int32(position) }
        columns.append(name)
        return Int32(columns.count - 1)
    }
}

/// A string derived from other columns, stored in its own memory and valid until the next row.
///
/// Builds the same strings as `Quake.id`, `.url`, `.detail` and `.title`, for rows that never become a `Quake`.
final class DerivedText {
    enum Part {
        case text([UInt8])
        case column(Int32)
        /// A magnitude as in titles, from a column.
        case magnitude(Int32)

        static func constant(_ text: String) -> Part { .text(Array(text.utf8)) }
    }

    private let published: Int32?
    private let parts: [Part]
    private var memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 256)
    private var count = 0

    /// Creates the text in the column `published` or, if there is none, from `parts`.
    init(published: Int32?, _ parts: [Part]) { (self.published, self.parts) = (published, parts) }

    deinit { memory.deallocate() }

    /// Returns the text for the current row of `statement`.
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
