/// The uncertainties of a solution, and the sources of its location and magnitude: ``QuakeProperty/uncertainties``.
extension Quake {
    package var hasUncertainties: Bool {
        horizontalErrorKilometers != nil || depthErrorKilometers != nil || magnitudeError != nil
            || magnitudeStationCount != nil || locationSource != nil || magnitudeSource != nil
    }

    /// Whether both quakes have the same origin time, hypocenter and magnitude, so that uncertainties of one are those
    /// of the other.
    package func hasSameSolution(as other: Quake) -> Bool {
        originTime == other.originTime && hypocenter == other.hypocenter && magnitude == other.magnitude
            && magnitudeType?.lowercased() == other.magnitudeType?.lowercased()
    }

    /// Takes the uncertainties of the first of `records` that has any and describes the same solution, or none. This is
    /// the only rule about them (rule 24): a document without uncertainties says nothing about them, and those of
    /// another solution do not count.
    ///
    /// - Parameter records: records of this quake, the newest first. They may include this one.
    package mutating func takeUncertainties(from records: [Quake]) {
        let record = records.first { $0.hasUncertainties && $0.hasSameSolution(as: self) }
        guard record != nil || hasUncertainties else { return }
        for property in QuakeProperty.uncertainties { set(property, to: record?[property] ?? .null) }
    }
}
