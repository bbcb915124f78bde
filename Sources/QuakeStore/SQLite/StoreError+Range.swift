/// Checks of numbers that programs pass to the library.
extension StoreError {
    /// Throws ``outOfRange(_:value:)`` unless `number` is nil or at least `least`.
    package static func require<Number: Comparable>(
        _ name: String, _ number: Number?, atLeast least: Number
    ) throws(StoreError) {
        guard let number, number < least else { return }
        throw .outOfRange(name, value: "\(number)")
    }

    /// Throws ``outOfRange(_:value:)`` if one of the numbers is NaN or, with `finite`, infinite.
    static func requireNumbers(_ name: String, _ numbers: [Double?], finite: Bool = false) throws(StoreError) {
        for case let number? in numbers where number.isNaN || finite && number.isInfinite {
            throw .outOfRange(name, value: "\(number)")
        }
    }
}

extension StoreConfiguration {
    func requireInRange() throws(StoreError) {
        try StoreError.require("busyTimeout", busyTimeout, atLeast: .zero)
        try StoreError.require("maximumReaderCount", maximumReaderCount, atLeast: 1)
    }
}
