/// The columns that a query for some fields selects, and how the fields are derived from them.
///
/// Derived values are composed in Swift, because SQL's string functions took a third of the time of `quakes list`.
struct RowLayout {
    /// The origin of a field's value.
    enum Origin {
        case column(Int32)
        case derived(ComposedText)
    }

    /// The selected columns, in order.
    private(set) var columns: [String] = []
    private(set) var origins: [Origin] = []

    init(_ fields: [QuakeProperty]) {
        for field in fields {
            let parts: [ComposedText.Part]
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
            origins.append(.derived(ComposedText(published: field == .id ? nil : column(field.rawValue), parts)))
        }
    }

    private mutating func identity() -> [ComposedText.Part] { [.column(column("net")), .column(column("code"))] }

    /// Returns the position of a column, selecting it first if necessary.
    private mutating func column(_ name: String) -> Int32 {
        if let position = columns.firstIndex(of: name) { return Int32(position) }
        columns.append(name)
        return Int32(columns.count - 1)
    }
}
