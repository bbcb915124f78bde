package import QuakeModel

extension QuakeFilter {
    /// The filter as a headline: `M 4.5+ · since 2025-05-04 · place "alaska"`. It has
    /// moments and no ages, because a map is read later.
    package var headline: String {
        let parts = [
            range("M ", minimumMagnitude, maximumMagnitude, unit: ""),
            range("depth ", minimumDepthKilometers, maximumDepthKilometers, unit: " km"),
            since.map { "since \($0.shortWords)" },
            until.map { "until \($0.shortWords)" },
            placesContain.isEmpty
                ? nil : "place \(placesContain.sorted().map { "\"\($0)\"" }.joined(separator: " or "))",
            regions.isEmpty ? nil : regions.sorted().joined(separator: " or "),
            circle.map { circle in
                "within \(PlainNumber.text(circle.radiusKilometers, decimals: 2)) km of "
                    + [circle.center.latitude, circle.center.longitude].map { PlainNumber.text($0) }
                    .joined(separator: ",")
            },
            shaking.map { shaking in
                "expected shaking \(PlainNumber.text(shaking.minimumIntensity, decimals: 2))+ at "
                    + [shaking.place.latitude, shaking.place.longitude].map { PlainNumber.text($0) }
                    .joined(separator: ",")
            },
            boundingBox.map { box in
                span(box.south, box.north, "N", "S") + ", " + span(box.west, box.east, "E", "W")
            },
            words("type", eventTypes), words("status", statuses), words("network", networks),
            words("magnitude type", magnitudeTypes), words("alert", alerts),
            minimumFelt.map { "felt by \($0.grouped)+" },
            minimumSignificance.map { "significance \($0)+" },
            requiresTsunamiFlag ? "tsunami flag" : nil,
        ]
        let set = parts.compactMap { $0 }
        guard let first = set.first else { return "All quakes" }
        return ([first.prefix(1).uppercased() + first.dropFirst()] + set.dropFirst()).joined(separator: " · ")
    }

    private func range(_ name: String, _ least: Double?, _ most: Double?, unit: String) -> String? {
        switch (least, most) {
        case (let least?, let most?): "\(name)\(PlainNumber.text(least)) to \(PlainNumber.text(most))\(unit)"
        case (let least?, nil): "\(name)\(PlainNumber.text(least))\(unit.isEmpty ? "+" : unit + " or more")"
        case (nil, let most?): "\(name)\(PlainNumber.text(most))\(unit) or less"
        case (nil, nil): nil
        }
    }

    /// The degrees between two edges: `50–30°S`, `165°E–175°W`.
    private func span(_ from: Double, _ to: Double, _ positive: String, _ negative: String) -> String {
        let side = { (degrees: Double) in degrees == 0 || abs(degrees) == 180 ? "" : degrees < 0 ? negative : positive }
        let number = { (degrees: Double) in PlainNumber.text(abs(degrees)) }
        return side(from) == side(to)
            ? "\(number(from))–\(number(to))°\(side(to))" : "\(number(from))°\(side(from))–\(number(to))°\(side(to))"
    }

    private func words(_ name: String, _ values: Set<String>) -> String? {
        values.isEmpty ? nil : "\(name) \(values.sorted().joined(separator: ", "))"
    }
}

extension Timestamp {
    /// The moment in UTC, to the minute, or the date alone at midnight: `2025-05-04 13:53 UTC`, `2025-05-04`.
    fileprivate var shortWords: String {
        milliseconds.isMultiple(of: 86_400_000) ? dayWords : "\(minuteWords) UTC"
    }
}
