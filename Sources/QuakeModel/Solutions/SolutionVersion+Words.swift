/// What people read of a mechanism.
extension SolutionVersion {
    /// The first nodal plane: `313 dip 50 rake 96`.
    package var planeWords: String? {
        numbers(SolutionField.planes[0]).map { plane in
            zip(["", " dip ", " rake "], plane).map { $0 + PlainNumber.text($1, decimals: 0) }.joined()
        }
    }

    /// How much of the tensor is a double couple: `98 %`.
    package var coupleWords: String? {
        number(.doubleCouple).map { "\(PlainNumber.text($0 * 100, decimals: 0)) %" }
    }

    /// `Mww 7.9, strike 313 dip 50 rake 96, 98 % double couple`.
    package var mechanismWords: String {
        let magnitude = number(.mag).map { "\(text(.magType) ?? "M") \(Quake.titleMagnitude($0))" }
        return [magnitude, planeWords.map { "strike \($0)" }, coupleWords.map { "\($0) double couple" }]
            .compactMap(\.self).joined(separator: ", ")
    }
}
