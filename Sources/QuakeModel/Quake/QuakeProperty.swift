/// A property of a quake, named as in the feed except for the coordinates.
public enum QuakeProperty: String, CaseIterable, Sendable, Hashable {
    case id, time, lat, lon, depth, mag, magType, place, type, status
    case updated, felt, cdi, mmi, alert, tsunami, sig
    case net, code, ids, sources, types, nst, dmin, rms, gap
    case horizontalError = "horizontal_error"
    case depthError = "depth_error"
    case magError = "mag_error"
    case magNst = "mag_nst"
    case locationSource = "location_source"
    case magSource = "mag_source"
    case tz
    case title, url, detail
    /// Published properties unknown to this library, as one JSON object.
    case extra

    /// The type of a property's values.
    package enum Kind: Sendable {
        case integer, real, text
        /// Epoch milliseconds.
        case time
    }

    package var kind: Kind { traits.kind }
    /// Whether the value is derived from other properties. Derived values are printed but never compared (rule 12).
    package var isDerived: Bool { traits.isDerived }

    /// The properties that a change can affect, in the order in which changes list them.
    package static let compared: [QuakeProperty] = allCases.filter { !$0.isDerived }

    /// Derived properties that also have a published value, which is stored if it differs from the derived value.
    package static let publishedTexts: [QuakeProperty] = [.title, .url, .detail]

    /// The properties that a cache stores.
    package static let stored = compared + publishedTexts

    /// The uncertainties, and the sources of location and magnitude. They belong to one solution, and only CSV
    /// documents and details contain them (rule 24).
    package static let uncertainties: [QuakeProperty] = [
        .horizontalError, .depthError, .magError, .magNst, .locationSource, .magSource,
    ]

    /// Whether the values are lengths in kilometers.
    package var isLength: Bool { [.depth, .horizontalError, .depthError].contains(self) }

    /// A group of properties with a common purpose, for selecting relevant changes.
    public enum Group: String, CaseIterable, Sendable, Codable {
        /// Facts about the earthquake: magnitude, time, place, type, review status and alert level.
        case source
        /// The effects on people.
        case impact
        /// The quality of the solution, and facts about the record itself.
        case bookkeeping

        /// The members of the group. `alert` is in both ``source`` and ``impact``, because it reflects the severity of
        /// the quake and its effects.
        public var properties: Set<QuakeProperty> {
            switch self {
            case .source: [.time, .lat, .lon, .depth, .mag, .magType, .place, .type, .status, .alert, .tsunami]
            case .impact: [.felt, .cdi, .mmi, .alert, .sig]
            case .bookkeeping:
                Set([.updated, .ids, .sources, .types, .nst, .dmin, .rms, .gap] + QuakeProperty.uncertainties)
            }
        }
    }
}

/// The table of properties. A new property needs a case, a row, a member of ``Quake``, a value in the `subscript` and
/// `set(_:to:)` of `Quake+Properties.swift`, a column in the cache and, with few exceptions, a group.
extension QuakeProperty {
    /// The attributes of a property that the feed, the cache and the output need.
    package struct Traits: Sendable {
        let kind: Kind
        /// The layout of the property's column in a table.
        package let layout: ColumnLayout
        /// The unit after a number in output for people.
        package var unit: StaticString = ""
        /// Whether the value is a set of words, published with commas around and between them.
        package var isSet = false
        var isDerived = false
    }

    package var traits: Traits {
        switch self {
        case .id: Traits(kind: .text, layout: .text(width: 13), isDerived: true)
        case .time: Traits(kind: .time, layout: .text(width: 19))
        case .lat: Traits(kind: .real, layout: .number(whole: 3, fraction: 4), unit: "°")
        case .lon: Traits(kind: .real, layout: .number(whole: 4, fraction: 4), unit: "°")
        case .depth: Traits(kind: .real, layout: .number(whole: 4, fraction: 1))
        case .mag: Traits(kind: .real, layout: .number(whole: 2, fraction: 1))
        case .magType: Traits(kind: .text, layout: .text(width: 3))
        case .place: Traits(kind: .text, layout: .cuttable(width: 40))
        case .type: Traits(kind: .text, layout: .cuttable(width: 12))
        case .status: Traits(kind: .text, layout: .text(width: 9))
        case .updated: Traits(kind: .time, layout: .text(width: 19))
        case .felt: Traits(kind: .integer, layout: .number(whole: 6))
        case .cdi: Traits(kind: .real, layout: .number(whole: 2, fraction: 1))
        case .mmi: Traits(kind: .real, layout: .number(whole: 2, fraction: 1))
        case .alert: Traits(kind: .text, layout: .text(width: 6))
        case .tsunami: Traits(kind: .integer, layout: .number(whole: 1))
        case .sig: Traits(kind: .integer, layout: .number(whole: 4))
        case .net: Traits(kind: .text, layout: .text(width: 3))
        case .code: Traits(kind: .text, layout: .text(width: 10))
        case .ids: Traits(kind: .text, layout: .cuttable(width: 32), isSet: true)
        case .sources: Traits(kind: .text, layout: .cuttable(width: 16), isSet: true)
        case .types: Traits(kind: .text, layout: .cuttable(width: 32), isSet: true)
        case .nst: Traits(kind: .integer, layout: .number(whole: 4))
        case .dmin: Traits(kind: .real, layout: .number(whole: 3, fraction: 3), unit: "°")
        case .rms: Traits(kind: .real, layout: .number(whole: 2, fraction: 2), unit: " s")
        case .gap: Traits(kind: .real, layout: .number(whole: 3), unit: "°")
        case .horizontalError: Traits(kind: .real, layout: .number(whole: 4, fraction: 2), unit: " km")
        case .depthError: Traits(kind: .real, layout: .number(whole: 4, fraction: 2), unit: " km")
        case .magError: Traits(kind: .real, layout: .number(whole: 1, fraction: 3))
        case .magNst: Traits(kind: .integer, layout: .number(whole: 4))
        case .locationSource: Traits(kind: .text, layout: .text(width: 3))
        case .magSource: Traits(kind: .text, layout: .text(width: 3))
        case .tz: Traits(kind: .integer, layout: .number(whole: 4))
        case .title: Traits(kind: .text, layout: .cuttable(width: 48), isDerived: true)
        case .url: Traits(kind: .text, layout: .text(width: 68), isDerived: true)
        case .detail: Traits(kind: .text, layout: .text(width: 76), isDerived: true)
        case .extra: Traits(kind: .text, layout: .cuttable(width: 32))
        }
    }

    /// The properties of a feature, in the order of the feed.
    package static let inFeed: [QuakeProperty] = [
        .mag, .place, .time, .updated, .tz, .url, .detail, .felt, .cdi, .mmi, .alert, .status, .tsunami, .sig, .net,
        .code, .ids, .sources, .types, .nst, .dmin, .rms, .gap, .magType, .type, .title,
    ]

    /// The properties that a feature may have: those in the feed, and the uncertainties, which only GeoJSON written by
    /// this program contains.
    package static let inFeatures = inFeed + uncertainties
}

extension QuakeProperty: CustomStringConvertible {
    public var description: String { rawValue }
}

/// A property is encoded as its raw value.
extension QuakeProperty: Codable {}
