import ArgumentParser
import FoundationEssentials
import Glibc
import QuakeStore
import QuakeSystem

/// What a shell asks when a person presses the Tab key. Whatever fails, or would take long, gives no candidates.
struct CompletionRequest {
    let words: [String]
    let index: Int
    /// Where the cache is looked for, and the clock.
    let environment: CommandEnvironment
    /// Whether the shell has already taken quotes and backslashes away, as fish did before version 4.
    var isUnquoted = false

    /// Ends this process silently after two seconds. A disk that does not answer must not stop the shell.
    static func limitTime() {
        signal(SIGALRM) { _ in _exit(0) }
        alarm(2)
    }

    /// The word to complete, as far as it is typed, without quotes and backslashes.
    var typed: String {
        guard words.indices.contains(index), words[index] != "=" else { return "" }
        // zsh and fish take --option=value for one word, bash for three.
        if words[index].hasPrefix("--"), let sign = words[index].firstIndex(of: "=") {
            let value = String(words[index][words[index].index(after: sign)...])
            return isUnquoted ? value : value.unquoted
        }
        // The script for fish writes an empty word with its quotes.
        return isUnquoted && words[index] != "''" ? words[index] : words[index].unquoted
    }

    /// Those of `candidates` that continue the word, as lines for `shell`. The case does not matter.
    func lines(_ candidates: [Candidate], for shell: CompletionShell?) -> [String] {
        let start = typed.lowercased()
        return candidates.filter { $0.text.lowercased().hasPrefix(start) }.compactMap { $0.line(for: shell) }
    }

    /// What `read` finds in the cache that the line names, otherwise in the usual one; nothing if that takes long.
    func fromCache(_ read: (QuakeContext) throws -> [Candidate]) -> [Candidate] {
        guard let path = databasePath, isQuickToOpen(path) else { return [] }
        let cache = QuakeCache(
            path: path, configuration: StoreConfiguration(busyTimeout: .milliseconds(50), now: environment.now))
        // There is no place for a message beside a line that is being typed.
        return (try? read(cache.context(access: .reading))) ?? []
    }

    /// The value of the last `--db` before the word, otherwise as for every command.
    private var databasePath: String? {
        // bash makes three words of --db=PATH.
        let before = words.prefix(index).filter { $0 != "=" }
        for (position, word) in before.enumerated().reversed() {
            if word == "--db", position + 1 < before.count { return value(of: before[position + 1]) }
            if word.hasPrefix("--db=") { return value(of: String(word.dropFirst("--db=".count))) }
        }
        return GlobalOptions.usualDatabasePath(in: environment, for: .reading)
    }

    /// The path that the shell would pass on for `word`, as far as it holds no variables or commands.
    private func value(of word: String) -> String {
        let path = isUnquoted ? word : word.unquoted
        return word.hasPrefix("~/") ? environment.homeDirectory + path.dropFirst() : path
    }

    /// Whether the file can be opened without copying much: one without write access or a log to share is copied.
    private func isQuickToOpen(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        // The log lies beside the file that links lead to.
        let log = FileLocation.resolved(path)
        let isShared = access(path, W_OK) == 0 || ["-wal", "-shm"].allSatisfy { access(log + $0, R_OK) == 0 }
        return isShared || status.st_size < 16 << 20
    }
}
