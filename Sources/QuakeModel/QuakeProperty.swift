/// A property of a quake, named as in the feed except for the coordinates.
public enum QuakeProperty: String, CaseIterable, Sendable, Hashable {
    case id, time, lat, lon, depth, mag, magType, place, type, status
    case updated, felt, cdi, mmi, alert, tsunami, sig
    case net, code, ids, sources, types, nst, dmin, rms, gap, tz
    case title, url, detail
    /// Published properties unknown to this library, as one JSON object.
    case extra

    /// The type of a property's values.
    package enum Kind: Sendable {
        case integer, real, text
        /// Epoch milliseconds.
        case time
    }

    package var kind: Kind { row.kind }
    /// Whether the value is derived from other properties. Derived values are printed but never compared (rule 12).
    package var isDerived: Bool { row.isDerived }

    /// The properties that a change can affect, in the order in which changes list them.
    package static let compared: [QuakeProperty] = allCases.filter { !$0.isDerived }

    /// Derived properties whose published values are stored if they differ from the derived ones.
    package static let published: [QuakeProperty] = [.title, .url, .detail]

    /// The properties that a cache stores.
    package static let stored = compared + published

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
            case .bookkeeping: [.updated, .ids, .sources, .types, .nst, .dmin, .rms, .gap]
            }
        }
    }
}

/// The table of properties. A new property needs a case, a row, a value in the two switches below, a member of
/// ``Quake``, a column in the cache and, with few exceptions, a group.
extension QuakeProperty {
    /// The attributes of a property that the feed, the cache and the output need.
    package struct Row: Sendable {
        let kind: Kind
        /// The layout of the property's column in a table.
        package let layout: ColumnLayout
        /// The unit after a number in output for people.
        package var unit: StaticString = ""
        /// Whether the value is a set of words, published with commas around and between them.
        package var isSet = false
        var isDerived = false
    }

    package var row: Row {
        switch self {
        case .id: Row(kind: .text, layout: .text(width: 13), isDerived: true)
        case .time: Row(kind: .time, layout: .text(width: 19))
        case .lat: Row(kind: .real, layout: .number(whole: 3, fraction: 4), unit: "°")
        case .lon: Row(kind: .real, layout: .number(whole: 4, fraction: 4), unit: "°")
        case .depth: Row(kind: .real, layout: .number(whole: 4, fraction: 1))
        case .mag: Row(kind: .real, layout: .number(whole: 2, fraction: 1))
        case .magType: Row(kind: .text, layout: .text(width: 3))
        case .place: Row(kind: .text, layout: .cuttable(width: 40))
        case .type: Row(kind: .text, layout: .cuttable(width: 12))
        case .status: Row(kind: .text, layout: .text(width: 9))
        case .updated: Row(kind: .time, layout: .text(width: 19))
        case .felt: Row(kind: .integer, layout: .number(whole: 6))
        case .cdi: Row(kind: .real, layout: .number(whole: 2, fraction: 1))
        case .mmi: Row(kind: .real, layout: .number(whole: 2, fraction: 1))
        case .alert: Row(kind: .text, layout: .text(width: 6))
        case .tsunami: Row(kind: .integer, layout: .number(whole: 1))
        case .sig: Row(kind: .integer, layout: .number(whole: 4))
        case .net: Row(kind: .text, layout: .text(width: 3))
        case .code: Row(kind: .text, layout: .text(width: 10))
        case .ids: Row(kind: .text, layout: .cuttable(width: 32), isSet: true)
        case .sources: Row(kind: .text, layout: .cuttable(width: 16), isSet: true)
        case .types: Row(kind: .text, layout: .cuttable(width: 32), isSet: true)
        case .nst: Row(kind: .integer, layout: .number(whole: 4))
        case .dmin: Row(kind: .real, layout: .number(whole: 3, fraction: 3), unit: "°")
        case .rms: Row(kind: .real, layout: .number(whole: 2, fraction: 2), unit: " s")
        case .gap: Row(kind: .real, layout: .number(whole: 3), unit: "°")
        case .tz: Row(kind: .integer, layout: .number(whole: 4))
        case .title: Row(kind: .text, layout: .cuttable(width: 48), isDerived: true)
        case .url: Row(kind: .text, layout: .text(width: 68), isDerived: true)
        case .detail: Row(kind: .text, layout: .text(width: 76), isDerived: true)
        case .extra: Row(kind: .text, layout: .cuttable(width: 32))
        }
    }

    /// The properties of a feature in the order of the feed.
    package static let inFeed: [QuakeProperty] = [
        .mag, .place, .time, .updated, .tz, .url, .detail, .felt, .cdi, .mmi, .alert, .status, .tsunami, .sig, .net,
        .code, .ids, .sources, .types, .nst, .dmin, .rms, .gap, .magType, .type, .title,
    ]
}

/// The layout of a column in a table.
package enum ColumnLayout: Sendable {
    /// Left-aligned.
    case text(width: Int)
    /// Left-aligned. A terminal may truncate long text.
    case cuttable(width: Int)
    /// Aligned at the decimal point, with the number of digits before and after it.
    case number(whole: Int, fraction: Int = 0)
}

extension QuakeProperty: CustomStringConvertible {
    public var description: String { rawValue }
}

extension Quake {
    public subscript(property: QuakeProperty) -> QuakeValue {
        switch property {
        case .id: .text(id)
        case .net: .text(net)
        case .code: .text(code)
        case .mag: QuakeValue(magnitude)
        case .magType: QuakeValue(magnitudeType)
        case .place: QuakeValue(place)
        case .time: .integer(originTime.milliseconds)
        case .updated: .integer(updated.milliseconds)
        case .tz: QuakeValue(timeZoneMinutes)
        case .felt: QuakeValue(feltReports)
        case .cdi: QuakeValue(communityIntensity)
        case .mmi: QuakeValue(instrumentalIntensity)
        case .alert: QuakeValue(alert)
        case .status: QuakeValue(status)
        case .tsunami: QuakeValue(tsunami)
        case .sig: QuakeValue(significance)
        case .ids: .text(ids.text)
        case .sources: .text(sources.text)
        case .types: .text(productTypes.text)
        case .nst: QuakeValue(stationCount)
        case .dmin: QuakeValue(nearestStationDegrees)
        case .rms: QuakeValue(residualSeconds)
        case .gap: QuakeValue(azimuthalGapDegrees)
        case .type: QuakeValue(eventType)
        case .lon: .real(hypocenter.longitude)
        case .lat: .real(hypocenter.latitude)
        case .depth: QuakeValue(hypocenter.depthKilometers)
        case .title: .text(title)
        case .url: .text(url)
        case .detail: .text(detail)
        case .extra: QuakeValue(extra)
        }
    }

    /// The value as stored in a cache. For the title and the addresses, it is null unless the published text differs
    /// from the derived text.
    package subscript(stored property: QuakeProperty) -> QuakeValue {
        get {
            switch property {
            case .title: QuakeValue(publishedTitle)
            case .url: QuakeValue(publishedURL)
            case .detail: QuakeValue(publishedDetail)
            default: self[property]
            }
        }
        set {
            switch property {
            case .title: publishedTitle = newValue.textValue
            case .url: publishedURL = newValue.textValue
            case .detail: publishedDetail = newValue.textValue
            default: set(property, to: newValue)
            }
        }
    }

    /// Returns the properties in which this quake and `other` differ, in the order of ``QuakeProperty/compared``.
    ///
    /// Sets are compared regardless of order; derived properties are excluded (rule 12).
    package func differences(from other: Quake) -> [QuakeProperty] {
        QuakeProperty.compared.filter { property in
            let own = self[property]
            let others = other[property]
            guard own != others, property.row.isSet else { return own != others }
            return PublishedSet(own.textValue ?? "") != PublishedSet(others.textValue ?? "")
        }
    }

    /// Replaces the value of `property`. Does nothing if `value` has the wrong kind, if it is null and the property is
    /// required, or if the property is derived from other properties.
    public mutating func set(_ property: QuakeProperty, to value: QuakeValue) {
        switch property {
        case .net: value.replace(&net)
        case .code: value.replace(&code)
        case .mag: value.replace(&magnitude)
        case .magType: value.replace(&magnitudeType)
        case .place: value.replace(&place)
        case .time: value.replace(&originTime.milliseconds)
        case .updated: value.replace(&updated.milliseconds)
        case .tz: value.replace(&timeZoneMinutes)
        case .felt: value.replace(&feltReports)
        case .cdi: value.replace(&communityIntensity)
        case .mmi: value.replace(&instrumentalIntensity)
        case .alert: value.replace(&alert)
        case .status: value.replace(&status)
        case .tsunami: value.replace(&tsunami)
        case .sig: value.replace(&significance)
        case .ids: value.replace(&ids)
        case .sources: value.replace(&sources)
        case .types: value.replace(&productTypes)
        case .nst: value.replace(&stationCount)
        case .dmin: value.replace(&nearestStationDegrees)
        case .rms: value.replace(&residualSeconds)
        case .gap: value.replace(&azimuthalGapDegrees)
        case .type: value.replace(&eventType)
        case .lon: value.replace(&hypocenter.longitude)
        case .lat: value.replace(&hypocenter.latitude)
        case .depth: value.replace(&hypocenter.depthKilometers)
        case .extra: value.replace(&extra)
        case .id, .title, .url, .detail: break
        }
    }
}

/// Each function assigns a value of the right kind. If the property is optional, null is assigned as nil.
extension QuakeValue {
    fileprivate func replace(_ text: inout String) { text = textValue ?? text }
    fileprivate func replace(_ integer: inout Int64) { integer = integerValue ?? integer }
    fileprivate func replace(_ number: inout Double) { number = realValue ?? number }
    fileprivate func replace(_ set: inout PublishedSet) { set = textValue.map { PublishedSet($0) } ?? set }
    fileprivate func replace(_ text: inout String?) { text = self == .null ? nil : textValue ?? text }
    fileprivate func replace(_ integer: inout Int64?) { integer = self == .null ? nil : integerValue ?? integer }
    fileprivate func replace(_ number: inout Double?) { number = self == .null ? nil : realValue ?? number }
}
