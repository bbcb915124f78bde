import QuakeEditing
import QuakeStore
import QuakeTestSupport
import Synchronization

/// A real cache file that exists for one test, with its own clock.
struct ScratchStore {
    let path: String
    let store: QuakeCache
    let clock: TestClock

    private init(_ directory: ScratchDirectory) {
        path = directory.path("quakes.db")
        let clock = TestClock()
        self.clock = clock
        store = QuakeCache(path: path, configuration: StoreConfiguration(program: "test") { clock.now })
    }

    /// Returns a new, empty cache in the test's directory, and a context. The suite must have the trait `.scratch`.
    static func ofTest() throws -> (ScratchStore, QuakeContext) {
        let scratch = ScratchStore(try ScratchDirectory.ofTest())
        return (scratch, try QuakeContext(scratch.store, author: "test", access: .creating))
    }

    /// Runs `body` with the path of a cache that is not there yet and that nothing has open.
    static func withoutCache<Result>(_ body: (ScratchStore) throws -> Result) throws -> Result {
        try withScratchDirectory { try body(ScratchStore($0)) }
    }

    /// Runs `body` with a new, empty cache.
    static func with<Result>(_ body: (ScratchStore, QuakeContext) throws -> Result) throws -> Result {
        try withScratchDirectory { directory in
            let scratch = ScratchStore(directory)
            return try body(scratch, try QuakeContext(scratch.store, author: "test", access: .creating))
        }
    }
}

/// A suite in which each test has a new, empty cache. It must have the trait `.scratch`.
class SuiteWithCache {
    let scratch: ScratchStore
    let context: QuakeContext
    let editor: QuakeEditor

    init() throws {
        (scratch, context) = try ScratchStore.ofTest()
        editor = QuakeEditor(context)
    }

    /// Inserts one quake and then backs the cache up.
    func recordAndBackUp() throws -> StoreBackup {
        try context.record(.sample("us701"))
        return try context.maintenance.backup(to: scratch.path + ".copy")
    }
}

/// A clock that stands still until it is moved.
final class TestClock: Sendable {
    private let moment = Mutex(Timestamp.sample)

    var now: Timestamp { moment.withLock { $0 } }

    func advance(by duration: Duration) { moment.withLock { $0 = $0 + duration } }
}

extension Quake {
    /// A sample quake.
    static func sample(_ id: String = "us7000aa01", magnitude: Double? = 4.6, minutesAgo: Int64 = 10) -> Quake {
        Quake(sample: id, time: .sample - .seconds(60 * minutesAgo), magnitude: magnitude)
    }

    /// Returns a quake with this code and magnitude; all other values follow from these.
    static func coded(_ code: String, mag: Double? = 4, net: String = "us", place: String? = "somewhere") -> Quake {
        Quake(
            sample: net + code, time: Timestamp(milliseconds: 1_700_000_000_000 + Int64(code.count)),
            updated: Timestamp(milliseconds: 1_700_000_001_000), magnitude: mag, place: place)
    }

    /// Returns the same quake with a change.
    func with(_ change: (inout Quake) -> Void) -> Quake {
        var copy = self
        change(&copy)
        return copy
    }
}

extension QuakeContext {
    /// Returns every quake by its key.
    func contents() throws -> [QuakeKey: Quake] {
        Dictionary(uniqueKeysWithValues: try fetch().map { ($0.key, $0.quake) })
    }

    /// Returns all events of a response.
    func events(_ descriptor: HistoryDescriptor = HistoryDescriptor(), resyncs: Bool = true) throws -> [HistoryEvent] {
        var events: [HistoryEvent] = []
        try history.fetch(descriptor, resyncs: resyncs) { events.append($0) }
        return events
    }

    /// Returns the changes in a response.
    func relevantChanges(_ descriptor: HistoryDescriptor = HistoryDescriptor()) throws -> [RelevantChange] {
        try events(descriptor).compactMap { if case .change(let change) = $0 { change } else { nil } }
    }

    /// Returns the end of a response.
    func end(_ descriptor: HistoryDescriptor = HistoryDescriptor()) throws -> HistoryEnd? {
        if case .end(let end) = try events(descriptor).last { end } else { nil }
    }

    /// Inserts one quake in a transaction and returns its key.
    @discardableResult
    func record(
        _ quake: Quake, _ rowSource: RowSource = RowSource(), reason: ChangeReason = .new
    ) throws -> QuakeKey {
        try write { try $0.insert(quake, reason: reason, rowSource: rowSource) }.result
    }

    /// Inserts `quakes` in one save.
    @discardableResult
    func save(_ quakes: Quake...) throws -> HistoryTransaction? {
        let editor = QuakeEditor(self)
        try editor.insert(contentsOf: quakes)
        return try editor.save()
    }

    /// Saves the edits of `body` as one transaction.
    func edit(_ body: (QuakeEditor) throws -> Void) throws {
        let editor = QuakeEditor(self)
        try editor.transaction { try body(editor) }
    }

    /// Changes one quake in a transaction.
    func revise(_ key: QuakeKey, _ change: (inout Quake) -> Void) throws {
        guard let stored = try quake(key: key) else { return }
        try write { try $0.update(stored, to: stored.quake.with(change), reason: .revised) }
    }
}

extension Error {
    /// Whether the file at `path` was found to be damaged.
    func isUnsound(_ path: String) -> Bool {
        if case StoreError.unsound(path, _)? = self as? StoreError { true } else { false }
    }
}
