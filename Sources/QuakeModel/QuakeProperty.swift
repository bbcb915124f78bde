/// A property of a quake, named as the feed names it; the coordinates by their GeoJSON meaning.
public enum QuakeProperty: String, CaseIterable, Sendable, Hashable {
    case id, time, lat, lon, depth, mag, magType, place, type, status
    case updated, felt, cdi, mmi, alert, tsunami, sig
    case net, code, ids, sources, types, nst, dmin, rms, gap, tz
    case title, url, detail
    /// Properties this program does not know, as one JSON object.
    case extra

    /// What a value of this property is.
    public enum Kind: Sendable {
        case integer, real, text
        /// Epoch milliseconds.
        case time
    }

    /// What a value of this property is.
    public var kind: Kind {
        switch self {
        case .time, .updated: .time
        case .mag, .lat, .lon, .depth, .cdi, .mmi, .dmin, .rms, .gap: .real
        case .felt, .tsunami, .sig, .nst, .tz: .integer
        case .id, .magType, .place, .type, .status, .alert, .net, .code, .ids, .sources, .types, .title, .url, .detail,
            .extra:
            .text
        }
    }

    /// Whether the value follows from other properties, so that it is written out but never compared (rule 12).
    public var isDerived: Bool {
        switch self {
        case .id, .title, .url, .detail: true
        default: false
        }
    }

    /// The properties that make up a change, in the order in which changes name them.
    public static let compared: [QuakeProperty] = allCases.filter { !$0.isDerived }

    /// Groups of properties by what they say, for choosing relevant changes.
    public enum Group: String, CaseIterable, Sendable {
        /// What the earthquake was: magnitude, time, place, kind, review, alert.
        case source
        /// What it did to people.
        case impact
        /// How the record is kept and how well it is determined.
        case bookkeeping

        /// The members of the group. `alert` is in two: it says how grave the quake is and what it does.
        public var properties: Set<QuakeProperty> {
            switch self {
            case .source:
                [.mag, .magType, .time, .place, .lon, .lat, .depth, .status, .type, .alert, .tsunami]
            case .impact: [.felt, .cdi, .mmi, .sig, .alert]
            case .bookkeeping: [.updated, .ids, .sources, .types, .nst, .dmin, .rms, .gap]
            }
        }
    }
}
