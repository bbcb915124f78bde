import Glibc

/// What versions of products are about. Each kind has its own values.
public enum SolutionKind: String, CaseIterable, Sendable {
    /// Where, when and how large.
    case origins
    /// How the source moved: moment tensors, and focal mechanisms without one.
    case mechanisms
    /// What people felt (DYFI), what was computed of it (ShakeMap), and the alert (PAGER).
    case impacts

    /// The types of products, without `trump-` before them.
    public var products: [String] {
        switch self {
        case .origins: ["origin"]
        case .mechanisms: ["moment-tensor", "focal-mechanism"]
        case .impacts: ["dyfi", "losspager", "shakemap"]
        }
    }

    /// The values that a version may have.
    public var fields: [SolutionField] {
        switch self {
        case .origins:
            [
                .time, .lat, .lon, .depth, .mag, .magType, .status, .type, .place, .horizontalError, .verticalError,
                .magError, .nst, .nph, .gap, .rms, .magNst, .locationSource, .magSource,
            ]
        case .mechanisms:
            [.time, .lat, .lon, .depth, .mag, .magType, .status, .moment, .doubleCouple] + SolutionField.tensor
                + SolutionField.planes.flatMap(\.self) + SolutionField.axes.flatMap(\.self)
        case .impacts: [.responses, .intensity, .alert]
        }
    }
}

/// A value of a version. Lengths are in kilometers, angles in degrees, moments in newton meters.
public enum SolutionField: String, CaseIterable, Sendable {
    case time, lat, lon, depth, mag, magType, status, type, place, nst, nph, gap, rms
    case horizontalError = "horizontal_error"
    case verticalError = "vertical_error"
    case magError = "mag_error"
    /// How many stations the magnitude is computed from, and which networks computed location and magnitude.
    case magNst = "mag_nst"
    case locationSource = "location_source"
    case magSource = "mag_source"
    /// The scalar moment, and how much of the tensor is a double couple, from 0 to 1.
    case moment
    case doubleCouple = "double_couple"
    /// The tensor: r is up, t south, p east.
    case mrr, mtt, mpp, mrt, mrp, mtp
    case strike1, dip1, rake1, strike2, dip2, rake2
    case tAzimuth = "t_azimuth"
    case tPlunge = "t_plunge"
    case tLength = "t_length"
    case nAzimuth = "n_azimuth"
    case nPlunge = "n_plunge"
    case nLength = "n_length"
    case pAzimuth = "p_azimuth"
    case pPlunge = "p_plunge"
    case pLength = "p_length"
    case responses, intensity, alert

    /// The components of the tensor.
    public static let tensor: [SolutionField] = [.mrr, .mtt, .mpp, .mrt, .mrp, .mtp]
    /// Strike, dip and rake of each nodal plane.
    public static let planes: [[SolutionField]] = [[.strike1, .dip1, .rake1], [.strike2, .dip2, .rake2]]
    /// Azimuth, plunge and eigenvalue of the axes t, n and p.
    public static let axes: [[SolutionField]] = [
        [.tAzimuth, .tPlunge, .tLength], [.nAzimuth, .nPlunge, .nLength], [.pAzimuth, .pPlunge, .pLength],
    ]

    /// Whether values are texts, whole numbers (a moment in milliseconds) or numbers.
    public var kind: QuakeProperty.Kind {
        switch self {
        case .time: .time
        case .magType, .status, .type, .place, .alert, .locationSource, .magSource: .text
        case .nst, .nph, .responses, .magNst: .integer
        default: .real
        }
    }
}

/// One version of a product about a quake: what one source said from a moment on.
public struct SolutionVersion: Hashable, Sendable {
    /// The type of the product, such as `origin`, `moment-tensor` or `trump-origin`.
    public var product: String
    /// Who made it, such as `us`.
    public var source: String
    /// The source's name for the solution. Versions of one product, source and code replace each other.
    public var code: String
    /// When it was sent.
    public var published: Timestamp
    /// How much it is preferred to those of other sources and codes.
    public var weight: Int64
    /// What it says; nil if it deletes the solution.
    public var values: [SolutionField: QuakeValue]?

    /// A version; without `values`, one that deletes.
    public init(
        product: String, source: String, code: String, published: Timestamp, weight: Int64,
        values: [SolutionField: QuakeValue]? = nil
    ) {
        (self.product, self.source, self.code) = (product, source, code)
        (self.published, self.weight, self.values) = (published, weight, values)
    }

    /// A value; null if there is none.
    public subscript(field: SolutionField) -> QuakeValue { values?[field] ?? .null }

    public func number(_ field: SolutionField) -> Double? { self[field].realValue }

    /// The numbers under `fields`; nil unless all are there.
    public func numbers(_ fields: [SolutionField]) -> [Double]? {
        let numbers = fields.compactMap(number)
        return numbers.count == fields.count ? numbers : nil
    }

    public func text(_ field: SolutionField) -> String? { self[field].textValue }

    public var time: Timestamp? { self[.time].integerValue.map(Timestamp.init(milliseconds:)) }

    /// The place under the sky where it began.
    public var epicenter: GeographicPoint? {
        numbers([.lat, .lon]).map { GeographicPoint(latitude: $0[0], longitude: $0[1]) }
    }

    /// The tensor, otherwise one computed from the first nodal plane with a moment of one: Mrr, Mtt, Mpp, Mrt, Mrp,
    /// Mtp.
    public var momentTensor: [Double]? {
        if let tensor = numbers(SolutionField.tensor) { return tensor }
        guard let angles = numbers(SolutionField.planes[0])?.map({ $0 * .pi / 180 }) else { return nil }
        let (strike, dip, rake) = (angles[0], angles[1], angles[2])
        // The moment is slip × normal + normal × slip, here with the axes up, south, east (Aki & Richards, box 4.4).
        let normal = [cos(dip), sin(dip) * sin(strike), sin(dip) * cos(strike)]
        let slip = [
            sin(rake) * sin(dip), -cos(rake) * cos(strike) - sin(rake) * cos(dip) * sin(strike),
            cos(rake) * sin(strike) - sin(rake) * cos(dip) * cos(strike),
        ]
        return [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)].map { row, column in
            slip[row] * normal[column] + normal[row] * slip[column]
        }
    }

    /// Whether people see no difference: in time, place, magnitude and status of an origin, else in all values.
    func looksSame(as other: SolutionVersion) -> Bool {
        guard source == other.source, code == other.code else { return false }
        let seen: [SolutionField] = [.time, .lat, .lon, .depth, .mag, .magType, .status]
        return product.hasSuffix("origin") ? seen.allSatisfy { self[$0] == other[$0] } : values == other.values
    }

    /// What replaces what: the newest version of a name counts.
    var name: String { "\(product) \(source) \(code)" }
    /// The type of the product, without `trump-` before it.
    var plainProduct: String { product.hasPrefix("trump-") ? String(product.dropFirst("trump-".count)) : product }
    /// What the product is about; nil for a type that is not read.
    package var kind: SolutionKind? { SolutionKind.allCases.first { $0.products.contains(plainProduct) } }

    typealias Rank = (type: Int, weight: Int64, published: Timestamp, name: String)

    /// The preferred one is the greatest: types that begin with `trump-`, tensors before mechanisms without one, then
    /// the greater weight, then the newest. The name decides nothing but the order of equals.
    var rank: Rank {
        let type = (product.hasPrefix("trump-") ? 2 : 0) + (product.hasSuffix("focal-mechanism") ? 0 : 1)
        return (type, weight, published, name)
    }
}

/// A version that was the preferred one.
public struct SolutionStep: Hashable, Sendable {
    /// When it became preferred.
    public let since: Timestamp
    public let version: SolutionVersion
}

/// Whether a version is the preferred one of its kind.
public enum SolutionPreference: String, CaseIterable, Sendable {
    /// It is the preferred solution.
    case `is`
    /// It was preferred before.
    case was
    /// It was never preferred.
    case never
}

/// The versions of one kind, in the order of publication.
extension [SolutionVersion] {
    /// The index of the version that is preferred after each moment of publication, whose versions are seen together.
    /// Where everything was deleted, the one before stays.
    private var course: [(since: Timestamp, index: Int)] {
        var newest: [String: Int] = [:]
        return enumerated().compactMap { index, version in
            newest[version.name] = version.values == nil ? nil : index
            let isLastOfItsMoment = index + 1 == count || self[index + 1].published != version.published
            guard isLastOfItsMoment, let best = newest.values.max(by: { self[$0].rank < self[$1].rank }) else {
                return nil
            }
            return (version.published, best)
        }
    }

    /// Of each version, whether it is or was preferred.
    ///
    /// A later version of the preferred solution is preferred too, even where people see no difference, unlike in
    /// ``steps``.
    public var preferences: [SolutionPreference] {
        let course = course
        var found = Array<SolutionPreference>(repeating: .never, count: count)
        for (_, index) in course { found[index] = .was }
        if let last = course.last { found[last.index] = .is }
        return found
    }

    /// The newest version of each product, source and code, without deleted ones.
    public var current: [SolutionVersion] {
        var newest: [String: Int] = [:]
        for (index, version) in enumerated() { newest[version.name] = index }
        return enumerated().filter { $1.values != nil && newest[$1.name] == $0 }.map(\.element)
    }

    /// The newest version that is preferred.
    public var preferred: SolutionVersion? { course.last.map { self[$0.index] } }

    /// The preferred versions, one after the other.
    ///
    /// They are what the versions say, and no recording of what was shown at the time: a source may have set a weight
    /// later. Where everything was deleted, the last solution stays.
    public var steps: [SolutionStep] {
        course.reduce(into: []) { steps, best in
            guard steps.last?.version.looksSame(as: self[best.index]) != true else { return }
            steps.append(SolutionStep(since: best.since, version: self[best.index]))
        }
    }
}

/// What people read of a mechanism.
extension SolutionVersion {
    /// The first nodal plane: `313 dip 50 rake 96`.
    package var planeWords: String? {
        numbers(SolutionField.planes[0]).map { plane in
            zip(["", " dip ", " rake "], plane).map { $0 + PlainNumber.text($1, decimals: 0) }.joined()
        }
    }

    /// How much of the tensor is a double couple: `98%`.
    package var coupleWords: String? { number(.doubleCouple).map { "\(PlainNumber.text($0 * 100, decimals: 0))%" } }

    /// `Mww 7.9, strike 313 dip 50 rake 96, 98% double couple`.
    package var mechanismWords: String {
        let magnitude = number(.mag).map { "\(text(.magType) ?? "M") \(Quake.titleMagnitude($0))" }
        return [magnitude, planeWords.map { "strike \($0)" }, coupleWords.map { "\($0) double couple" }]
            .compactMap(\.self).joined(separator: ", ")
    }
}
