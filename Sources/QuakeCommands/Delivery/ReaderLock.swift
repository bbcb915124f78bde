import QuakeStore
import QuakeSystem

/// Lets one process at a time read as a consumer, or with a token file, while it can move the position. Two processes
/// would deliver changes twice, and one could move the position past changes that the other has yet to deliver.
final class ReaderLock {
    /// The lock file; nil if the position does not move, or only in this process.
    private let file: LockFile?
    /// The reader, as the beginning of a sentence.
    private let subject: String
    private var held: HeldLock?

    /// - Parameter position: The position; nil if the start was given and nothing is saved.
    init(_ position: ReadPosition?, cacheAt cache: String) {
        let keeper = position?.moves == true ? position?.keeper : nil
        switch keeper {
        case .consumer(let name):
            subject = "The consumer \"\(name)\""
            file = CacheLock.file(ofConsumer: name, cacheAt: cache)
        case .file(let path):
            // A user who may only read the cache cannot create files beside it, but can replace the token file.
            let location = FileLocation.resolved(path)
            subject = "The token file \(path)"
            file = LockFile(at: location + ".reader-lock", like: FileAccess(of: location), newMode: 0o644)
        case .process, nil:
            subject = ""
            file = nil
        }
    }

    /// Takes the lock, if one is needed. Throws an error that names the holder if another process holds it.
    func take() throws {
        if let holders = try holdersIfHeld() { throw busy(holders) }
    }

    /// Waits until the lock is taken, if one is needed. Names the holder at first and then once an hour, even with
    /// `--quiet`. Returns false if `pause` does, which waits between two attempts.
    ///
    /// - Parameter now: The clock that measures the hour.
    func wait(
        _ reporter: Reporter, now: () -> ContinuousClock.Instant = { ContinuousClock.now },
        pause: () throws -> Bool
    ) throws -> Bool {
        let interruption = FollowInterruption(reporter)
        var next: ContinuousClock.Instant?
        while true {
            do {
                guard let holders = try holdersIfHeld() else {
                    interruption.end(next.map { _ in "The other process has ended; reading now." })
                    return true
                }
                if next.map({ now() >= $0 }) ?? true {
                    reporter.say("quakes: \(busy(holders).what) Waiting until it ends.")
                    next = now() + .seconds(3600)
                }
            } catch let error as StoreError where error.mayPass { interruption.begin(CommandError(error).text) }
            guard try pause() else { return false }
        }
    }

    func release() { held?.release() }

    /// Takes the lock, or returns the names of the processes that hold it, if the system tells.
    private func holdersIfHeld() throws -> [String]? {
        guard let file, held == nil else { return nil }
        held = try CacheLock.take(file)
        if held != nil { return nil }
        let holders = file.holders
        // A holder that nobody can name has just ended, or is in another container.
        if holders.isEmpty { held = try CacheLock.take(file) }
        return held == nil ? holders : nil
    }

    private func busy(_ holders: [String]) -> CommandError {
        let names = holders.isEmpty ? "another process" : holders.joined(separator: ", ")
        var error = CommandError(
            "\(subject) is already being read by \(names).", "Try again when that has ended.", .tryLater)
        error.hasLasted = file?.age.map { $0 >= .seconds(3600) } ?? false
        return error
    }
}
