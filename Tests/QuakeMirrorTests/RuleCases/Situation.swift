import QuakeTestSupport

@testable import QuakeMirror

/// A situation that a row describes: `cache | document | features`.
struct Situation {
    private let cache: NotedCache
    private let document: NotedDocument
    private let features: [Substring]

    init(_ text: String) throws {
        let parts = text.split(separator: "|", omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw NotationError(text: text) }
        cache = try NotedCache(parts[0])
        document = try NotedDocument(parts[1])
        features = parts[2].split(separator: ";")
    }

    /// The decision on the feature. Several features have the outcome of all; the other subjects have operations.
    var decision: String {
        get throws {
            let subjects = features.map { Word.words(of: $0) }
            guard let subject = subjects.first, let name = subject.first?.name else { throw NotationError(text: "") }
            let keys = try subject.dropFirst().map { try QuakeKey(notation: $0.name) }
            switch name {
            case "absences": return try absences()
            case "expired": return try rules(for: []).confirmation.operationsDroppingExpired.described
            case "seen": return try rules(for: []).operations(forListed: keys).described
            case "unreadable" where keys.count == 1:
                return try rules(for: []).decision(onUnreadable: keys[0]).description
            default: return try judge(subjects.flatMap { $0 }.map(quake))
            }
        }
    }

    /// Returns the feature that a word describes. Unless the word has them, it lacks uncertainties, and the values that
    /// its document lacks.
    private func quake(_ word: Word) throws -> Quake {
        var known = cache.quake(withID: word.name.prefix { $0 != "+" })
        for property in document.lacks.union(QuakeProperty.uncertainties) { known?[stored: property] = .null }
        return try Quake(word.name, word.arguments, like: known)
    }

    private func rules(for quakes: [Quake]) throws -> SnapshotRules {
        SnapshotRules(
            facts: document.facts(listing: quakes.map(\.id)), settings: document.settings,
            unconfirmedChanges: cache.unconfirmedChanges)
    }

    private func judge(_ quakes: [Quake]) throws -> String {
        let rules = try rules(for: quakes)
        var outcome = SnapshotOutcome()
        for quake in quakes {
            do {
                let decision = try rules.judge(
                    quake, in: document.turn, listed: document.listed.union(outcome.listed), cache: cache.contents)
                if quakes.count == 1 { return decision.description }
                outcome.add(decision)
            } catch let defect as FeatureDefect {
                if quakes.count == 1 { return defect.words }
            }
        }
        return outcome.notation
    }

    /// Judges the absence of the quakes at the times for which absences count.
    private func absences() throws -> String {
        let rules = try rules(for: [])
        guard let window = rules.facts.certainWindow else { return "absences do not count" }
        let covered = cache.originTimes.filter { window.contains($0.value) }.map(\.key).sorted()
        return try rules.absences(among: covered, listed: document.listed, cache: cache.contents).notation
    }
}
