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
            switch field {
            case .id: origins.append(identity(after: ""))
            case .url: origins.append(identity(unless: "url", after: Quake.eventPages))
            case .detail:
                origins.append(identity(unless: "detail", after: Quake.detailFeeds, before: Quake.detailSuffix))
            case .title:
                origins.append(
                    .derived(DerivedText(published: column("title"), magnitude: column("mag"), place: column("place"))))
            default: origins.append(.column(column(field.rawValue)))
            }
        }
    }

    /// Returns the origin of a text that is in the column `published` or composed of prefix, network, code and suffix.
    private mutating func identity(
        unless published: String? = nil, after prefix: String, before suffix: String = ""
    ) -> Origin {
        .derived(
            DerivedText(
                published: published.map { column($0) }, after: prefix, net: column("net"), code: column("code"),
                before: suffix))
    }

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
    private enum Recipe {
        case identity(prefix: [UInt8], net: Int32, code: Int32, suffix: [UInt8])
        case title(magnitude: Int32, place: Int32)
    }

    private let published: Int32?
    private let recipe: Recipe
    private var memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 256)
    private var count = 0

    /// Creates the text in the column `published` or, if there is none, from prefix, network, code and suffix.
    init(published: Int32? = nil, after prefix: String, net: Int32, code: Int32, before suffix: String = "") {
        self.published = published
        recipe = .identity(prefix: Array(prefix.utf8), net: net, code: code, suffix: Array(suffix.utf8))
    }

    /// Creates the title in the column `published` or, if there is none, from magnitude and place.
    init(published: Int32, magnitude: Int32, place: Int32) {
        self.published = published
        recipe = .title(magnitude: magnitude, place: place)
    }

    deinit { memory.deallocate() }

    /// Returns the text for the current row of `statement`.
    func value(in statement: Statement) -> FieldValue {
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
