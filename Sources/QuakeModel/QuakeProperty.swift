/// A property of a quake, under the feed's name; the coordinates have names of their own.
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

    /// Whether the value is derived from other properties: it is printed but never compared (rule 12).
    public var isDerived: Bool {
        switch self {
        case .id, .title, .url, .detail: true
        default: false
        }
    }

    /// The properties that make up a change, in the order in which changes name them.
    public static let compared: [QuakeProperty] = allCases.filter { !$0.isDerived }

    /// Groups of properties by what they say, for choosing relevant changes.
    public enum Group: String, CaseIterable, Sendable, Codable {
        /// What the earthquake was: magnitude, time, place, kind, review, alert.
        case source
        /// How it affected people.
        case impact
        /// How well the quake is determined, and how its record is kept.
        case bookkeeping

        /// The members of the group. `alert` is in two: it tells the severity of the quake and its effect.
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

extension QuakeProperty: CustomStringConvertible {
    /// The feed's name.
    public var description: String { rawValue }
}

extension Quake {
    /// The value of one property under its published name.
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
        case .gap: QuakeValue(azimuthalGap)
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

    /// The stored properties in which this quake and `other` differ, in the order of ``QuakeProperty/compared``.
    ///
    /// Null-safe, numbers as numbers, sets as sets; derived properties are left out (rule 12).
    public func differences(from other: Quake) -> [QuakeProperty] {
        QuakeProperty.compared.filter { self[$0] != other[$0] }
    }

    /// Replaces the value of `property`. Ignores a value of another kind than the property's, null for a property that
    /// every quake has, and a derived property.
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
        case .gap: value.replace(&azimuthalGap)
        case .type: value.replace(&eventType)
        case .lon: value.replace(&hypocenter.longitude)
        case .lat: value.replace(&hypocenter.latitude)
        case .depth: value.replace(&hypocenter.depthKilometers)
        case .extra: value.replace(&extra)
        case .id, .title, .url, .detail: break
        }
    }
}

/// Each takes the value when it is of the right kind, and null where there may be none.
extension QuakeValue {
    fileprivate func replace(_ text: inout String) { text = textValue ?? text }

    fileprivate func replace(_ integer: inout Int64) { integer = integerValue ?? integer }

    fileprivate func replace(_ number: inout Double) { number = realValue ?? number }

    fileprivate func replace(_ set: inout PublishedSet) { set = textValue.map { PublishedSet($0) } ?? set }

    fileprivate func replace(_ text: inout String?) { text = self == .null ? nil : textValue ?? text }

    fileprivate func replace(_ integer: inout Int64?) { integer = self == .null ? nil : integerValue ?? integer }

    fileprivate func replace(_ number: inout Double?) { number = self == .null ? nil : realValue ?? number }
}
