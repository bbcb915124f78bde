import Glibc
import QuakeModel
import QuakeFiles

/// The cities packed into the program by `Scripts/pack-cities`. Nothing is unpacked in advance: names are found by
/// binary search, because the lines are sorted by key.
struct Gazetteer {
    /// A country or a U.S. state.
    struct Region {
        let countryCode: String
        let country: String
        let state: String?
        /// The keys of the region's names.
        let keys: [[UInt8]]
    }

    private let text: UnsafeBufferPointer<UInt8>
    /// The offset of the first city.
    private let start: Int

    init() {
        let file = quakePlaceCities()
        text = UnsafeBufferPointer(start: file.bytes, count: file.count)
        start = text.prefix(5).reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }

    /// The regions, in the order of their numbers.
    var regions: [Region] {
        text[6..<start].split(separator: lineFeed).map { line in
            let parts = line.split(separator: tab, omittingEmptySubsequences: false)
            return Region(
                countryCode: string(parts[0]), country: string(parts[1]),
                state: parts[2].isEmpty ? nil : string(parts[2]),
                keys: parts[3].split(separator: UInt8(ascii: " ")).map { Array($0) })
        }
    }

    /// Returns the entries whose keys are not less than `key`, sorted by key. Among entries with the same key, the
    /// largest city comes first.
    func entries(from key: [UInt8] = []) -> some Sequence<Entry> {
        sequence(state: key.isEmpty ? start : lineStart(ofFirstKeyFrom: key)) { position in
            guard position < text.count else { return nil }
            let line = text[position..<lineEnd(position)]
            position = line.endIndex + 1
            return Entry(line)
        }
    }

    func city(_ entry: Entry, in regions: [Region]) -> City {
        let region = regions[entry.region]
        return City(
            name: entry.name, state: region.state, country: region.country, countryCode: region.countryCode,
            point: entry.point, size: entry.size)
    }

    private func lineStart(ofFirstKeyFrom key: [UInt8]) -> Int {
        var low = start
        var high = text.count
        while low < high {
            let middle = lineStart(around: (low + high) / 2)
            let end = lineEnd(middle)
            if Entry(text[middle..<end]).key.lexicographicallyPrecedes(key) {
                low = end + 1
            } else {
                high = middle
            }
        }
        return low
    }

    private func lineStart(around position: Int) -> Int {
        var position = position
        while position > start, text[position - 1] != lineFeed { position -= 1 }
        return position
    }

    private func lineEnd(_ position: Int) -> Int {
        position + UnsafeBufferPointer(rebasing: text[position...]).length(before: lineFeed)
    }
}

extension Gazetteer {
    /// A line of the packed text: a city under its own name or another name.
    struct Entry {
        private let line: UnsafeBufferPointer<UInt8>

        fileprivate init(_ line: Slice<UnsafeBufferPointer<UInt8>>) {
            self.line = UnsafeBufferPointer(rebasing: line)
        }

        var region: Int { number(0..<2) }
        /// See ``City/size``.
        var size: Int { number(2..<3) }

        var point: GeographicPoint {
            let (latitude, longitude) = number(3..<9).quotientAndRemainder(dividingBy: 360_001)
            return GeographicPoint(
                latitude: Double(latitude - 90_000) / 1000, longitude: Double(longitude - 180_000) / 1000)
        }

        /// The city's own name.
        var name: String { string(names.last ?? names[0]) }
        /// The name that the line is sorted by.
        var sortName: String { string(names[0]) }
        var isOtherName: Bool { line.length(before: tab) < line.count }
        var key: [UInt8] { CityKey.key(of: sortName) }
        private var names: [Slice<UnsafeBufferPointer<UInt8>>] { line.dropFirst(9).split(separator: tab) }

        private func number(_ digits: Range<Int>) -> Int { digits.reduce(0) { $0 << 6 | Int(line[$1] &- 0x30) } }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the number of bytes before the first `byte`, or the total number if there is none.
    fileprivate func length(before byte: UInt8) -> Int {
        guard let baseAddress, let found = memchr(baseAddress, Int32(byte), count) else { return count }
        return UnsafeRawPointer(found) - UnsafeRawPointer(baseAddress)
    }
}

private let lineFeed = UInt8(ascii: "\n")
private let tab = UInt8(ascii: "\t")

private func string(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String { String(decoding: bytes, as: UTF8.self) }
