import Glibc

/// A version of a product about a quake, as published by one network.
public struct SolutionVersion: Hashable, Sendable {
    /// The product type, such as `origin`, `moment-tensor` or `trump-origin`.
    public var product: String
    /// The network that created the product, such as `us`.
    public var source: String
    /// The network's code for the solution. A version replaces earlier versions of the same product, source and code.
    public var code: String
    /// The time of publication.
    public var published: Timestamp
    /// The weight for choosing the preferred solution; greater is better.
    package var weight: Int64
    /// The values of the version; nil if this version deletes the solution.
    public var values: [SolutionField: QuakeValue]?

    /// Creates a version; without `values`, it deletes the solution.
    package init(
        product: String, source: String, code: String, published: Timestamp, weight: Int64,
        values: [SolutionField: QuakeValue]? = nil
    ) {
        self.product = product
        self.source = source
        self.code = code
        self.published = published
        self.weight = weight
        self.values = values
    }

    /// The value of a field; null if it is missing.
    public subscript(field: SolutionField) -> QuakeValue { values?[field] ?? .null }

    public func number(_ field: SolutionField) -> Double? { self[field].realValue }

    /// Returns the numbers for `fields`; nil unless all of them are present.
    package func numbers(_ fields: [SolutionField]) -> [Double]? {
        let numbers = fields.compactMap(number)
        return numbers.count == fields.count ? numbers : nil
    }

    public func text(_ field: SolutionField) -> String? { self[field].textValue }

    public var time: Timestamp? { self[.time].integerValue.map(Timestamp.init(milliseconds:)) }

    /// The point on the surface above the hypocenter.
    public var epicenter: GeographicPoint? {
        numbers([.lat, .lon]).map { GeographicPoint(latitude: $0[0], longitude: $0[1]) }
    }

    /// The tensor as Mrr, Mtt, Mpp, Mrt, Mrp and Mtp. A missing tensor is computed from the first nodal plane and a
    /// unit moment; nil if that plane is missing, too.
    package var momentTensor: [Double]? {
        if let tensor = numbers(SolutionField.tensor) { return tensor }
        guard let angles = numbers(SolutionField.planes[0])?.map({ $0 * .pi / 180 }) else { return nil }
        let strike = angles[0]
        let dip = angles[1]
        let rake = angles[2]
        // The tensor is slip × normal + normal × slip, here with axes up, south and east (Aki & Richards, box 4.4).
        let normal = [cos(dip), sin(dip) * sin(strike), sin(dip) * cos(strike)]
        let slip = [
            sin(rake) * sin(dip), -cos(rake) * cos(strike) - sin(rake) * cos(dip) * sin(strike),
            cos(rake) * sin(strike) - sin(rake) * cos(dip) * cos(strike),
        ]
        return [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)].map { row, column in
            slip[row] * normal[column] + normal[row] * slip[column]
        }
    }

    /// Whether two versions belong to the same solution and look the same to people. For origins, only time, location,
    /// depth, magnitude, magnitude type and status are compared; otherwise, all values are.
    func looksSame(as other: SolutionVersion) -> Bool {
        guard source == other.source, code == other.code else { return false }
        let seen: [SolutionField] = [.time, .lat, .lon, .depth, .mag, .magType, .status]
        return product.hasSuffix("origin") ? seen.allSatisfy { self[$0] == other[$0] } : values == other.values
    }

    /// The identity of a solution. Of the versions with the same name, only the newest counts.
    var name: String { "\(product) \(source) \(code)" }
    /// The product type, without the `trump-` prefix.
    var plainProduct: String { product.hasPrefix("trump-") ? String(product.dropFirst("trump-".count)) : product }
    /// The kind of the product; nil for an unsupported type.
    package var kind: SolutionKind? { SolutionKind.allCases.first { $0.products.contains(plainProduct) } }

    /// The weight that USGS gives a product if another product, such as `trump-origin`, names it as preferred.
    package static let weightOfNamedProduct: Int64 = 100_000_000

    typealias Rank = (type: Int, weight: Int64, published: Timestamp, name: String)

    /// The rank of the version; the highest rank is preferred. Products with the `trump-` prefix and products named by
    /// them rank highest, then moment tensors above focal mechanisms, then a greater weight, then a newer version. The
    /// name only breaks ties.
    var rank: Rank {
        let isChosen = product.hasPrefix("trump-") || weight >= Self.weightOfNamedProduct
        let type = (isChosen ? 2 : 0) + (product.hasSuffix("focal-mechanism") ? 0 : 1)
        return (type, weight, published, name)
    }
}

/// The versions of one kind, in order of publication.
extension [SolutionVersion] {
    /// For each moment of publication, the index of the version that is preferred from then on. Versions published at
    /// the same moment count together. Once every solution has been deleted, the last preferred version remains
    /// preferred.
    private var preferredIndices: [(since: Timestamp, index: Int)] {
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

    /// For each version, whether it is or was preferred.
    ///
    /// Unlike in ``steps``, a later version that looks the same as the preferred one also counts as preferred.
    package var preferences: [SolutionPreference] {
        let preferredIndices = preferredIndices
        var found = Array<SolutionPreference>(repeating: .never, count: count)
        for (_, index) in preferredIndices { found[index] = .former }
        if let last = preferredIndices.last { found[last.index] = .current }
        return found
    }

    /// The newest version for each product, source and code, without deleted solutions.
    package var current: [SolutionVersion] {
        var newest: [String: Int] = [:]
        for (index, version) in enumerated() { newest[version.name] = index }
        return enumerated().filter { $1.values != nil && newest[$1.name] == $0 }.map(\.element)
    }

    /// The preferred version, or the last preferred version if every solution was deleted.
    package var preferred: SolutionVersion? { preferredIndices.last.map { self[$0.index] } }

    /// The versions that became preferred, in sequence. A version that looks the same as the preceding one is omitted.
    package var steps: [SolutionStep] {
        preferredIndices.reduce(into: []) { steps, best in
            guard steps.last?.version.looksSame(as: self[best.index]) != true else { return }
            steps.append(SolutionStep(since: best.since, version: self[best.index]))
        }
    }
}

extension Quake {
    /// Sets `properties` to the values of the fields of `origin` with the same names.
    package mutating func set(_ properties: [QuakeProperty], from origin: SolutionVersion) {
        for property in properties {
            set(property, to: SolutionField(rawValue: property.rawValue).map { origin[$0] } ?? .null)
        }
    }
}

/// Human-readable descriptions of a mechanism.
extension SolutionVersion {
    /// The first nodal plane: `313 dip 50 rake 96`.
    package var planeWords: String? {
        numbers(SolutionField.planes[0]).map { plane in
            zip(["", " dip ", " rake "], plane).map { $0 + PlainNumber.text($1, decimals: 0) }.joined()
        }
    }

    /// The double-couple fraction of the tensor in percent: `98%`.
    package var coupleWords: String? { number(.doubleCouple).map { "\(PlainNumber.text($0 * 100, decimals: 0))%" } }

    /// The mechanism in one line: `Mww 7.9, strike 313 dip 50 rake 96, 98% double couple`.
    package var mechanismWords: String {
        let magnitude = number(.mag).map { "\(text(.magType) ?? "M") \(Quake.titleMagnitude($0))" }
        return [magnitude, planeWords.map { "strike \($0)" }, coupleWords.map { "\($0) double couple" }]
            .compactMap(\.self).joined(separator: ", ")
    }
}
