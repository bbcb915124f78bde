import QuakeStore
import QuakeSystem

/// Lets only one process at a time read as a consumer or with a token file, if the position can advance. Two processes
/// would deliver changes twice, and one could save a position past changes that the other has yet to deliver.
final class ReaderLock {
    /// The lock file; nil if the position does not advance or is kept only by this process.
    private let file: LockFile?
    /// The reader, as the subject of a sentence.
    private let readerDescription: String
    private var held: HeldLock?

    /// - Parameter position: The saved position; nil if the start was given on the command line and nothing is saved.
    init(_ position: ReadPosition?, cacheAt cache: String) {
        let keeper = position?.savesAfterDelivery == true ? position?.storage : nil
        switch keeper {
        case .consumer(let name):
            readerDescription = "The consumer \"\(name)\""
            file = CacheLock.file(ofConsumer: name, cacheAt: cache)
        case .file(let path):
            // The lock is beside the token file. A user who can only read the cache cannot create files beside it.
            let location = FileLocation.resolved(path)
            readerDescription = "The token file \(path)"
            file = LockFile(at: location + ".reader-lock", like: FileAccess(of: location), newMode: 0o644)
        case .process, nil:
            readerDescription = ""
            file = nil
        }
    }

    /// Takes the lock, if one is needed. If another process holds it, throws an error that names that process.
    func take() throws {
        if let holders = try holdersIfHeld() { throw busy(holders) }
    }

    /// Takes the lock, if one is needed, waiting until it is free. Reports which process holds the lock, first
    /// immediately and then once an hour, even with `--quiet`.
    ///
    /// - Parameters:
    ///   - now: The clock that measures the hour.
    ///   - pause: Waits between two attempts. If `pause` returns false, so does this method.
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
                    reporter.writeLine("quakes: \(busy(holders).what) Waiting until it ends.")
                    next = now() + .seconds(3600)
                }
            } catch let error as StoreError where error.isTransient { interruption.begin(CommandError(error).text) }
            guard try pause() else { return false }
        }
    }

    func release() { held?.release() }

    /// Takes the lock, if one is needed, and returns nil. If other processes hold it, returns their names, as far as
    /// the system reveals them.
    private func holdersIfHeld() throws -> [String]? {
        guard let file, held == nil else { return nil }
        held = try CacheLock.take(file)
        if held != nil { return nil }
        let holders = file.holders
        // If no process can be named, the holder has just ended or is in another container, so try once more.
        if holders.isEmpty { held = try CacheLock.take(file) }
        return held == nil ? holders : nil
    }

    private func busy(_ holders: [String]) -> CommandError {
        let names = holders.isEmpty ? "another process" : holders.joined(separator: ", ")
        var error = CommandError(
            "\(readerDescription) is already in use by \(names).", "Try again when that process has ended.", .tryLater)
        error.hasLasted = file?.age.map { $0 >= .seconds(3600) } ?? false
        return error
    }
}
