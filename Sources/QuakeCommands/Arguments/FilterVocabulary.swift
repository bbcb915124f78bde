import QuakeModel
import QuakePlaces

/// Values that USGS is known to publish.
///
/// The values of regions, alert levels, statuses and types form closed vocabularies: any other value is a mistake
/// unless the cache contains it. Networks, magnitude types, place names and ids are open: USGS may publish new ones.
enum FilterVocabulary {
    static let alerts = ["green", "yellow", "orange", "red", "pending"]
    static let statuses = ["automatic", "reviewed", "deleted"]
    static let types = [
        "earthquake", "quarry blast", "explosion", "ice quake", "other event", "mining explosion", "rock burst",
        "sonic boom", "landslide", "volcanic eruption", "chemical explosion", "nuclear explosion", "mine collapse",
        "acoustic noise", "experimental explosion", "induced or triggered event", "collapse", "rockslide",
        "snow avalanche", "building collapse", "meteorite", "accidental explosion", "anthropogenic event",
        "not reported",
    ]
    static let networks = [
        "ak", "at", "av", "ci", "hv", "ld", "mb", "nc", "nm", "nn", "ok", "pr", "pt", "se", "tx", "us", "uu", "uw",
    ]
    static let magnitudeTypes = [
        "fa", "ma", "mb", "mb_lg", "mblg", "mc", "md", "mdl", "me", "mh", "mi", "mint", "ml", "mlg", "mlr", "mlv", "ms",
        "ms_20", "mun", "mw", "mwb", "mwc", "mwp", "mwr", "mww",
    ]

    /// The countries, and the U.S. states, that have cities. The cache may contain further regions.
    static var regions: [String] {
        Set(City.regions.flatMap(Region.names(ofPart:)) + [Region.georgiaInTheCaucasus]).sorted()
    }

    /// Returns the first of `names` that is a country or state, in the spelling of this program.
    static func region(among names: [String]) -> String? {
        let known = Dictionary(regions.map { (TextFolding.folded($0), $0) }, uniquingKeysWith: { first, _ in first })
        return names.lazy.compactMap { known[TextFolding.folded($0)] }.first
    }
}
