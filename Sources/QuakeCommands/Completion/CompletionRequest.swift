import ArgumentParser
import FoundationEssentials
import QuakeMirror

/// A shell's request when a person presses Tab.
struct CompletionRequest {
    let words: [String]
    let index: Int
    /// The folder that `~` stands for.
    let homeDirectory: String
    /// Whether the shell has already removed quotes and backslashes, as fish did before version 4.
    var isUnquoted = false

    /// The part of the word typed so far, without quotes and backslashes.
    var typed: String {
        guard words.indices.contains(index), words[index] != "=" else { return "" }
        // zsh and fish treat --option=value as one word, bash as three.
        if words[index].hasPrefix("--"), let sign = words[index].firstIndex(of: "=") {
            let value = String(words[index][words[index].index(after: sign)...])
            return isUnquoted ? value : value.unquoted
        }
        // The fish script passes an empty word as a pair of quotes.
        return isUnquoted && words[index] != "''" ? words[index] : words[index].unquoted
    }

    /// Returns the `candidates` that continue the word, ignoring case, as lines for `shell`.
    func lines(_ candidates: [Candidate], for shell: CompletionShell?) -> [String] {
        let start = typed.lowercased()
        return candidates.filter { $0.text.lowercased().hasPrefix(start) }.compactMap { $0.line(for: shell) }
    }

    /// Completes the last element of a comma-separated list with `candidates` that the list does not contain yet.
    ///
    /// A list with anything but candidates has no completion, because it would be repeated, and bash might run it.
    func inList(_ candidates: [Candidate]) -> [Candidate] {
        let typed = typed
        let start = typed.lastIndex(of: ",").map(typed.index(after:)) ?? typed.startIndex
        let named = Set(typed[..<start].split(separator: ",").map { $0.lowercased() })
        let open = candidates.filter { !named.contains($0.text.lowercased()) }
        guard open.count + named.count == candidates.count else { return [] }
        return open.map { Candidate(typed[..<start] + $0.text, $0.description) }
    }

    /// At most 500 completions of the word: folders, which end in a slash, and files that may be feeds.
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
    /// A word being typed in a shell, without its quotes and backslashes. The last quote may still be open.
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
