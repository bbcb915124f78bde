/// A small generator that returns the same numbers for the same seed (Steele, Lea, Flood 2014).
public struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    public init(state: UInt64) {
        self.state = state
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// Returns a number from zero up to, but not including, `bound`.
    public mutating func next(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
