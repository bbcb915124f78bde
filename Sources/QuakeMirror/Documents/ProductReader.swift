import FoundationEssentials

/// Reads the versions of products, and records the parts that cannot be read.
struct ProductReader {
    let products: [String: [PublishedVersion]]
    private(set) var skipped: [SkippedFeature] = []

    /// Whether there are origins, but none that can be read.
    var hasUnreadableOriginsOnly: Bool {
        let origins = products.filter { SolutionKind.origins.products.contains($0.key) }.values.joined()
        return !origins.isEmpty && origins.allSatisfy { if case .failure = $0.content { true } else { false } }
    }

    mutating func versions(of kind: SolutionKind) -> [SolutionVersion] {
        kind.products.flatMap { versions(of: $0, kind) }.inOrderOfPublication
    }

    /// Returns, for each type of impact product, the preferred values over time, with one version for each change.
    mutating func preferredValuesOverTime() -> [SolutionVersion] {
        SolutionKind.impacts.products.flatMap { product in
            versions(of: product, .impacts).inOrderOfPublication.steps.map { step in
                var version = step.version
                version.published = step.since
                version.code = ""
                version.weight = 0
                return version
            }
        }.inOrderOfPublication
    }

    /// Returns the versions of the product type `product` and of its `trump-` type, such as `trump-origin`. A version
    /// of the `trump-` type has values of its own, or names a product of the type `product`.
    private mutating func versions(of product: String, _ kind: SolutionKind) -> [SolutionVersion] {
        let plain = contents(of: product).compactMap { version(at: $0, $1, kind) }
        let preferring = contents(of: "trump-" + product)
        var pointers = ProductPointers()
        var others: [SolutionVersion] = []
        for (position, content) in preferring {
            if let target = content.target(kind) {
                pointers.add(content.version, naming: target)
            } else if content.properties == nil, pointers.contains(content.version) {
                pointers.add(content.version, naming: nil)
            } else if let version = version(at: position, content, kind) {
                others.append(version)
            }
        }
        return pointers.applied(to: plain) + others
    }

    /// Returns the newest versions of the product type `type` in order of publication, with their positions in the
    /// response, counted from 1.
    private mutating func contents(of type: String) -> [(position: Int, content: PublishedVersion.Content)] {
        var contents: [(position: Int, content: PublishedVersion.Content)] = []
        for (index, published) in (products[type] ?? []).enumerated() {
            switch published.content {
            case .success(var content):
                content.version.product = type
                contents.append((index + 1, content))
            case .failure(let defect):
                skipped.append(SkippedFeature(position: index + 1, id: type, defect: defect))
            }
        }
        contents.sort { $0.content.version.published < $1.content.version.published }
        if contents.count > DetailDocument.maximumVersions {
            contents.removeFirst(contents.count - DetailDocument.maximumVersions)
            let words = "it has more than \(DetailDocument.maximumVersions) versions; only the newest are kept"
            skipped.append(SkippedFeature(position: 0, id: type, defect: FeatureDefect(words)))
        }
        return contents
    }

    /// Returns the version with its values, or without values if it deletes the product; nil if the values cannot be
    /// read.
    private mutating func version(
        at position: Int, _ content: PublishedVersion.Content, _ kind: SolutionKind
    ) -> SolutionVersion? {
        var version = content.version
        guard let properties = content.properties else { return version }
        let name = "\(version.product) \(version.source) \(version.code) of \(version.published.iso8601)"
        let (values, defects) = kind.values(of: properties)
        skipped += defects.map { SkippedFeature(position: position, id: name, defect: $0) }
        version.values = values
        return values == nil ? nil : version
    }
}

extension [SolutionVersion] {
    fileprivate var inOrderOfPublication: [SolutionVersion] {
        sorted { $0.published < $1.published }
    }
}

extension SolutionKind {
    /// Returns the valid values in `properties`, and the defects of all others. The values are nil if too few are
    /// valid.
    func values(
        of properties: [String: String]
    ) -> (values: [SolutionField: QuakeValue]?, defects: [FeatureDefect]) {
        var values: [SolutionField: QuakeValue] = [:]
        var defects: [FeatureDefect] = []
        for field in fields {
            let name = field.published(of: self)
            guard let text = properties[name], !text.isEmpty else { continue }
            do throws(FeatureDefect) {
                values[field] = try field.value(of: text, name)
            } catch {
                defects.append(error)
                // Without its published location, time or magnitude, an origin would be a different solution.
                if self == .origins, [.time, .lat, .lon, .depth, .mag].contains(field) { return (nil, defects) }
            }
        }
        if self == .mechanisms {
            // A missing location is published as 0, a missing time as 1970.
            if values[.time] == .integer(0) || values[.lat] == .real(0) && values[.lon] == .real(0) {
                values[.time] = nil
            }
            let centroid: [SolutionField] = [.time, .lat, .lon]
            for group in [centroid, SolutionField.tensor, SolutionField.axes.flatMap(\.self)] + SolutionField.planes
            where group.contains(where: { values[$0] == nil }) {
                for field in group { values[field] = nil }
            }
        }
        let needed: [SolutionField] =
            switch self {
            case .origins: [.lat, .lon, .time]
            case .mechanisms: [values[.strike1] == nil ? .mrr : .strike1]
            case .impacts: []
            }
        guard let missing = needed.first(where: { values[$0] == nil }) else {
            return (values.isEmpty ? nil : values, defects)
        }
        return (nil, defects + [.missing(missing.published(of: self))])
    }
}

extension SolutionField {
    /// The names of published properties that differ from the field names.
    private static let published: [SolutionField: String] = [
        .time: "eventtime", .lat: "latitude", .lon: "longitude", .mag: "magnitude", .magType: "magnitude-type",
        .status: "review-status", .type: "event-type", .place: "title", .magError: "magnitude-error",
        .depthError: "vertical-error",
        .nst: "num-stations-used", .nph: "num-phases-used", .gap: "azimuthal-gap", .rms: "standard-error",
        .moment: "scalar-moment", .doubleCouple: "percent-double-couple", .responses: "num-responses",
        .intensity: "maxmmi", .alert: "alertlevel",
        .magNst: "magnitude-num-stations-used", .locationSource: "origin-source", .magSource: "magnitude-source",
    ]

    /// Returns the name of the field's property in versions of `kind`.
    fileprivate func published(of kind: SolutionKind) -> String {
        if Self.tensor.contains(self) { return "tensor-" + rawValue }
        if Self.axes.joined().contains(self) { return rawValue.replacing("_", with: "-axis-") }
        if Self.planes.joined().contains(self) { return "nodal-plane-\(rawValue.suffix(1))-\(rawValue.dropLast())" }
        let name = Self.published[self] ?? rawValue.replacing("_", with: "-")
        let isDerived = kind == .mechanisms && [.time, .lat, .lon, .depth, .mag, .magType].contains(self)
        return isDerived ? "derived-" + name : name
    }

    /// The range of possible values.
    private var range: ClosedRange<Double> {
        switch self {
        case .lat: -90...90
        case .lon: -180...180
        case .depth: -100...6400
        case .mag: -20...20
        case .gap: 0...360
        case .intensity: 0...20
        case .doubleCouple: 0...100
        case .magError, .horizontalError, .depthError, .rms: 0...1e5
        case .nst, .nph, .responses, .magNst: 0...1e9
        case .strike1, .dip1, .rake1, .strike2, .dip2, .rake2: -720...720
        default: -1e30...1e30
        }
    }

    fileprivate func value(of text: String, _ name: String) throws(FeatureDefect) -> QuakeValue {
        switch kind {
        case .text:
            guard text.utf8.count <= 200, !text.hasZeroByte else {
                throw .wrongKind(member: name, expected: "short text")
            }
            return .text(
                [.status, .type, .alert, .locationSource, .magSource].contains(self) ? text.lowercased() : text)
        case .time:
            guard let moment = Timestamp(iso8601: text) else {
                throw .wrongKind(member: name, value: text, expected: "in the form 2021-07-22T20:39:44.123Z")
            }
            return .integer(moment.milliseconds)
        case .integer, .real:
            guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }),
                let number = Double(text), number.isFinite
            else { throw .wrongKind(member: name, value: text, expected: "a number") }
            guard range.contains(number) else { throw .outOfRange(member: name, value: String(text.prefix(40))) }
            if kind == .integer { return .integer(Int64(number)) }
            return .real(self == .doubleCouple && number > 1 ? number / 100 : number)
        }
    }
}
