import ArgumentParser
import QuakeModel

extension GeographicPoint {
    /// Parses `LAT,LON`.
    static func parse(_ text: String) throws -> GeographicPoint {
        let numbers = try FiniteNumber.parseList(text, count: 2, form: "LAT,LON", example: "35.7,139.7")
        try requireLatitude(numbers[0])
        return GeographicPoint(latitude: numbers[0], longitude: try wrappedLongitude(numbers[1]))
    }
}

extension BoundingBox {
    /// Parses `W,S,E,N`. If W is greater than E, the box crosses the 180th meridian.
    static func parse(_ text: String) throws -> BoundingBox {
        let numbers = try FiniteNumber.parseList(text, count: 4, form: "W,S,E,N", example: "165,-50,-175,-30")
        let south = numbers[1]
        let north = numbers[3]
        try [south, north].forEach(requireLatitude)
        var west = try wrappedLongitude(numbers[0])
        var east = try wrappedLongitude(numbers[2])
        if numbers[2] - numbers[0] >= 360 {
            west = -180
            east = 180
        }
        guard south <= north else {
            throw ValidationError("South is greater than north; the order is west, south, east, north.")
        }
        return try BoundingBox(west: west, south: south, east: east, north: north)
    }
}

private func requireLatitude(_ degrees: Double) throws {
    guard (-90...90).contains(degrees) else {
        throw ValidationError("Latitude must be between -90 and 90, not \(degrees).")
    }
}

/// Converts a longitude from -360…360 degrees to -180…180 degrees. Throws a usage error for other numbers.
private func wrappedLongitude(_ degrees: Double) throws -> Double {
    guard (-360...360).contains(degrees) else {
        throw ValidationError("Longitude must be between -360 and 360, not \(degrees).")
    }
    return abs(degrees) > 180 ? degrees - (degrees > 0 ? 360 : -360) : degrees
}
