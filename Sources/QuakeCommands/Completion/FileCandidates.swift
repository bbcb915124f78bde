import FoundationEssentials

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
