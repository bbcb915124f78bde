import FoundationEssentials
import QuakeStore

extension CompletionRequest {
    /// Ids that start with `prefix`, those of the newest quakes first.
    func quakeIDs(_ prefix: String) -> [Candidate] {
        fromCache { context in
            try context.recentIDs(startingWith: prefix, count: 300).map { found in
                guard let time = found.time else { return Candidate(found.id, "deleted") }
                let magnitude = found.magnitude.map { " M " + Quake.titleMagnitude($0) } ?? ""
                return Candidate(found.id, time.minuteWords + magnitude + (found.place.map { " " + $0 } ?? ""))
            }
        }
    }

    /// The words of a property in the newest quakes, and the `known` ones if these are not all quakes.
    func words(of property: QuakeProperty, known: [String]) -> [Candidate] {
        let found = fromCache { context in
            let (texts, areAll) = try context.recentTexts(of: property)
            return (areAll ? texts : Array(Set(texts + known)).sorted()).map { Candidate($0) }
        }
        return found.isEmpty ? known.map { Candidate($0) } : found
    }

    /// The regions of the newest quakes with their numbers of quakes; without a cache, the countries and states.
    var regions: [Candidate] {
        let found = fromCache { context in
            try context.regions().sorted { $0.key < $1.key }.map { Candidate($0.key, $0.value.counted("quake")) }
        }
        return found.isEmpty ? FilterVocabulary.regions.map { Candidate($0) } : found
    }

    /// The consumers, the last seen first.
    var consumers: [Candidate] {
        fromCache { context in
            try context.history.consumers().sorted { $0.seen > $1.seen }.map {
                Candidate($0.name, "has read transaction \($0.number), seen \($0.seen.minuteWords)")
            }
        }
    }

    /// What the cache remembers, by the names of `quakes status`.
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

    /// Tokens of the newest transactions, and the words for both ends of the history.
    var tokens: [Candidate] {
        let ends = [Candidate("now", "the newest transaction"), Candidate("beginning", "before the first transaction")]
        return ends
            + fromCache { context in
                try context.history.newestTransactions(20).map {
                    Candidate($0.token.description, "transaction \($0.number): \($0.summary)")
                }
            }
    }
}

extension HistoryTransaction {
    /// When it was committed, by what, and how many quakes it changed.
    fileprivate var summary: String {
        "\(time.minuteWords) \(context ?? author): \(counts.inserted) new, \(counts.updated) changed, "
            + "\(counts.deleted) deleted"
    }
}

extension CompletionRequest {
    /// Folders, which end in a slash, and files whose names end in `json`, that continue the word. At most 500.
    var feedFiles: [Candidate] {
        let folder = String(typed[..<(typed.lastIndex(of: "/").map(typed.index(after:)) ?? typed.startIndex)])
        let start = typed.dropFirst(folder.count)
        let isInHome = folder.hasPrefix("~/")
        let path = isInHome ? environment.homeDirectory + folder.dropFirst() : folder
        // A folder that cannot be read has no candidates.
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
