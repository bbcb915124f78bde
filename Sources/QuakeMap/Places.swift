import QuakeFiles
import QuakeModel

/// The names that maps show, unpacked from what `Scripts/pack-places` wrote. That script says how the bytes lie.
struct Places {
    /// A country or a state, and where its name stands.
    struct Region {
        var name: String
        var point: GeographicPoint
        /// How many degrees of longitude wide it is there; 0 where it is not named.
        var width: Double
        var isState: Bool
    }

    struct City {
        var name: String
        /// The number of its country or state.
        var region: Int
        var point: GeographicPoint
        /// 0 for those named on a map of the world, and so on.
        var rank: Int
    }

    private(set) var regions: [Region] = []
    /// By rank, and of each rank the largest first.
    private(set) var cities: [City] = []

    init() {
        let file = quakeMapPlaces()
        let text = UnsafeBufferPointer(start: file.bytes, count: file.count)
        let end = text.firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
        var reader = PackedReader(UnsafeBufferPointer(rebasing: text[..<end]))
        var names = text[end...].split(separator: UInt8(ascii: "\n")).makeIterator()
        let nextName = { names.next().map { String(decoding: $0, as: UTF8.self) } ?? "" }
        let steps = Double(reader.next())
        for _ in 0..<reader.next() {
            let (x, y, width) = (reader.nextSigned(), reader.nextSigned(), reader.next())
            regions.append(
                Region(
                    name: nextName(), point: GeographicPoint(latitude: Double(y) / steps, longitude: Double(x) / steps),
                    width: Double(width >> 1), isState: width & 1 == 1))
        }
        var (x, y) = (0, 0)
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
