import QuakeModel

/// The columns that hold a quake's values, in the order in which they are bound and read.
enum QuakeColumns {
    /// Column names, also the keys of recorded values.
    static let names = [
        "net", "code", "time", "lat", "lon", "depth", "mag", "magType", "place", "type", "status", "updated", "felt",
        "cdi", "mmi", "alert", "tsunami", "sig", "ids", "sources", "types", "nst", "dmin", "rms", "gap", "tz", "title",
        "url", "detail", "extra",
    ]

    /// The names for a SELECT, each after `prefix`.
    static func list(prefix: String = "") -> String {
        names.map { prefix + $0 }.joined(separator: ", ")
    }

    static let placeholders = names.map { _ in "?" }.joined(separator: ", ")
    /// An UPDATE of all columns, numbered as ``Statement/bind(_:from:)`` binds them from 1 on, then of `last_change`,
    /// `hash` and `confirmed`, for the key that is bound last.
    static let update = update(from: 0)
    /// The same without network, code and time: an UPDATE that names an indexed column rewrites its index.
    static let updateOfSameIdentity = update(from: 3)

    private static func update(from first: Int) -> String {
        let count = names.count
        let values = names.enumerated().dropFirst(first).map { ($0.element, "?\($0.offset + 1)") }
        let source = [
            ("last_change", "?\(count + 1)"), ("hash", "?\(count + 2)"), ("confirmed", "max(confirmed, ?\(count + 3))"),
        ]
        return CheckedTable.quakes.update(values + source, where: "key = ?\(count + 4)")
    }
}

extension Statement {
    /// Binds the values of `quake` from `first` on, in the order of ``QuakeColumns/names``.
    func bind(_ quake: Quake, from first: Int32) throws {
        try bind(first, quake.net)
        try bind(first + 1, quake.code)
        try bind(first + 2, quake.originTime.milliseconds)
        try bind(first + 3, quake.hypocenter.latitude)
        try bind(first + 4, quake.hypocenter.longitude)
        try bind(first + 5, quake.hypocenter.depthKilometers)
        try bind(first + 6, quake.magnitude)
        try bind(first + 7, quake.magnitudeType)
        try bind(first + 8, quake.place)
        try bind(first + 9, quake.eventType)
        try bind(first + 10, quake.status)
        try bind(first + 11, quake.updated.milliseconds)
        try bind(first + 12, quake.feltReports)
        try bind(first + 13, quake.communityIntensity)
        try bind(first + 14, quake.instrumentalIntensity)
        try bind(first + 15, quake.alert)
        try bind(first + 16, quake.tsunami)
        try bind(first + 17, quake.significance)
        try bind(first + 18, quake.ids.text)
        try bind(first + 19, quake.sources.text)
        try bind(first + 20, quake.productTypes.text)
        try bind(first + 21, quake.stationCount)
        try bind(first + 22, quake.nearestStationDegrees)
        try bind(first + 23, quake.residualSeconds)
        try bind(first + 24, quake.azimuthalGap)
        try bind(first + 25, quake.timeZoneMinutes)
        try bind(first + 26, quake.publishedTitle)
        try bind(first + 27, quake.publishedURL)
        try bind(first + 28, quake.publishedDetail)
        try bind(first + 29, quake.extra)
    }

    /// Reads a quake from the columns from `first` on, in the order of ``QuakeColumns/names``.
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
