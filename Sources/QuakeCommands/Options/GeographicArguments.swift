import ArgumentParser
import QuakeModel

extension GeographicPoint {
    /// Reads `LAT,LON`.
    static func parse(_ text: String) throws -> GeographicPoint {
        let numbers = try FiniteNumber.parseList(text, count: 2, form: "LAT,LON")
        let point = GeographicPoint(latitude: numbers[0], longitude: numbers[1])
        try requireLatitude(point.latitude)
        try requireLongitude(point.longitude)
        return point
    }
}

extension BoundingBox {
    /// Reads `W,S,E,N`. A west that lies east of the east crosses the 180th meridian.
    static func parse(_ text: String) throws -> BoundingBox {
        let numbers = try FiniteNumber.parseList(text, count: 4, form: "W,S,E,N")
        let box = try BoundingBox(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
        try [box.south, box.north].forEach(requireLatitude)
        try [box.west, box.east].forEach(requireLongitude)
        guard box.south <= box.north else {
            throw ValidationError("The order is west, south, east, north, and here south lies north of north.")
        }
        return box
    }
}

private func requireLatitude(_ degrees: Double) throws {
    guard (-90...90).contains(degrees) else {
        throw ValidationError("A latitude lies between -90 and 90; \(degrees) does not.")
    }
}

private func requireLongitude(_ degrees: Double) throws {
    guard (-180...180).contains(degrees) else {
        throw ValidationError("A longitude lies between -180 and 180; \(degrees) does not.")
    }
}
