import QuakeModel

/// The quakes that one transaction deleted or changed without the service's word, as far as claims are concerned.
package struct ClaimLosses {
    private let claims: [Claim]
    private var times: [Range<Timestamp>?]
    /// Claims that updates would extend over a quake that the user deleted, and bring it back.
    private(set) var stopped: Set<Claim> = []
    private(set) var deletedByDocuments: Set<Timestamp> = []

    /// Who had a quake deleted or changed.
    package enum Cause {
        /// This program's user. No update brings the quake back.
        case user
        /// A feed or a file, which may be wrong: the service may still have the quake.
        case document
    }

    /// Nothing is lost yet of `claims`.
    init(of claims: [Claim]) {
        self.claims = claims
        times = Array(repeating: nil, count: claims.count)
    }

    /// Counts a quake that had these values.
    mutating func add(_ quake: Quake, to cause: Cause) {
        guard cause == .user else {
            deletedByDocuments.insert(quake.originTime)
            return
        }
        for (index, claim) in claims.enumerated() where claim.conditions.accepts(quake) {
            if claim.originTimes.contains(quake.originTime) {
                times[index] = Self.extended(times[index], to: quake.originTime)
            } else if claim.isOpenEnded, claim.originTimes.upperBound <= quake.originTime {
                stopped.insert(claim)
            }
        }
    }

    /// The claims that accepted one of the quakes, each with their origin times, from the earliest to the latest.
    var byClaim: [Claim: Range<Timestamp>] {
        Dictionary(zip(claims, times).compactMap { claim, times in times.map { (claim, $0) } }) { first, _ in first }
    }

    private static func extended(_ range: Range<Timestamp>?, to moment: Timestamp) -> Range<Timestamp> {
        let end = moment + .milliseconds(1)
        return range.map { min($0.lowerBound, moment)..<max($0.upperBound, end) } ?? moment..<end
    }
}

extension Quake {
    /// Whether a condition of a claim may answer otherwise about `other`.
    func hasOtherMeasures(than other: Quake) -> Bool {
        originTime != other.originTime || magnitude != other.magnitude || hypocenter != other.hypocenter
            || eventType != other.eventType
    }
}
