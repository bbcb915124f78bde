import QuakeFeed
import QuakeOutput

extension [SkippedFeature] {
    /// How many features that cannot be read are named without `--verbose`, and how many at most: a document may have
    /// hundreds of thousands.
    private static let (fewest, most) = (5, 20)

    /// Names the first features of `document` that cannot be read, or what else a `thing` is, and counts the others.
    func name(of document: String, namesMore: Bool, on stream: StandardStream, thing: String = "feature") {
        let named = prefix(namesMore ? Self.most : Self.fewest)
        for feature in named { stream.writeLine("quakes: \(document): skipped \(thing) \(feature.words)") }
        guard count > named.count else { return }
        let hint = namesMore || count <= Self.fewest ? "" : "; --verbose names the first \(Swift.min(count, Self.most))"
        stream.writeLine("quakes: \(document): and \((count - named.count).grouped) more\(hint)")
    }

    /// The members `skipped`, with the first of them, and `skipped_count`.
    var record: Record {
        let named = prefix(Self.most).map { feature in
            ["position": feature.position, "id": feature.id, "reason": feature.defect.words] as Record
        }
        return ["skipped": named, "skipped_count": count]
    }
}
