package import QuakeModel

extension QuakeFilter {
    /// The filter as a headline: `M 4.5+ · since 2025-05-04 · place "alaska"`. Lasting: a moment instead of an age.
    package var headline: String {
        let parts = [
            range("M ", minimumMagnitude, maximumMagnitude, unit: ""),
            range("depth ", minimumDepthKilometers, maximumDepthKilometers, unit: " km"),
            since.map { "since \($0.shortWords)" },
            until.map { "until \($0.shortWords)" },
            placesContain.isEmpty
                ? nil : "place \(placesContain.sorted().map { "\"\($0)\"" }.joined(separator: " or "))",
            circle.map { circle in
                "within \(PlainNumber.text(circle.radiusKilometers, decimals: 2)) km of \(number(circle.center.latitude)),"
                    + number(circle.center.longitude)
            },
            boundingBox.map { box in
                "box " + [box.west, box.south, box.east, box.north].map(number).joined(separator: ",")
            },
            words("type", eventTypes), words("status", statuses), words("network", networks),
            words("magnitude type", magnitudeTypes), words("alert", alerts),
            minimumFelt.map { "felt by \($0)+" },
            minimumSignificance.map { "significance \($0)+" },
            requiresTsunamiFlag ? "tsunami flag" : nil,
        ]
        let set = parts.compactMap { $0 }
        guard let first = set.first else { return "All quakes" }
        return ([first.prefix(1).uppercased() + first.dropFirst()] + set.dropFirst()).joined(separator: " · ")
    }

    private func range(_ name: String, _ least: Double?, _ most: Double?, unit: String) -> String? {
        switch (least, most) {
        case (let least?, let most?): "\(name)\(number(least)) to \(number(most))\(unit)"
        case (let least?, nil): "\(name)\(number(least))\(unit.isEmpty ? "+" : unit + " or more")"
        case (nil, let most?): "\(name)\(number(most))\(unit) or less"
        case (nil, nil): nil
        }
    }

    private func words(_ name: String, _ values: Set<String>) -> String? {
        values.isEmpty ? nil : "\(name) \(values.sorted().joined(separator: ", "))"
    }

    private func number(_ value: Double) -> String {
        QuakeValue.real(value).words(of: .mag)
    }
}

extension Timestamp {
    /// The moment in UTC, to the minute, or the date alone at midnight: `2025-05-04 13:53 UTC`, `2025-05-04`.
    fileprivate var shortWords: String {
        milliseconds.isMultiple(of: 86_400_000) ? String(iso8601.prefix { $0 != "T" }) : "\(minuteWords) UTC"
    }
}
