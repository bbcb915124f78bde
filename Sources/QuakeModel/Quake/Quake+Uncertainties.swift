/// The uncertainties of a solution, and the sources of its location and magnitude: ``QuakeProperty/uncertainties``.
extension Quake {
    package var hasUncertainties: Bool {
        horizontalErrorKilometers != nil || depthErrorKilometers != nil || magnitudeError != nil
            || magnitudeStationCount != nil || locationSource != nil || magnitudeSource != nil
    }

    /// Whether both quakes have the same origin time, hypocenter, magnitude and magnitude type, so that the
    /// uncertainties of one also apply to the other.
    package func hasSameSolution(as other: Quake) -> Bool {
        originTime == other.originTime && hypocenter == other.hypocenter && magnitude == other.magnitude
            && magnitudeType?.lowercased() == other.magnitudeType?.lowercased()
    }

    /// Copies the uncertainties of the first record that has uncertainties and describes the same solution. If there is
    /// no such record, sets the uncertainties to nil. A document without uncertainties says nothing about them, and the
    /// uncertainties of another solution do not apply (rule 24).
    ///
    /// - Parameter records: records of this quake, newest first. They may include this value itself.
    package mutating func takeUncertainties(from records: [Quake]) {
        let record = records.first { $0.hasUncertainties && $0.hasSameSolution(as: self) }
        guard record != nil || hasUncertainties else { return }
        for property in QuakeProperty.uncertainties { set(property, to: record?[property] ?? .null) }
    }
}
