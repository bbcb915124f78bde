import QuakeModel

/// The strings that label quakes.
extension MapLabels {
    static func fullName(_ quake: Quake) -> String {
        "M \(Quake.titleMagnitude(quake.magnitude)) \(quake.describedPlace ?? quake.id)"
    }

    /// Returns names of a quake without the distance from its place, each shorter than the one before:
    /// `M 7.3 Port-Vila, Vanuatu`, `M 7.3 Vanuatu`, `M 7.3`.
    static func shortNames(_ quake: Quake) -> [String] {
        var shown = quake
        if var place = quake.place {
            let start = place.prefixMatch(of: #/[\d.]+ ?km \w+ of |\d{4} /#)?.range.upperBound ?? place.startIndex
            place = String(place[start...])
            if place.lowercased().hasSuffix(" earthquake") { place.removeLast(" earthquake".count) }
            shown.place = place
        }
        let name = fullName(shown)
        let magnitude = "M \(Quake.titleMagnitude(quake.magnitude))"
        return [name, name.replacing(#/^(M \S+ ).*, (?=...)/#, with: { $0.1 }), magnitude]
    }
}
