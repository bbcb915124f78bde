import ArgumentParser
import QuakePlaces
import QuakeStore

/// The completions for options and arguments of `quakes`. A shell's script requests them with `---completion`.
extension CompletionKind {
    static let feed = offering { request in
        FeedName.allCases.map { Candidate($0.description, $0.summary) } + request.feedFiles
    }

    static let quakeID = offering { $0.quakeIDs($0.typed) }
    static let quakeIDs = offering { request in request.inList { request.quakeIDs($0) } }

    static let fields = offering { request in
        request.inList { _ in QuakeField.all.map { Candidate($0.name) } }
            + (request.typed.contains(",") ? [] : [Candidate("all", "every field")])
    }

    static let changedFields = offering { request in
        request.inList { _ in
            QuakeProperty.Group.allCases.map { Candidate($0.rawValue, "a group of fields") }
                + QuakeProperty.compared.map { Candidate($0.rawValue) }
        }
    }

    static let operations = offering { request in
        request.inList { _ in OperationWords.offered.map { Candidate($0) } }
    }

    static let quakeTemplate = offering { $0.inTemplate(OutputTemplate.quakePlaceholders.map(\.name)) }
    static let changeTemplate = offering { $0.inTemplate(OutputTemplate.changePlaceholders.map(\.name)) }

    /// Comma-separated values of a property.
    static func words(of property: QuakeProperty, known: [String]) -> CompletionKind {
        offering { request in request.inList { _ in request.words(of: property, known: known) } }
    }

    static let region = offering { request in request.inList { _ in request.regions } }

    static let consumer = offering(\.consumers)
    static let source = offering(\.sources)
    static let authors = offering { request in request.inList { _ in request.authors } }
    static let transaction = offering(\.transactions)
    static let token = offering(\.tokens)
    static let historyPoint = offering { $0.tokens + CompletionRequest.times }
    static let time = offering { _ in CompletionRequest.times }

    static let place = offering { request in
        let typed = request.typed
        return City.completions(of: typed, count: 100).map { name, city in
            // If the typed text has no accents, the completion has none either.
            let continues = name.lowercased().hasPrefix(typed.lowercased())
            return Candidate(continues ? name : QuakeFilter.folded(name), city.description)
        }
    }

    static let timeZone = offering { request in
        ["local", "UTC"].map { Candidate($0) } + TimeZoneDatabase(request.environment).names.map { Candidate($0) }
    }

    private static func offering(
        _ candidates: @escaping @Sendable (CompletionRequest) -> [Candidate]
    ) -> CompletionKind {
        .custom { words, index, _ in
            let shell = CompletionShell.requesting
            let version = CompletionShell.requestingVersion ?? ""
            let request = CompletionRequest(
                words: words, index: index, environment: .process,
                isUnquoted: shell == .fish && (version.hasPrefix("3.") || version.hasPrefix("2.")))
            return request.lines(candidates(request), for: shell)
        }
    }
}

extension CompletionRequest {
    /// Example times, short enough to type.
    static let times = [
        Candidate("today", "the start of this day, UTC"), Candidate("yesterday", "the start of the day before, UTC"),
        Candidate("1h", "an hour ago"), Candidate("24h", "24 hours ago"), Candidate("7d", "a week ago"),
        Candidate("30d", "30 days ago"),
    ]

    /// Completes the last element of a comma-separated list with `candidates` that the list does not contain yet.
    func inList(_ candidates: (_ element: String) -> [Candidate]) -> [Candidate] {
        let typed = typed
        let start = typed.lastIndex(of: ",").map(typed.index(after:)) ?? typed.startIndex
        let head = String(typed[..<start])
        let named = Set(NameList.names(in: head).map { $0.lowercased() })
        return candidates(String(typed[start...])).filter { !named.contains($0.text.lowercased()) }
            .map { Candidate(head + $0.text, $0.description) }
    }

    /// Returns the placeholders `names` if the word ends inside an open brace or is empty.
    func inTemplate(_ names: [String]) -> [Candidate] {
        let typed = typed
        let open = typed.lastIndex(of: "{")
        guard open.map({ !typed[$0...].contains("}") }) ?? typed.isEmpty else { return [] }
        let head = typed[..<(open ?? typed.startIndex)]
        return names.map { Candidate("\(head){\($0)}") }
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
        return "\(quakes) of the last \(period.rawValue)"
    }
}
