import Glibc
import QuakeFiles
import QuakeModel

/// The names on maps, unpacked from the output of `Scripts/pack-places`, which documents the format.
struct Places {
    /// A country or state, and the position of its name.
    struct Region {
        var name: String
        var point: GeographicPoint
        /// The width at this position in degrees of longitude; 0 if the name is never shown.
        var width: Double
        var isState: Bool
    }

    struct City {
        var name: String
        /// The index of the city's country or state.
        var region: Int
        var point: GeographicPoint
        /// The smallest scale at which maps name the city (``Places/finestRank(unitsPerDegree:)``); 0 for a world map.
        var rank: Int
    }

    private(set) var regions: [Region] = []
    /// The cities by rank, and within each rank by size, largest first.
    private(set) var cities: [City] = []

    /// Returns the highest rank of the cities that a map of this scale names.
    static func finestRank(unitsPerDegree: Double) -> Int { Int(log2(unitsPerDegree * 0.11).rounded(.down)) }

    init() {
        let file = quakeMapPlaces()
        let text = UnsafeBufferPointer(start: file.bytes, count: file.count)
        let end = text.firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
        var reader = PackedReader(UnsafeBufferPointer(rebasing: text[..<end]))
        var names = text[end...].split(separator: UInt8(ascii: "\n")).makeIterator()
        let nextName = { names.next().map { String(decoding: $0, as: UTF8.self) } ?? "" }
        let steps = Double(reader.next())
        for _ in 0..<reader.next() {
            let x = reader.nextSigned()
            let y = reader.nextSigned()
            let width = reader.next()
            regions.append(
                Region(
                    name: nextName(), point: GeographicPoint(latitude: Double(y) / steps, longitude: Double(x) / steps),
                    width: Double(width >> 1), isState: width & 1 == 1))
        }
        var x = 0
        var y = 0
        for rank in 0..<reader.next() {
            for _ in 0..<reader.next() {
                x += reader.nextSigned()
                y += reader.nextSigned()
                let point = GeographicPoint(latitude: Double(y) / steps, longitude: Double(x) / steps)
                let region = reader.next()
                cities.append(City(name: nextName(), region: region, point: point, rank: rank))
            }
        }
    }
}
