/// A field of a solution version. Lengths are in kilometers, angles in degrees, and seismic moments in newton meters.
public enum SolutionField: String, CaseIterable, Sendable {
    case time, lat, lon, depth, mag, magType, status, type, place, nst, nph, gap, rms
    case horizontalError = "horizontal_error"
    /// The uncertainty of the depth.
    case depthError = "depth_error"
    /// The uncertainty of the magnitude.
    case magError = "mag_error"
    /// The number of stations used for the magnitude.
    case magNst = "mag_nst"
    case locationSource = "location_source", magSource = "mag_source"
    /// The scalar seismic moment in newton meters.
    case moment
    /// The double-couple fraction of the moment tensor, from 0 to 1.
    case doubleCouple = "double_couple"
    /// The components of the moment tensor in newton meters, where r is up, t south and p east.
    case mrr, mtt, mpp, mrt, mrp, mtp
    case strike1, dip1, rake1, strike2, dip2, rake2
    case tAzimuth = "t_azimuth", tPlunge = "t_plunge", tLength = "t_length"
    case nAzimuth = "n_azimuth", nPlunge = "n_plunge", nLength = "n_length"
    case pAzimuth = "p_azimuth", pPlunge = "p_plunge", pLength = "p_length"
    case responses, intensity, alert

    /// The components of the tensor.
    package static let tensor: [SolutionField] = [.mrr, .mtt, .mpp, .mrt, .mrp, .mtp]
    /// Strike, dip and rake of each nodal plane.
    package static let planes: [[SolutionField]] = [[.strike1, .dip1, .rake1], [.strike2, .dip2, .rake2]]
    /// Azimuth, plunge and eigenvalue of the T, N and P axes.
    package static let axes: [[SolutionField]] = [
        [.tAzimuth, .tPlunge, .tLength], [.nAzimuth, .nPlunge, .nLength], [.pAzimuth, .pPlunge, .pLength],
    ]

    /// The type of the field's values.
    package var kind: QuakeProperty.Kind {
        switch self {
        case .time: .time
        case .magType, .status, .type, .place, .alert, .locationSource, .magSource: .text
        case .nst, .nph, .responses, .magNst: .integer
        default: .real
        }
    }
}
