import ArgumentParser
import QuakeFormats
import QuakePlaces
import QuakeStore

/// The completions for options and arguments of `quakes`. The completion script of a shell requests them with
/// `---completion`.
///
/// Every candidate is a word of this program or the name of an existing file. Ids, places and types in a cache are
/// never offered, because they come from documents: if only one candidate remains and is not the name of a file, bash
/// runs the commands in it (`complete -o filenames`).
extension CompletionKind {
    static let feed = offering { request in feedNames + request.feedFiles }
    static let source = offering { _ in feedNames }

    static let fields = offering { request in
        request.inList(QuakeField.all.map { Candidate($0.name) })
            + (request.typed.contains(",") ? [] : [Candidate("all", "every property from the feed")])
    }

    static let changedFields = offering { request in
        request.inList(
            QuakeProperty.Group.allCases.map { Candidate($0.rawValue, "a group of fields") }
                + QuakeProperty.compared.map { Candidate($0.rawValue) })
    }

    /// Completes a comma-separated list of `words`.
    static func list(of words: [String]) -> CompletionKind {
        offering { request in request.inList(words.map { Candidate($0) }) }
    }

    static let region = offering { request in request.inList(FilterVocabulary.regions.map { Candidate($0) }) }

    static let token = offering { _ in tokens }
    static let historyPoint = offering { _ in tokens + times }
    static let time = offering { _ in times }

    static let place = offering { request in
        let typed = request.typed
        return City.completions(of: typed, count: 100).map { name, city in
            // If the user typed no accents, the completion has none either.
            let continues = name.lowercased().hasPrefix(typed.lowercased())
            return Candidate(continues ? name : TextFolding.folded(name), city.description)
        }
    }

    static let timeZone = offering { _ in
        ["local", "UTC"].map { Candidate($0) } + TimeZoneDatabase(.process).names.map { Candidate($0) }
    }

    private static let feedNames = FeedName.allCases.map { Candidate($0.description, $0.summary) }

    /// The keywords for the newest state and the state before the first transaction.
    private static let tokens = [
        Candidate("now", "the newest transaction"), Candidate("beginning", "before the first transaction"),
    ]

    /// Examples of times that are short to type.
    private static let times = [
        Candidate("today", "the start of this day, UTC"), Candidate("yesterday", "the start of the day before, UTC"),
        Candidate("1h", "an hour ago"), Candidate("24h", "24 hours ago"), Candidate("7d", "a week ago"),
        Candidate("30d", "30 days ago"),
    ]

    private static func offering(
        _ candidates: @escaping @Sendable (CompletionRequest) -> [Candidate]
    ) -> CompletionKind {
        .custom { words, index, _ in
            let shell = CompletionShell.requesting
            let version = CompletionShell.requestingVersion ?? ""
            let request = CompletionRequest(
                words: words, index: index, homeDirectory: CommandEnvironment.process.homeDirectory,
                isUnquoted: shell == .fish && (version.hasPrefix("3.") || version.hasPrefix("2.")))
            return request.lines(candidates(request), for: shell)
        }
    }
}

extension FeedName {
    /// A description of the quakes that the feed lists.
    fileprivate var summary: String {
        let quakes =
            switch band {
            case .all: "all quakes"
            case .significant: "significant quakes"
            default: "quakes of magnitude \(band.rawValue) or more"
            }
        return "\(quakes) from the past \(period.rawValue)"
    }
}
