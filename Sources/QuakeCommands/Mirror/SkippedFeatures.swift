import QuakeFeed
import QuakeOutput

extension [SkippedFeature] {
    /// How many features that cannot be read are named without `--verbose`.
    private static let named = 5

    /// Names the features of `document` that cannot be read, or what else a `thing` is: the first few, or all.
    func name(of document: String, namesAll: Bool, on stream: StandardStream, thing: String = "feature") {
        let named = namesAll ? self[...] : prefix(Self.named)
        for feature in named { stream.writeLine("quakes: \(document): skipped \(thing) \(feature.words)") }
        guard count > named.count else { return }
        stream.writeLine("quakes: \(document): and \(count - named.count) more; --verbose names all of them")
    }

    /// Writes the member `skipped`.
    func write(_ json: JSONWriter) {
        json.array("skipped") {
            for feature in self {
                json.object {
                    json.member("position", feature.position)
                    json.member("id", feature.id)
                    json.member("reason", feature.defect.words)
                }
            }
        }
    }
}
