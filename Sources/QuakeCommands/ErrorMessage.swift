import QuakeFeed
import QuakeModel
import QuakeStore

/// An error in words: one sentence that says what happened, where there is one a second that says what to do, and the
/// exit status. The only place that turns errors into words.
struct ErrorMessage {
    var what: String
    var remedy: String?
    var status: ExitStatus

    /// Nothing is said of a pipe whose reader has gone: `head` had enough, which is no failure.
    var isSilent = false

    init(_ what: String, _ remedy: String? = nil, _ status: ExitStatus) {
        self.what = what
        self.remedy = remedy
        self.status = status
    }

    init(_ error: any Error) {
        switch error {
        case let error as StoreError: self.init(error)
        case let error as FeedError: self.init(error)
        case let error as OutputError: self.init(error)
        case let error as CommandError: self.init(error)
        default: self.init("Something failed that was not foreseen: \(error).", nil, .failure)
        }
    }

    private init(_ error: OutputError) {
        switch error {
        case .closedPipe:
            self.init("The reader of the output has gone.", nil, .success)
            isSilent = true
        case .interrupted:
            self.init("The program was asked to end.", nil, .success)
            isSilent = true
        case .writeFailed(let errno):
            self.init(
                "The output could not be written (\(SystemError.words(errno))).", "Is the disk full?", .storageFailure)
        }
    }

    private init(_ error: CommandError) {
        switch error {
        case .unknownFeed(let name, let suggestion):
            self.init(
                "There is no feed called \"\(name)\".",
                suggestion.map { "Did you mean \($0)?" }
                    ?? "Feeds are significant, 4.5, 2.5, 1.0 or all, then _hour, _day, _week or _month.", .usage)
        case .unknownQuake(let id): self.init("No quake in the cache has or had the id \(id).", nil, .noRows)
        case .noPurge:
            self.init(
                "No purge of quakes is in the history that is kept.",
                "Name a transaction; `quakes history` lists them.",
                .noRows)
        case .malformedToken(let text):
            self.init(
                "\"\(text)\" is not a token.",
                "A token is what `quakes changes` ends with; `beginning` and `now` work too.",
                .usage)
        case .unusableToken(let fault):
            self.init(
                "The token cannot be followed: \(fault.words).", "`quakes token` prints one that can.", .unusableToken)
        case .unknownConsumer(let name): self.init("There is no consumer \"\(name)\".", nil, .noRows)
        case .commandNotStarted(let reason): self.init("The command could not be started: \(reason).", nil, .failure)
        case .commandFailed(let ending):
            self.init("The command \(ending.words); the token stays where it was.", "The next call repeats.", .failure)
        case .tokenFile(let path, let reason):
            self.init("The token file \(path) cannot be used: \(reason).", nil, .storageFailure)
        }
    }

    /// The whole text, made safe for a terminal.
    var text: String {
        TerminalText.sanitized(remedy.map { "quakes: \(what) \($0)" } ?? "quakes: \(what)")
    }

    /// Writes the text on `stream`. A failure to do so has nobody left to tell.
    func print(on stream: StandardStream) {
        guard !isSilent else { return }
        let writer = ByteWriter(stream)
        writer.append(text + "\n")
        try? writer.flush()
    }
}

/// What a command finds wrong that no library knows of.
enum CommandError: Error {
    case unknownFeed(String, suggestion: String?)
    case unknownQuake(String)
    case malformedToken(String)
    case unusableToken(TokenFault)
    case unknownConsumer(String)
    case commandNotStarted(reason: String)
    case commandFailed(CommandReceiver.Ending)
    case noPurge
    case tokenFile(path: String, reason: String)
}
