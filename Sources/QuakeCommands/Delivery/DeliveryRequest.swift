import QuakeStore

/// A request to deliver changes: which ones, from which position, and to which receiver. `changes` and `watch` create
/// the request from their options.
struct DeliveryRequest {
    enum Start {
        /// A token, time or transaction on the command line. The position is not saved.
        case given((QuakeContext) throws -> HistoryDescriptor.Start)
        /// The saved position of a reader.
        case kept(ReadPosition)

        var position: ReadPosition? { if case .kept(let position) = self { position } else { nil } }
    }

    enum Receiver {
        case output(ChangesOutputForm)
        /// A shell command that reads all records.
        case command(String, ChangesOutputForm)
        /// A shell command that runs once for each change.
        case eachChange(String)
    }

    /// What to do if the start is unusable, such as an expired token.
    enum UnusableStartAction {
        /// Deliver every quake.
        case resync
        case fail
        /// Continue after the last transaction that the reader has received, and report what it may have missed.
        case resume
        /// Like `resume`, but fail if unread history was purged.
        case resumeUnlessExpired
    }

    var start: Start
    /// Whether a new reader starts with the next change instead of with the whole history.
    var startsNow = false
    var unusableStartAction = UnusableStartAction.resync
    /// The changes to deliver; `start` is ignored.
    var changes: HistoryDescriptor
    /// The current or former ids of the quakes to deliver; empty for all.
    var ids: Set<String> = []
    var receiver: Receiver
    /// The style of the records, apart from settings that depend on the cache, such as ``OutputStyle/idOfKey``.
    var style: OutputStyle
    /// The time without output after which an ongoing delivery writes a heartbeat record; nil for none.
    var heartbeat: Duration?
    /// The time after which an ongoing delivery ends; nil for no limit.
    var timeout: Duration?

    var runsCommands: Bool { if case .output = receiver { false } else { true } }

    /// Returns the changes to deliver from `start`. Looks up the ids each time, because quakes with these ids may have
    /// appeared.
    func descriptor(from start: HistoryDescriptor.Start, in context: QuakeContext) throws -> HistoryDescriptor {
        var descriptor = changes
        descriptor.start = start
        if !ids.isEmpty { descriptor.quakeKeys = Set(try ids.compactMap { try context.key(ofID: $0) }) }
        return descriptor
    }
}
