import Synchronization

/// The query of a list, which may change while the list is followed.
final class ListQuery: Sendable {
    struct NumberedQuery {
        var descriptor: QuakeDescriptor
        /// Incremented with each change of the query.
        var number = 0
    }

    private let state: Mutex<NumberedQuery>

    init(_ descriptor: QuakeDescriptor) { state = Mutex(NumberedQuery(descriptor: descriptor)) }

    var numberedQuery: NumberedQuery { state.withLock { $0 } }

    func change(to descriptor: QuakeDescriptor) {
        state.withLock { $0 = NumberedQuery(descriptor: descriptor, number: $0.number + 1) }
    }
}
