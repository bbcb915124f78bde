package import QuakeModel

/// A stretch of time in which a zone's clocks differ from UTC by the same amount.
struct ZonePeriod: Hashable, Sendable {
    /// `CET`, or `+03` where a zone has no abbreviation.
    var abbreviation: String
    /// Seconds to add to UTC.
    var offset: Int
}

/// When the clocks of a time zone changed, read from a file of the time zone database (TZif, RFC 9636), and the rule by
/// which they change after the last known time.
package struct TimeZoneRules: Sendable {
    /// The period before the first transition.
    private let initial: ZonePeriod
    /// Seconds since 1970 at which a period starts, ascending.
    private let starts: [Int64]
    private let periods: [ZonePeriod]
    /// The rule after the last transition.
    private let rule: PosixZone?

    /// A zone that always follows `rule`.
    package init(_ rule: PosixZone) {
        initial = rule.standard
        (starts, periods, self.rule) = ([], [], rule)
    }

    /// Reads a TZif file; nil if `bytes` are something else.
    package init?(file bytes: [UInt8]) {
        var reader = TZifReader(bytes)
        guard var block = reader.block(timeSize: 4) else { return nil }
        var rule: PosixZone?
        // From version 2 on, a second block has times of eight bytes and is followed by the rule.
        if block.version > 0 {
            guard let longer = reader.block(timeSize: 8) else { return nil }
            block = longer
            rule = reader.footer.flatMap { PosixZone($0) }
        }
        guard let initial = block.types.first, block.indices.allSatisfy({ $0 < block.types.count }) else { return nil }
        self.initial = initial
        starts = block.times
        periods = block.indices.map { block.types[$0] }
        self.rule = rule
    }

    /// The period in which `moment` lies.
    package func period(at moment: Timestamp) -> ZonePeriod {
        let seconds = Int64((Double(moment.milliseconds) / 1000).rounded(.down))
        guard let last = starts.last else { return rule?.period(at: seconds) ?? initial }
        if seconds >= last, let rule { return rule.period(at: seconds) }
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? initial : periods[low - 1]
    }
}

/// Reads the parts of a TZif file one after another. Every read checks the bounds.
private struct TZifReader {
    /// One block: a header and its data, as far as they matter here.
    struct Block {
        var version: UInt8
        var times: [Int64]
        /// The type of the period from each of `times` on.
        var indices: [Int]
        var types: [ZonePeriod]
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The next block; nil if there is none.
    mutating func block(timeSize: Int) -> Block? {
        guard let magic = take(4), magic.elementsEqual("TZif".utf8), let version = take(1)?.first, take(15) != nil,
            let marksUTC = count(), let marksStandard = count(), let leaps = count(), let timeCount = count(),
            let typeCount = count(), let letterCount = count(),
            let timeBytes = take(timeCount * timeSize), let indices = take(timeCount), let types = take(typeCount * 6),
            let letters = take(letterCount), take(leaps * (timeSize + 4) + marksStandard + marksUTC) != nil
        else { return nil }
        let times = stride(from: timeBytes.startIndex, to: timeBytes.endIndex, by: timeSize).map {
            Self.integer(timeBytes[$0..<$0 + timeSize])
        }
        let periods = stride(from: types.startIndex, to: types.endIndex, by: 6).map { start in
            ZonePeriod(
                abbreviation: String(
                    decoding: letters.dropFirst(Int(types[start + 5])).prefix { $0 != 0 }, as: UTF8.self),
                offset: Int(Self.integer(types[start..<start + 4])))
        }
        return Block(version: version, times: times, indices: indices.map(Int.init), types: periods)
    }

    /// The line after the last block.
    var footer: String? {
        guard bytes[position...].first == UInt8(ascii: "\n") else { return nil }
        return String(decoding: bytes[(position + 1)...].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= bytes.count - position else { return nil }
        defer { position += count }
        return bytes[position..<position + count]
    }

    private mutating func count() -> Int? { take(4).map { Int(UInt32(truncatingIfNeeded: Self.integer($0))) } }

    /// A big-endian integer with a sign.
    private static func integer(_ bytes: ArraySlice<UInt8>) -> Int64 {
        let start: Int64 = bytes.first.map { $0 >= 0x80 ? -1 : 0 } ?? 0
        return bytes.reduce(start) { $0 << 8 | Int64($1) }
    }
}
