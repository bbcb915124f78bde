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

    /// Puts `value` in the place of `property`. A value of another kind than the property's, and a derived property,
    /// is left alone: callers hold values that came from a quake.
    public mutating func set(_ property: QuakeProperty, to value: QuakeValue) {
        switch property {
        case .net: net = value.textValue ?? net
        case .code: code = value.textValue ?? code
        case .mag: magnitude = value.realValue
        case .magType: magnitudeType = value.textValue
        case .place: place = value.textValue
        case .time: originTime = value.integerValue.map(Timestamp.init(milliseconds:)) ?? originTime
        case .updated: updated = value.integerValue.map(Timestamp.init(milliseconds:)) ?? updated
        case .tz: timeZoneMinutes = value.integerValue
        case .felt: feltReports = value.integerValue
        case .cdi: communityIntensity = value.realValue
        case .mmi: instrumentalIntensity = value.realValue
        case .alert: alert = value.textValue
        case .status: status = value.textValue
        case .tsunami: tsunami = value.integerValue
        case .sig: significance = value.integerValue
        case .ids: ids = PublishedSet(value.textValue ?? "")
        case .sources: sources = PublishedSet(value.textValue ?? "")
        case .types: productTypes = PublishedSet(value.textValue ?? "")
        case .nst: stationCount = value.integerValue
        case .dmin: nearestStationDegrees = value.realValue
        case .rms: residualSeconds = value.realValue
        case .gap: azimuthalGap = value.realValue
        case .type: eventType = value.textValue
        case .lon: hypocenter.longitude = value.realValue ?? hypocenter.longitude
        case .lat: hypocenter.latitude = value.realValue ?? hypocenter.latitude
        case .depth: hypocenter.depthKilometers = value.realValue
        case .extra: extra = value.textValue
        case .id, .title, .url, .detail: break
        }
    }
}
