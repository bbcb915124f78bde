import QuakeModel

/// A column of the table. Widths are fixed for each property, so that the first row can be written before the last is
/// known.
struct TableColumn {
    /// How a column sets its values.
    enum Layout {
        /// Left. `isCuttable`: too long a text is cut on a terminal, for it is there to be read. Others stay whole.
        case text(width: Int, isCuttable: Bool)
        /// Right.
        case integer(width: Int)
        /// On the decimal point: so many places before it, at most so many after it.
        case decimal(whole: Int, fraction: Int)
        /// A moment, as `2021-07-22 20:39:44`.
        case moment
    }

    let property: QuakeProperty
    let title: String
    let layout: Layout

    /// The columns a value takes, and at least those of the title.
    var width: Int {
        let needed =
            switch layout {
            case .text(let width, _), .integer(let width): width
            case .decimal(let whole, let fraction): whole + (fraction > 0 ? 1 + fraction : 0)
            case .moment: 19
            }
        return max(needed, title.utf8.count)
    }

    /// The column of `property`.
    init(_ property: QuakeProperty, usesEpochTime: Bool) {
        self.property = property
        title = property == .time && !usesEpochTime ? "TIME (UTC)" : property.rawValue.uppercased()
        layout = Self.layout(of: property, usesEpochTime: usesEpochTime)
    }

    private static func layout(of property: QuakeProperty, usesEpochTime: Bool) -> Layout {
        switch property {
        case .time, .updated: usesEpochTime ? .integer(width: 13) : .moment
        case .mag: .decimal(whole: 2, fraction: 2)
        case .depth: .decimal(whole: 4, fraction: 1)
        case .lat: .decimal(whole: 3, fraction: 4)
        case .lon: .decimal(whole: 4, fraction: 4)
        case .cdi, .mmi: .decimal(whole: 2, fraction: 1)
        case .dmin: .decimal(whole: 3, fraction: 3)
        case .rms: .decimal(whole: 2, fraction: 2)
        case .gap: .decimal(whole: 3, fraction: 0)
        case .felt: .integer(width: 6)
        case .sig, .nst, .tz: .integer(width: 4)
        case .tsunami: .integer(width: 1)
        case .id: .text(width: 13, isCuttable: false)
        case .code: .text(width: 10, isCuttable: false)
        case .net, .magType: .text(width: 3, isCuttable: false)
        case .alert: .text(width: 6, isCuttable: false)
        case .status: .text(width: 9, isCuttable: false)
        case .type: .text(width: 12, isCuttable: true)
        case .place: .text(width: 40, isCuttable: true)
        case .title: .text(width: 48, isCuttable: true)
        case .sources: .text(width: 16, isCuttable: true)
        case .ids, .types, .extra: .text(width: 32, isCuttable: true)
        case .url: .text(width: 68, isCuttable: false)
        case .detail: .text(width: 76, isCuttable: false)
        }
    }
}
