import Synchronization

/// The query of a list, which may change while the list is followed.
final class ListQuery: Sendable {
    struct Form {
        var descriptor: QuakeDescriptor
        /// Incremented with each change of the query.
        var number = 0
    }

    private let kept: Mutex<Form>

    init(_ descriptor: QuakeDescriptor) { kept = Mutex(Form(descriptor: descriptor)) }

    var form: Form { kept.withLock { $0 } }

    func change(to descriptor: QuakeDescriptor) {
        kept.withLock { $0 = Form(descriptor: descriptor, number: $0.number + 1) }
    }
}
