import FoundationEssentials
import QuakeStore

extension CompletionRequest {
    /// Returns ids that start with `prefix`, the newest quakes first.
    func quakeIDs(_ prefix: String) -> [Candidate] {
        fromCache { context in
            try context.recentIDs(startingWith: prefix, count: 300).map { found in
                guard let time = found.time else { return Candidate(found.id, "deleted") }
                let magnitude = found.magnitude.map { " M " + Quake.titleMagnitude($0) } ?? ""
                return Candidate(found.id, time.minuteWords + magnitude + (found.place.map { " " + $0 } ?? ""))
            }
        }
    }

    /// Returns the values of a property in the newest quakes and, unless these are all quakes in the cache, `known`
    /// values.
    func words(of property: QuakeProperty, known: [String]) -> [Candidate] {
        let found = fromCache { context in
            let (texts, areAll) = try context.recentTexts(of: property)
            return (areAll ? texts : Array(Set(texts + known)).sorted()).map { Candidate($0) }
        }
        return found.isEmpty ? known.map { Candidate($0) } : found
    }

    /// The regions of the newest quakes with the number of quakes in each; without a cache, the countries and states.
    var regions: [Candidate] {
        let found = fromCache { context in
            try context.regions().sorted { $0.key < $1.key }.map { Candidate($0.key, $0.value.counted("quake")) }
        }
        return found.isEmpty ? FilterVocabulary.regions.map { Candidate($0) } : found
    }

    /// The consumers, most recently active first.
    var consumers: [Candidate] {
        fromCache { context in
            try context.history.consumers().sorted { $0.lastRead > $1.lastRead }.map {
                Candidate($0.name, "has read through transaction \($0.number), last read \($0.lastRead.minuteWords)")
            }
        }
    }

    /// The sources that the cache tracks, named as in `quakes status`.
    var sources: [Candidate] {
        fromCache { context in
            try context.sources.feeds().map { Candidate($0.name, $0.error == nil ? nil : "failing") }
        }
    }

    var authors: [Candidate] {
        fromCache { context in
            Set(try context.history.newestTransactions(500).map(\.author)).sorted().map { Candidate($0) }
        }
    }

    var transactions: [Candidate] {
        fromCache { context in try context.history.newestTransactions(50).map { Candidate("\($0.number)", $0.summary) }
        }
    }

    /// The tokens of the newest transactions, and the keywords for both ends of the history.
    var tokens: [Candidate] {
        let ends = [Candidate("now", "the newest transaction"), Candidate("beginning", "before the first transaction")]
        return ends
            + fromCache { context in
                try context.history.newestTransactions(20).map {
                    Candidate($0.token.description, "transaction \($0.number): \($0.summary)")
                }
            }
    }

    /// At most 500 completions of the word: folders, which end in a slash, and files with names that end in `json`.
    var feedFiles: [Candidate] {
        let folder = String(typed[..<(typed.lastIndex(of: "/").map(typed.index(after:)) ?? typed.startIndex)])
        let start = typed.dropFirst(folder.count)
        let isInHome = folder.hasPrefix("~/")
        let path = isInHome ? environment.homeDirectory + folder.dropFirst() : folder
        // An unreadable folder has no candidates.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path.isEmpty ? "." : path)) ?? []
        return names.filter { $0.hasPrefix(start) && (!$0.hasPrefix(".") || start.hasPrefix(".")) }.sorted()
            .prefix(500).compactMap { name in
                var isFolder = false
                guard FileManager.default.fileExists(atPath: path + name, isDirectory: &isFolder) else { return nil }
                return isFolder
                    ? Candidate(folder + name + "/") : name.hasSuffix("json") ? Candidate(folder + name) : nil
            }
    }
}

extension HistoryTransaction {
    /// The commit time, the source or author, and the numbers of quakes affected.
    fileprivate var summary: String {
        "\(time.minuteWords) \(purpose ?? author): \(counts.inserted) new, \(counts.updated) changed, "
            + "\(counts.deleted) deleted"
    }
}
