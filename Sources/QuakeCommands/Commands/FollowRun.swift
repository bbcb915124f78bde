import Foundation
import QuakeModel
import QuakeStore

/// One call of `quakes changes --follow`: delivers what is committed, transaction by transaction, until it is ended.
///
/// It asks SQLite five times a second whether anybody committed, which costs microseconds and sees every process. The token
/// moves with what was written out, so that whoever takes over goes on where this one ended.
final class FollowRun {
    private static let interval = Duration.milliseconds(200)

    private let command: ChangesCommand
    private let bookmark: ReadPosition
    private let environment: CommandEnvironment
    private let signals = PendingSignals()
    private let renderer: ChangesJSONRenderer
    private let clock = ContinuousClock()
    private var file: WatchedFile
    private var context: QuakeContext
    /// The place up to which everything was written out, and the one that is kept.
    private var place: HistoryToken?
    private var keptPlace: HistoryToken?
    private var unkept: (any Error)?
    private var count = 0
    private var lastRecord: ContinuousClock.Instant

    init(command: ChangesCommand, bookmark: ReadPosition, environment: CommandEnvironment) throws {
        self.command = command
        self.bookmark = bookmark
        self.environment = environment
        let writer = ByteWriter(environment.standardOutput)
        writer.isInterrupted = { [signals] in signals.isPending() }
        renderer = ChangesJSONRenderer(writer: writer, framing: .lines, usesEpochTime: command.usesEpochTime)
        context = try command.context(in: environment, bookmark.needsWriting ? .writing : .reading)
        file = WatchedFile(context.cache.path)
        lastRecord = clock.now
    }

    /// Follows until a signal, the timeout, or the reader's going.
    func run() throws -> ExitStatus {
        do {
            try follow(until: command.delivery.timeout.map { clock.now + $0.duration })
        } catch is Interruption {
            // The end record says from where to go on.
        } catch {
            keep()
            throw error
        }
        keep()
        try finish()
        return command.failsEmpty && count == 0 ? .noRows : .success
    }

    /// Asked to end between two transactions.
    private struct Interruption: Error {}

    private func follow(until end: ContinuousClock.Instant?) throws {
        while true {
            let version = try context.dataVersion()
            try deliver()
            keep()
            guard try waitForCommit(after: version, until: end) else { return }
        }
    }

    private func deliver() throws {
        try context.snapshot {
            var descriptor = try command.relevance.descriptor(filter: command.filters.filter, in: context)
            descriptor.start =
                try place.map { .token($0) } ?? bookmark.start(in: context, now: environment.now())
            var current: Int64?
            var reached: HistoryToken?
            var isResync = false
            try context.fetchHistory(descriptor, resyncs: command.place.onExpired == .resync) { event in
                switch event {
                case .change(let change):
                    if current != change.transaction.number {
                        try flush(reached)
                        if signals.isPending() { throw Interruption() }
                    }
                    current = change.transaction.number
                    reached = change.token
                    count += 1
                    try renderer.write(event)
                case .dropEverything, .resync:
                    isResync = true
                    count += 1
                    try renderer.write(event)
                case .end(let end):
                    if isResync { try renderer.writeHeartbeat(token: end.token, time: environment.now()) }
                    try flush(current == nil && !isResync ? nil : end.token)
                    place = end.token
                }
            }
        }
    }

    /// Writes out what waits; everything up to `token` has then been delivered.
    private func flush(_ token: HistoryToken?) throws {
        guard let token else { return }
        try renderer.flush()
        try environment.standardOutput.confirmDelivery()
        place = token
        lastRecord = clock.now
    }

    /// Keeps the place. A cache that is busy is asked again at the next commit: an older place only repeats.
    private func keep() {
        guard let place, place != keptPlace else { return }
        do {
            try bookmark.keep(place, in: context)
            keptPlace = place
        } catch {
            unkept = error
        }
    }

    /// Waits until somebody has committed since `version`. False when it is time to end.
    private func waitForCommit(after version: Int64, until end: ContinuousClock.Instant?) throws -> Bool {
        while true {
            if signals.wait(upTo: Self.interval) || !environment.standardOutput.hasReader { return false }
            if let end, clock.now >= end { return false }
            if file.wasReplaced() {
                context = try command.context(in: environment, bookmark.needsWriting ? .writing : .reading)
                file = WatchedFile(context.cache.path)
                return true
            }
            if try context.dataVersion() != version { return true }
            try showLife()
        }
    }

    private func showLife() throws {
        guard let interval = command.delivery.heartbeat?.duration, clock.now - lastRecord >= interval, let place else {
            return
        }
        try renderer.writeHeartbeat(token: place, time: environment.now())
        try flush(place)
    }

    private func finish() throws {
        guard let place else { return }
        let (head, floor) = try context.snapshot { (try context.head(), try context.floor().number) }
        try renderer.write(
            .end(HistoryEnd(token: place, head: head, floor: floor, hasMore: place != head, count: count)))
        try renderer.finish()
        try environment.standardOutput.confirmDelivery()
        if keptPlace != place, let unkept { throw unkept }
    }
}

/// A file that may be replaced by another one of the same name, as a restored backup does.
private struct WatchedFile {
    private let path: String
    private let identity: Identity?

    private struct Identity: Equatable {
        let device: dev_t
        let node: ino_t
    }

    init(_ path: String) {
        self.path = path
        identity = WatchedFile.identity(path)
    }

    /// Whether another file lies there now. One that is gone may come back.
    func wasReplaced() -> Bool {
        guard let present = WatchedFile.identity(path) else { return false }
        return present != identity
    }

    private static func identity(_ path: String) -> Identity? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Identity(device: status.st_dev, node: status.st_ino)
    }
}
