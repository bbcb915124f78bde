import QuakeModel
import QuakeTestSupport
import Testing

@testable import QuakePlaces

@Suite("Cities by name") struct CityNameTests {
    @Test(
        "A city is found by its name in any common spelling, such as \"st louis mo\"",
        arguments: [
            ("Tokyo", "Tokyo, Japan"), ("tokyo", "Tokyo, Japan"), ("TOKYO, japan", "Tokyo, Japan"),
            ("tokyo jp", "Tokyo, Japan"), ("  Tokyo  ", "Tokyo, Japan"), ("Tōkyō", "Tokyo, Japan"),
            ("San Juan, Puerto Rico", "San Juan, Puerto Rico"), ("san juan pr", "San Juan, Puerto Rico"),
            ("San Juan, PR, USA", "San Juan, Puerto Rico"), ("San Juan, Argentina", "San Juan, Argentina"),
            ("Ridgecrest", "Ridgecrest, California"), ("Ridgecrest, California", "Ridgecrest, California"),
            ("Ridgecrest, CA", "Ridgecrest, California"), ("ridgecrest ca", "Ridgecrest, California"),
            ("Ridgecrest, CA, USA", "Ridgecrest, California"), ("Paris", "Paris, France"),
            ("Paris, TX", "Paris, Texas"), ("Paris Texas", "Paris, Texas"),
            ("Washington DC", "Washington, District of Columbia"),
            ("Washington, D.C.", "Washington, District of Columbia"),
            ("washington", "Washington, District of Columbia"),
            ("New York", "New York City, New York"), ("New York, NY", "New York City, New York"),
            ("nyc", "New York City, New York"), ("St. Louis, US", "St. Louis, Missouri"),
            ("Saint Louis, Missouri", "St. Louis, Missouri"), ("st louis mo", "St. Louis, Missouri"),
            ("st johns, canada", "St. John's, Canada"), ("St Petersburg, Russia", "Saint Petersburg, Russia"),
            ("Ft Worth", "Fort Worth, Texas"), ("Sao Paulo", "São Paulo, Brazil"), ("São Paulo", "São Paulo, Brazil"),
            ("zurich", "Zürich, Switzerland"), ("Cologne", "Köln, Germany"), ("Köln", "Köln, Germany"),
            ("Muenchen", "Munich, Germany"), ("Frankfurt", "Frankfurt am Main, Germany"),
            ("l'aquila", "L'Aquila, Italy"),
            ("LAquila", "L'Aquila, Italy"), ("L’Aquila", "L'Aquila, Italy"), ("Reykjavik", "Reykjavík, Iceland"),
            ("Istanbul, Türkiye", "Istanbul, Turkey"), ("London, UK", "London, United Kingdom"),
            ("London England", "London, United Kingdom"), ("Mexico City", "Mexico City, Mexico"),
            ("Atlanta, Georgia", "Atlanta, Georgia"), ("Tbilisi, Georgia", "Tbilisi, Georgia"),
            ("Nuku'alofa", "Nuku‘alofa, Tonga"), ("San Sebastian, Spain", "Donostia / San Sebastián, Spain"),
            ("Rangoon", "Yangon, Myanmar"), ("Ghent", "Gent, Belgium"), ("Salt Lake City", "Salt Lake City, Utah"),
            ("port-au-prince", "Port-au-Prince, Haiti"), ("Hagåtña", "Hagåtña, Guam"), ("singapore", "Singapore"),
        ])
    func found(text: String, name: String) throws {
        #expect(try City.named(text).description == name)
    }

    @Test("A name shared by cities of similar size is an error that lists the cities by size") func ambiguous() throws {
        #expect {
            try City.named("San Juan")
        } throws: { error in
            guard case CityNameError.ambiguous(let cities) = error else { return false }
            return cities.map(\.description).starts(with: [
                "San Juan, Puerto Rico", "San Juan, Philippines", "San Juan, Argentina",
            ])
        }
    }

    @Test(
        "The error for an unknown city lists up to three cities with similar names",
        arguments: [
            ("Tokio", "Tokyo, Japan"), ("San Fransisco", "San Francisco, California"),
            ("Petropavlovsk", "Petropavlovsk-Kamchatsky, Russia"), ("Chirstchurch NZ", "Christchurch, New Zealand"),
            ("Los Angelos, CA", "Los Angeles, California"),
        ])
    func similarNames(text: String, name: String) throws {
        #expect {
            try City.named(text)
        } throws: { error in
            guard case CityNameError.unknown(let similar) = error else { return false }
            return similar.contains { $0.description == name } && similar.count <= 3
        }
    }

    @Test("If a city is not in the given country, the error names the city's actual country") func wrongCountry() throws
    {
        #expect {
            try City.named("Tokyo, Germany")
        } throws: { error in
            guard case CityNameError.elsewhere(let cities) = error else { return false }
            return cities.map(\.description) == ["Tokyo, Japan"]
        }
    }

    @Test(
        "Empty text, punctuation and non-Latin text find no city",
        arguments: ["", " ", ",", "?!", ",,,", "東京", String(repeating: "x", count: 100_000)])
    func notAName(text: String) {
        #expect(throws: CityNameError.unknown(similar: [])) { try City.named(text) }
    }

    @Test("A city's coordinates are those of its center, to a thousandth of a degree") func centers() throws {
        #expect(try GeographicPoint.named("Tokyo") == GeographicPoint(latitude: 35.69, longitude: 139.692))
        #expect(try GeographicPoint.named("Suva") == GeographicPoint(latitude: -18.137, longitude: 178.425))
    }

    @Test("Each city name offered as a completion finds that city") func completions() throws {
        #expect(City.completions(of: "Tok", count: 5).first?.name == "Tokyo")
        #expect(City.completions(of: "san juan", count: 300).map(\.name).contains("San Juan, Puerto Rico"))
        #expect(City.completions(of: "San Juan, P", count: 9).contains { $0.name == "San Juan, Peru" })
        for (name, city) in City.completions(of: "", count: 50) { #expect(try City.named(name) == city) }
    }
}

@Suite("The packed cities") struct GazetteerTests {
    @Test("The 34,006 built-in cities are sorted by search key") func sortedByKey() throws {
        let gazetteer = Gazetteer()
        let regions = gazetteer.regions
        var last: (key: [UInt8], size: Int) = ([], 0)
        var count = 0
        for entry in gazetteer.entries() {
            let key = entry.key
            #expect(!key.isEmpty && key.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) })
            #expect(
                last.key.lexicographicallyPrecedes(key) || last.key == key && last.size >= entry.size,
                "\(entry.sortName)")
            #expect(regions.indices.contains(entry.region))
            #expect(abs(entry.point.latitude) <= 90 && abs(entry.point.longitude) <= 180)
            last = (key, entry.size)
            count += entry.isOtherName ? 0 : 1
        }
        #expect(count == 34_006)
        let key = CityKey.key(of: "zywiec")
        #expect(gazetteer.entries(from: key).prefix { $0.key == key }.map(\.name) == ["Żywiec"])
    }
}

@Suite("The nearest city") struct NearestCityTests {
    @Test("The nearest city to a random point is the one that a search of all cities finds") func randomPoints() throws
    {
        let points = Gazetteer().entries().map(\.point)
        let nearest = NearestCity()
        var random = SplitMix64(state: 30)
        for _ in 0..<30 {
            let point = GeographicPoint(
                latitude: Double.random(in: -90...90, using: &random),
                longitude: Double.random(in: -180...180, using: &random))
            let least = points.map { point.distanceKilometers(to: $0) }.min() ?? 0
            let city = try #require(nearest.city(to: point))
            #expect(abs(city.point.distanceKilometers(to: point) - least) < 0.001)
        }
    }

    @Test("A nearest city is found even at the poles and near the 180th meridian") func polesAndMeridian() {
        let nearest = NearestCity()
        #expect(nearest.city(to: GeographicPoint(latitude: 90, longitude: 0))?.name != nil)
        #expect(nearest.city(to: GeographicPoint(latitude: -90, longitude: 180))?.name != nil)
        #expect(nearest.city(to: GeographicPoint(latitude: -18.0, longitude: -179.9))?.country == "Fiji")
        #expect(nearest.city(to: GeographicPoint(latitude: .nan, longitude: 0)) == nil)
        #expect(
            nearest.city(to: GeographicPoint(latitude: 35.77, longitude: -117.6))?.description
                == "Ridgecrest, California")
    }
}
