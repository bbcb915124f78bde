import QuakeStore
import QuakeTestSupport
import Testing

/// A filter accepts the same quakes in a query as in memory.
struct FilterTests {
    private static let texts = [
        "Éboulement", "éboulement", "E\u{301}boulement", "ÉBOULEMENT", "earthquake", "Earthquake", "\u{212A}ilauea",
        "kilauea", "İzmir", "straße", "STRASSE", "", "quarry_blast", "quarry blast",
    ]

    private func check(_ quakes: [Quake], _ filter: QuakeFilter) throws {
        try ScratchStore.with { _, context in
            for quake in quakes { try context.record(quake) }
            let found = try context.fetch(QuakeDescriptor(filter: filter)).map(\.quake.id).sorted()
            #expect(found == quakes.filter(filter.accepts).map(\.id).sorted())
        }
    }

    @Test("SQL and in-memory filters agree on text that is not ASCII", arguments: texts)
    func nonASCIIText(text: String) throws {
        let quakes = (Self.texts + [nil]).enumerated().map { index, value in
            Quake.sample("us70\(index)").with { quake in
                (quake.eventType, quake.status, quake.alert) = (value, value, value)
                (quake.place, quake.magnitudeType) = (value.map { "5 km S of \($0)" }, value)
            }
        }
        for change: (inout QuakeFilter) -> Void in [
            { $0.eventTypes = [text] }, { $0.statuses = [text] }, { $0.alerts = [text] },
            { $0.magnitudeTypes = [text] }, { $0.eventTypes = ["!\(text)"] }, { $0.alerts = [text, "!a", "!A"] },
            { $0.placesContain = [text] },
        ] {
            var filter = QuakeFilter()
            change(&filter)
            try check(quakes, filter)
            #expect(quakes.contains(where: filter.accepts))
        }
        #expect(quakes.count(where: QuakeFilter(eventTypes: ["quarry blast"]).accepts) == 2)
    }

    @Test(
        "SQL and in-memory filters agree on regions",
        arguments: [
            ("California", 5), ("CALIFORNIA", 5), ("Nevada", 1), ("Mexico", 1), ("New Mexico", 1), ("Canada", 1),
            ("reunion", 1), ("Calif", 0), ("", 0),
        ])
    func regions(region: String, count: Int) throws {
        let places = [
            "4km NW of The Geysers, CA", "9 km N of Ridgecrest, California", "Central California",
            "California-Nevada border region", "Offshore Northern California", "7 km E of X, Canada", "X, Mexico",
            "X, New Mexico", "X, Réunion", "X,", nil,
        ]
        let quakes = places.enumerated().map { index, place in Quake.sample("us70\(index)").with { $0.place = place } }
        try check(quakes, QuakeFilter(regions: [region]))
        #expect(quakes.count(where: QuakeFilter(regions: [region]).accepts) == count)
    }

    @Test("SQL and in-memory filters distinguish the US state of Georgia from the country") func georgias() throws {
        let longitudes = [-83.6, 44.8, 45.1]
        let quakes = longitudes.enumerated().map { index, longitude in
            Quake.sample("us70\(index)").with { quake in
                quake.place = "5 km S of X, Georgia"
                quake.hypocenter.longitude = longitude
            }
        }
        for (region, count) in [("Georgia", 1), ("Georgia (country)", 2)] {
            let filter = QuakeFilter(regions: [region])
            try check(quakes, filter)
            #expect(quakes.count(where: filter.accepts) == count)
        }
    }

    @Test(
        "A filter text with a null byte matches nothing, in SQL and in memory",
        arguments: ["a\u{0}b", "earth\u{0}quake", "us\u{0}", "\u{0}"])
    func nullBytes(text: String) throws {
        let plain = text.filter { $0 != "\u{0}" }
        let quakes = [
            Quake.sample("us701").with { quake in
                (quake.eventType, quake.status, quake.alert, quake.magnitudeType) = (plain, plain, plain, plain)
                quake.place = "5 km S of X, \(plain)"
            }
        ]
        for filter in [
            QuakeFilter(eventTypes: [text]), QuakeFilter(statuses: [text]), QuakeFilter(networks: [text]),
            QuakeFilter(alerts: [text]), QuakeFilter(magnitudeTypes: [text]), QuakeFilter(placesContain: [text]),
            QuakeFilter(regions: [text]), QuakeFilter(eventTypes: ["!\(plain)", "!\(text)"]),
        ] {
            try check(quakes, filter)
            #expect(!quakes.contains(where: filter.accepts))
        }
    }

    @Test(
        "A filter around a point with impossible coordinates matches no quakes",
        arguments: [(135.0, 0), (-90.5, 0), (.infinity, 0), (0, .infinity)])
    func impossiblePoint(latitude: Double, longitude: Double) throws {
        let point = GeographicPoint(latitude: latitude, longitude: longitude)
        for filter in [
            QuakeFilter(circles: [.init(center: point, radiusKilometers: 20_100)]),
            QuakeFilter(intensity: .init(places: [point], minimumIntensity: -100)),
        ] {
            try check([.sample("us701")], filter)
            #expect(!filter.accepts(.sample("us701")))
        }
    }

    @Test(
        "SQL and in-memory filters agree on a circle with an impossible radius", arguments: [-1, .infinity])
    func impossibleRadius(radius: Double) throws {
        let center = GeographicPoint(latitude: 19.4, longitude: -155.3)
        try check([.sample("us701")], QuakeFilter(circles: [.init(center: center, radiusKilometers: radius)]))
    }

    @Test("SQL and in-memory filters agree on 5,000 place names or regions") func thousandsOfTexts() throws {
        let quakes = ["Chile", "Peru", nil].enumerated().map { index, place in
            Quake.sample("us70\(index)").with { $0.place = place }
        }
        let names = Set((0..<5000).map { "Place \($0)" })
        for filter in [QuakeFilter(placesContain: names.union(["chile"])), QuakeFilter(regions: names.union(["Peru"]))]
        {
            try check(quakes, filter)
            #expect(quakes.contains(where: filter.accepts))
        }
    }

    @Test("A bounding box with a NaN edge, or with its south above its north, is rejected") func impossibleBox() throws
    {
        #expect(throws: BoundingBoxError.southAboveNorth(south: 2, north: 1)) {
            try BoundingBox(west: 0, south: 2, east: 1, north: 1)
        }
        #expect(throws: BoundingBoxError.notFinite) { try BoundingBox(west: 0, south: .nan, east: 1, north: 1) }
        let box = try BoundingBox(west: 170, south: -20, east: -170, north: -10)
        #expect(box.crossesDateLine)
        #expect(box.contains(Hypocenter(longitude: 180, latitude: -10, depthKilometers: nil)))
        #expect(!box.contains(Hypocenter(longitude: 0, latitude: .nan, depthKilometers: nil)))
    }

    @Test(
        "Place names are compared without regard to case and accents",
        arguments: [
            ("Pāhala", "pahala"), ("Pa\u{304}hala", "pahala"), ("ÎLE-DE-FRANCE", "ile-de-france"), ("Ñuble", "nuble"),
            ("Thừa Thiên Huế", "thua thien hue"), ("İzmir", "izmir"), ("Αθήνα", "αθηνα"),
            ("ΠΕΛΟΠΌΝΝΗΣΟΣ", "πελοποννησος"),
            ("Йошкар", "иошкар"), ("Straße", "strasse"), ("8 km E of Fox", "8 km e of fox"), ("能登", "能登"), ("", ""),
            ("Kuril’sk", "kuril'sk"), ("Hawaiʻi", "hawai'i"),
        ])
    func foldedPlaces(text: String, folded: String) {
        #expect(TextFolding.folded(text) == TextFolding.folded(folded))
    }

    @Test("A search text without accents finds a place name with accents") func accents() throws {
        let filter = QuakeFilter(placesContain: ["nowhere", "pahola"])
        #expect(filter.accepts(.sample()))
        try check([.sample()], filter)
    }
}

/// Values of the wrong type for a property leave a quake unchanged.
struct QuakePropertyTests {
    @Test("Setting a quake's property to a value of the wrong type changes nothing", arguments: QuakeProperty.allCases)
    func valueOfWrongKind(property: QuakeProperty) {
        var quake = Quake.sample()
        for property in QuakeProperty.compared {
            switch property.kind {
            case .integer, .time: quake.set(property, to: .integer(7))
            case .real: quake.set(property, to: .real(7.5))
            case .text: quake.set(property, to: .text(",seven,"))
            }
        }
        let wrong: [QuakeValue] =
            switch property.kind {
            case .integer, .time: [.text("x"), .real(1.5)]
            case .real: [.text("x")]
            case .text: [.integer(1), .real(1.5)]
            }
        for value in wrong {
            var copy = quake
            copy.set(property, to: value)
            #expect(copy == quake, "\(value)")
        }
    }

    @Test("Only an optional property of a quake can be set to null") func valueOfRightKind() {
        var quake = Quake.sample()
        quake.set(.mag, to: .integer(5))
        #expect(quake.magnitude == 5)
        quake.set(.mag, to: .null)
        #expect(quake.magnitude == nil)
        quake.set(.net, to: .null)
        #expect(quake.net == "us")
    }
}
