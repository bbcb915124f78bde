import QuakeModel

/// The columns that hold a quake's values, in the order in which they are bound and read.
enum QuakeColumns {
    /// Column names, also the keys of recorded values.
    static let names = [
        "net", "code", "time", "lat", "lon", "depth", "mag", "magType", "place", "type", "status", "updated", "felt",
        "cdi", "mmi", "alert", "tsunami", "sig", "ids", "sources", "types", "nst", "dmin", "rms", "gap", "tz", "title",
        "url", "detail", "extra",
    ]

    /// The names for a SELECT, each behind `prefix`.
    static func list(prefix: String = "") -> String {
        names.map { prefix + $0 }.joined(separator: ", ")
    }

    static let placeholders = names.map { _ in "?" }.joined(separator: ", ")
    /// `name = ?N` for an UPDATE, the placeholders numbered as ``SQLStatement/bind(_:from:)`` binds them from 1 on.
    static let assignments = numberedAssignments(from: 0)
    /// The same without network, code and time: naming an indexed column in an UPDATE rewrites its index.
    static let assignmentsOfSameIdentity = numberedAssignments(from: 3)

    private static func numberedAssignments(from first: Int) -> String {
        names.enumerated().dropFirst(first).map { "\($0.element) = ?\($0.offset + 1)" }.joined(separator: ", ")
    }
}

extension SQLStatement {
    /// Binds the values of `quake` from `first` on, in the order of ``QuakeColumns/names``.
    func bind(_ quake: Quake, from first: Int32) {
        bind(first, quake.net)
        bind(first + 1, quake.code)
        bind(first + 2, quake.originTime.milliseconds)
        bind(first + 3, quake.hypocenter.latitude)
        bind(first + 4, quake.hypocenter.longitude)
        bind(first + 5, quake.hypocenter.depthKilometers)
        bind(first + 6, quake.magnitude)
        bind(first + 7, quake.magnitudeType)
        bind(first + 8, quake.place)
        bind(first + 9, quake.eventType)
        bind(first + 10, quake.status)
        bind(first + 11, quake.updated.milliseconds)
        bind(first + 12, quake.feltReports)
        bind(first + 13, quake.communityIntensity)
        bind(first + 14, quake.instrumentalIntensity)
        bind(first + 15, quake.alert)
        bind(first + 16, quake.tsunami)
        bind(first + 17, quake.significance)
        bind(first + 18, quake.ids.text)
        bind(first + 19, quake.sources.text)
        bind(first + 20, quake.productTypes.text)
        bind(first + 21, quake.stationCount)
        bind(first + 22, quake.nearestStationDegrees)
        bind(first + 23, quake.residualSeconds)
        bind(first + 24, quake.azimuthalGap)
        bind(first + 25, quake.timeZoneMinutes)
        bind(first + 26, quake.publishedTitle)
        bind(first + 27, quake.publishedURL)
        bind(first + 28, quake.publishedDetail)
        bind(first + 29, quake.extra)
    }

    /// Reads a quake whose columns stand from `first` on, in the order of ``QuakeColumns/names``.
    func quake(from first: Int32) -> Quake {
        var quake = Quake(
            net: text(first), code: text(first + 1), originTime: Timestamp(milliseconds: integer(first + 2)),
            updated: Timestamp(milliseconds: integer(first + 11)),
            hypocenter: Hypocenter(
                longitude: real(first + 4), latitude: real(first + 3), depthKilometers: realOrNil(first + 5)))
        quake.magnitude = realOrNil(first + 6)
        quake.magnitudeType = textOrNil(first + 7)
        quake.place = textOrNil(first + 8)
        quake.eventType = textOrNil(first + 9)
        quake.status = textOrNil(first + 10)
        quake.feltReports = integerOrNil(first + 12)
        quake.communityIntensity = realOrNil(first + 13)
        quake.instrumentalIntensity = realOrNil(first + 14)
        quake.alert = textOrNil(first + 15)
        quake.tsunami = integerOrNil(first + 16)
        quake.significance = integerOrNil(first + 17)
        quake.ids = PublishedSet(canonical: text(first + 18))
        quake.sources = PublishedSet(canonical: text(first + 19))
        quake.productTypes = PublishedSet(canonical: text(first + 20))
        quake.stationCount = integerOrNil(first + 21)
        quake.nearestStationDegrees = realOrNil(first + 22)
        quake.residualSeconds = realOrNil(first + 23)
        quake.azimuthalGap = realOrNil(first + 24)
        quake.timeZoneMinutes = integerOrNil(first + 25)
        quake.publishedTitle = textOrNil(first + 26)
        quake.publishedURL = textOrNil(first + 27)
        quake.publishedDetail = textOrNil(first + 28)
        quake.extra = textOrNil(first + 29)
        return quake
    }
}
