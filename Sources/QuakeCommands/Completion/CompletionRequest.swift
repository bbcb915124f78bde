import ArgumentParser
import FoundationEssentials
import QuakeMirror

/// A request of a shell when the user presses Tab.
struct CompletionRequest {
    let words: [String]
    let index: Int
    /// The home directory, for which `~` stands.
    let homeDirectory: String
    /// Whether the shell has already removed quotes and backslashes, as fish did before version 4.
    var isUnquoted = false

    /// The text of the word to complete, without quotes and backslashes. For `--option=value`, only the value.
    var typed: String {
        guard words.indices.contains(index), words[index] != "=" else { return "" }
        // zsh and fish pass --option=value as one word, bash as three.
        if words[index].hasPrefix("--"), let sign = words[index].firstIndex(of: "=") {
            let value = String(words[index][words[index].index(after: sign)...])
            return isUnquoted ? value : value.unquoted
        }
        // The fish script passes an empty word as a pair of quotes.
        return isUnquoted && words[index] != "''" ? words[index] : words[index].unquoted
    }

    /// Returns the `candidates` that begin with the typed text, ignoring case, as lines for `shell`.
    func lines(_ candidates: [Candidate], for shell: CompletionShell?) -> [String] {
        let start = typed.lowercased()
        return candidates.filter { $0.text.lowercased().hasPrefix(start) }.compactMap { $0.line(for: shell) }
    }

    /// Completes the last element of a comma-separated list with those `candidates` that the list does not contain yet.
    ///
    /// Returns no completions if an earlier element is not a candidate: a completion repeats the list, and bash might
    /// run what it contains.
    func inList(_ candidates: [Candidate]) -> [Candidate] {
        let typed = typed
        let start = typed.lastIndex(of: ",").map(typed.index(after:)) ?? typed.startIndex
        let named = Set(typed[..<start].split(separator: ",").map { $0.lowercased() })
        let open = candidates.filter { !named.contains($0.text.lowercased()) }
        guard open.count + named.count == candidates.count else { return [] }
        return open.map { Candidate(typed[..<start] + $0.text, $0.description) }
    }

    /// The files and folders that complete the word, of the first 500 in alphabetical order: folders, with a slash at
    /// the end, and files with an extension of feeds.
    var feedFiles: [Candidate] {
        let folder = String(typed[..<(typed.lastIndex(of: "/").map(typed.index(after:)) ?? typed.startIndex)])
        let start = typed.dropFirst(folder.count)
        let path = folder.hasPrefix("~/") ? homeDirectory + folder.dropFirst() : folder
        // An unreadable folder has no candidates.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path.isEmpty ? "." : path)) ?? []
        return names.filter { $0.hasPrefix(start) && (!$0.hasPrefix(".") || start.hasPrefix(".")) }.sorted()
            .prefix(500).compactMap { name in
                var isFolder = false
                guard FileManager.default.fileExists(atPath: path + name, isDirectory: &isFolder) else { return nil }
                return isFolder
                    ? Candidate(folder + name + "/")
                    : FeedSource.hasFileExtension(name) ? Candidate(folder + name) : nil
            }
    }
}

extension String {
    /// This word, as typed in a shell, without its quotes and backslashes. A quote may still be open.
    var unquoted: String {
        var text = ""
        var quote: Character?
        var rest = self[...]
        while let character = rest.popFirst() {
            switch (character, quote) {
            case ("'", "'"), ("\"", "\""): quote = nil
            case ("'", nil), ("\"", nil): quote = character
            case ("\\", nil), ("\\", "\""): if let next = rest.popFirst() { text.append(next) }
            default: text.append(character)
            }
        }
        return text
    }
}
