/// A kind of solution. Each kind has its own fields.
public enum SolutionKind: String, CaseIterable, Sendable {
    /// The location, time and magnitude.
    case origins
    /// The motion at the source: moment tensors, and focal mechanisms without a tensor.
    case mechanisms
    /// Felt reports (DYFI), estimated shaking (ShakeMap) and alerts (PAGER).
    case impacts

    /// The product types, without the `trump-` prefix.
    package var products: [String] {
        switch self {
        case .origins: ["origin"]
        case .mechanisms: ["moment-tensor", "focal-mechanism"]
        case .impacts: ["dyfi", "losspager", "shakemap"]
        }
    }

    /// The fields that a version can contain.
    package var fields: [SolutionField] {
        switch self {
        case .origins:
            [
                .time, .lat, .lon, .depth, .mag, .magType, .status, .type, .place, .horizontalError, .depthError,
                .magError, .nst, .nph, .gap, .rms, .magNst, .locationSource, .magSource,
            ]
        case .mechanisms:
            [.time, .lat, .lon, .depth, .mag, .magType, .status, .moment, .doubleCouple] + SolutionField.tensor
                + SolutionField.planes.flatMap(\.self) + SolutionField.axes.flatMap(\.self)
        case .impacts: [.responses, .intensity, .alert]
        }
    }
}
