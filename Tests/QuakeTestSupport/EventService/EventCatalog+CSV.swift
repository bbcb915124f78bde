public import QuakeModel

/// The event service's CSV: the columns of a feed in CSV, and the only summary that contains uncertainties.
extension EventCatalog {
    private static let header =
        "time,latitude,longitude,depth,mag,magType,nst,gap,dmin,rms,net,id,updated,place,type,horizontalError,"
        + "depthError,magError,magNst,status,locationSource,magSource"

    /// Returns the CSV of the events at `places`.
    func csv(of places: [Int]) -> String {
        ([Self.header] + places.map { Self.row(of: events[$0]) }).joined(separator: "\n") + "\n"
    }

    private static func row(of event: Event) -> String {
        var quake = event.quake.withInventedUncertainties
        if event.isDeleted { quake.status = "deleted" }
        let hypocenter = quake.hypocenter
        let fields: [String] = [
            quake.originTime.iso8601, text(hypocenter.latitude), text(hypocenter.longitude),
            text(hypocenter.depthKilometers), event.isGarbled ? "99" : text(quake.magnitude), quake.magnitudeType ?? "",
            text(quake.stationCount), text(quake.azimuthalGapDegrees), text(quake.nearestStationDegrees),
            text(quake.residualSeconds), quake.net, quake.id, quake.updated.iso8601,
            "\"\((quake.place ?? "").replacing("\"", with: "\"\""))\"", quake.eventType ?? "",
            text(quake.horizontalErrorKilometers), text(quake.depthErrorKilometers), text(quake.magnitudeError),
            text(quake.magnitudeStationCount), quake.status ?? "", quake.locationSource ?? "",
            quake.magnitudeSource ?? "",
        ]
        return fields.joined(separator: ",")
    }

    private static func text<Number>(_ number: Number?) -> String { number.map { "\($0)" } ?? "" }
}

extension Quake {
    /// The quake with the uncertainties that the tests' event service publishes for its solution. Every revision of the
    /// solution changes them, and some solutions have few or none.
    public var withInventedUncertainties: Quake {
        let depth = hypocenter.depthKilometers ?? 0
        let solution = abs(Int(originTime.milliseconds / 10 + Int64((hypocenter.latitude + depth) * 100)))
        var quake = self
        quake.locationSource = solution % 40 == 0 ? nil : net
        quake.horizontalErrorKilometers = solution % 8 == 0 ? nil : Double(1 + solution % 600) / 100
        quake.depthErrorKilometers = hypocenter.depthKilometers == nil ? nil : Double(solution % 3_000) / 100
        if let magnitude {
            let digits = abs(Int((magnitude * 100).rounded()))
            quake.magnitudeSource = net
            quake.magnitudeError = digits % 3 == 0 ? nil : Double(1 + digits % 40) / 100
            quake.magnitudeStationCount = digits % 3 == 0 ? nil : 1 + digits % 90
        }
        return quake
    }
}
