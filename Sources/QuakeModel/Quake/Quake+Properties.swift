/// The values of a quake by property.
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
        case .tsunami: QuakeValue(tsunamiFlag)
        case .sig: QuakeValue(significance)
        case .ids: .text(ids.text)
        case .sources: .text(sources.text)
        case .types: .text(productTypes.text)
        case .nst: QuakeValue(stationCount)
        case .dmin: QuakeValue(nearestStationDegrees)
        case .rms: QuakeValue(residualSeconds)
        case .gap: QuakeValue(azimuthalGapDegrees)
        case .horizontalError: QuakeValue(horizontalErrorKilometers)
        case .depthError: QuakeValue(depthErrorKilometers)
        case .magError: QuakeValue(magnitudeError)
        case .magNst: QuakeValue(magnitudeStationCount)
        case .locationSource: QuakeValue(locationSource)
        case .magSource: QuakeValue(magnitudeSource)
        case .type: QuakeValue(eventType)
        case .lon: .real(hypocenter.longitude)
        case .lat: .real(hypocenter.latitude)
        case .depth: QuakeValue(hypocenter.depthKilometers)
        case .title: .text(title)
        case .url: .text(pageURL)
        case .detail: .text(detailURL)
        case .extra: QuakeValue(extra)
        }
    }

    /// The value as stored in a cache. For the title and the URLs, it is null unless the published text differs
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
            guard own != others, property.traits.isSet else { return own != others }
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
        case .tsunami: value.replace(&tsunamiFlag)
        case .sig: value.replace(&significance)
        case .ids: value.replace(&ids)
        case .sources: value.replace(&sources)
        case .types: value.replace(&productTypes)
        case .nst: value.replace(&stationCount)
        case .dmin: value.replace(&nearestStationDegrees)
        case .rms: value.replace(&residualSeconds)
        case .gap: value.replace(&azimuthalGapDegrees)
        case .horizontalError: value.replace(&horizontalErrorKilometers)
        case .depthError: value.replace(&depthErrorKilometers)
        case .magError: value.replace(&magnitudeError)
        case .magNst: value.replace(&magnitudeStationCount)
        case .locationSource: value.replace(&locationSource)
        case .magSource: value.replace(&magnitudeSource)
        case .type: value.replace(&eventType)
        case .lon: value.replace(&hypocenter.longitude)
        case .lat: value.replace(&hypocenter.latitude)
        case .depth: value.replace(&hypocenter.depthKilometers)
        case .extra: value.replace(&extra)
        case .id, .title, .url, .detail: break
        }
    }
}

/// Each function assigns a value of the right kind, and ignores other values. Null becomes nil if the property is
/// optional.
extension QuakeValue {
    fileprivate func replace(_ text: inout String) { text = textValue ?? text }
    fileprivate func replace(_ integer: inout Int64) { integer = integerValue ?? integer }
    fileprivate func replace(_ number: inout Double) { number = realValue ?? number }
    fileprivate func replace(_ set: inout PublishedSet) { set = textValue.map { PublishedSet($0) } ?? set }
    fileprivate func replace(_ text: inout String?) { text = self == .null ? nil : textValue ?? text }
    fileprivate func replace(_ integer: inout Int?) {
        integer = self == .null ? nil : integerValue.map { Int($0) } ?? integer
    }
    fileprivate func replace(_ number: inout Double?) { number = self == .null ? nil : realValue ?? number }
}
