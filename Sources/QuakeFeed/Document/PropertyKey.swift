/// The members of a feature's `properties` that this program understands.
///
/// In the order in which the feed writes them; rows of values (``FeatureRow``) have the same order.
enum PropertyKey: String, CodingKey, CaseIterable {
    case mag, place, time, updated, tz, url, detail, felt, cdi, mmi, alert, status, tsunami, sig, net, code, ids,
        sources, types, nst, dmin, rms, gap, magType, type, title

    /// The place in ``allCases`` of the member whose name is `bytes`, nil for one that is not known.
    ///
    /// - Parameter guess: the place to look at first. Members mostly come in order, so mostly it is the right one.
    static func position(of bytes: Slice<UnsafeRawBufferPointer>, guess: Int = 0) -> Int? {
        guard let name = packed(bytes) else { return nil }
        let names = packedNames
        return guess < names.count && names[guess] == name ? guess : names.firstIndex(of: name)
    }

    private static let packedNames = allCases.compactMap { packed($0.rawValue.utf8) }

    /// A name of up to seven bytes and its length as one number. No known name is longer.
    private static func packed(_ name: some Collection<UInt8>) -> UInt64? {
        guard (1...7).contains(name.count) else { return nil }
        var number = UInt64(name.count)
        for byte in name { number = number << 8 | UInt64(byte) }
        return number
    }
}
