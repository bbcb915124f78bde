import ArgumentParser
import Glibc
import QuakeStore
import QuakeSystem

/// A shell's request when a person presses Tab. If anything fails or would take long, there are no candidates.
struct CompletionRequest {
    let words: [String]
    let index: Int
    /// The environment, which locates the cache and provides the clock.
    let environment: CommandEnvironment
    /// Whether the shell has already removed quotes and backslashes, as fish did before version 4.
    var isUnquoted = false

    /// Ends this process silently after two seconds, so that an unresponsive disk does not block the shell.
    static func limitTime() {
        signal(SIGALRM) { _ in _exit(0) }
        alarm(2)
    }

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

    /// Returns the candidates that `read` finds in the selected or default cache; none if reading would take long.
    func fromCache(_ read: (QuakeContext) throws -> [Candidate]) -> [Candidate] {
        guard let path = databasePath, isQuickToOpen(path) else { return [] }
        let cache = QuakeCache(
            path: path, configuration: StoreConfiguration(busyTimeout: .milliseconds(50), now: environment.now))
        // No message can be shown next to a line that is being typed.
        return (try? read(cache.context(access: .reading))) ?? []
    }

    /// The value of the last `--db` before the word, otherwise the default path.
    private var databasePath: String? {
        // bash splits --db=PATH into three words.
        let before = words.prefix(index).filter { $0 != "=" }
        for (position, word) in before.enumerated().reversed() {
            if word == "--db", position + 1 < before.count { return value(of: before[position + 1]) }
            if word.hasPrefix("--db=") { return value(of: String(word.dropFirst("--db=".count))) }
        }
        return GlobalOptions.usualDatabasePath(in: environment, for: .reading)
    }

    /// Returns the path that the shell would pass for `word`, unless it contains variables or commands.
    private func value(of word: String) -> String {
        let path = isUnquoted ? word : word.unquoted
        return word.hasPrefix("~/") ? environment.homeDirectory + path.dropFirst() : path
    }

    /// Whether the file opens without much copying. A file is copied if it is not writable and has no readable log.
    private func isQuickToOpen(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        // The log is next to the file that links resolve to.
        let log = FileLocation.resolved(path)
        let isShared = access(path, W_OK) == 0 || ["-wal", "-shm"].allSatisfy { access(log + $0, R_OK) == 0 }
        return isShared || status.st_size < 16 << 20
    }
}
