/// The smallest box around hypocenters, as the feed gives it: least longitude, latitude and depth, then the greatest.
///
/// As in the feed it is taken from the figures alone, without regard to the 180th meridian. Depth is left out when no
/// quake has one.
struct HypocenterBounds {
    private var longitude: ClosedRange<Double>?
    private var latitude: ClosedRange<Double>?
    private var depth: ClosedRange<Double>?

    /// Widens the box to hold one more hypocenter.
    mutating func include(longitude: Double, latitude: Double, depth: Double?) {
        self.longitude = widened(self.longitude, longitude)
        self.latitude = widened(self.latitude, latitude)
        if let depth { self.depth = widened(self.depth, depth) }
    }

    /// Appends `,"bbox":[…]`, or nothing when there was no hypocenter.
    func append(to writer: ByteWriter) {
        guard let longitude, let latitude else { return }
        let ranges = [longitude, latitude] + (depth.map { [$0] } ?? [])
        writer.append(literal: ",\"bbox\":[")
        for (index, bound) in (ranges.map(\.lowerBound) + ranges.map(\.upperBound)).enumerated() {
            if index > 0 { writer.append(byte: UInt8(ascii: ",")) }
            writer.append(real: bound)
        }
        writer.append(byte: UInt8(ascii: "]"))
    }

    private func widened(_ range: ClosedRange<Double>?, _ value: Double) -> ClosedRange<Double> {
        guard let range else { return value...value }
        return min(range.lowerBound, value)...max(range.upperBound, value)
    }
}
