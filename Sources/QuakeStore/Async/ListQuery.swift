import FoundationEssentials
import Synchronization

/// The query of a list, which may change while the list is followed.
final class ListQuery: Sendable {
    struct Form {
        var descriptor: QuakeDescriptor
        var predicate: Predicate<Quake>?
        /// Incremented with each change of the query.
        var number = 0
    }

    private let kept: Mutex<Form>

    init(_ descriptor: QuakeDescriptor, where predicate: Predicate<Quake>?) {
        kept = Mutex(Form(descriptor: descriptor, predicate: predicate))
    }

    var form: Form { kept.withLock { $0 } }

    func change(to descriptor: QuakeDescriptor, where predicate: Predicate<Quake>?) {
        kept.withLock { $0 = Form(descriptor: descriptor, predicate: predicate, number: $0.number + 1) }
    }
}
