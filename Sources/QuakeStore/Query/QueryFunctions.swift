import GRDB
import QuakeModel

/// The functions that queries need and SQLite lacks; each is the same code as the filter uses on values.
enum QueryFunctions {
    static let all = [distance, folded]

    /// `distance_km(lat1, lon1, lat2, lon2)`.
    private static let distance = DatabaseFunction("distance_km", argumentCount: 4, pure: true) { values in
        let degrees = values.compactMap { Double.fromDatabaseValue($0) }
        guard degrees.count == 4 else { return nil }
        return GeographicPoint(latitude: degrees[0], longitude: degrees[1])
            .distanceKilometers(to: GeographicPoint(latitude: degrees[2], longitude: degrees[3]))
    }

    /// `folded(text)`: without case and accents.
    private static let folded = DatabaseFunction("folded", argumentCount: 1, pure: true) { values in
        String.fromDatabaseValue(values[0]).map(QuakeFilter.folded)
    }
}
