/// A small generator of the same numbers from the same seed (Steele, Lea, Flood 2014).
public struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    /// The generator that `state` starts.
    public init(state: UInt64) {
        self.state = state
    }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// A number from zero up to, not including, `bound`.
    public mutating func next(_ bound: Int) -> Int {
        Int(next() % UInt64(bound))
    }
}
