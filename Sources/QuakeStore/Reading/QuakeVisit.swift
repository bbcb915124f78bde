import FoundationEssentials
import QuakeModel

/// One pass over the quakes that a descriptor asks for.
///
/// What is saved comes from the database in its order. What is pending is merged into it, and what a predicate refuses
/// is left out; then the descriptor's offset and limit are counted here instead of in the database.
struct QuakeVisit {
    private let descriptor: QuakeDescriptor
    private let context: QuakeContext
    private let predicate: ((Quake) throws -> Bool)?
    private let condition: PredicateSQL?
    private let pending: PendingView?

    /// A pass inside the caller's snapshot.
    init(
        _ descriptor: QuakeDescriptor, in context: QuakeContext, where predicate: ((Quake) throws -> Bool)? = nil,
        condition: PredicateSQL? = nil
    ) throws {
        (self.condition, self.descriptor, self.context) = (condition, descriptor, context)
        self.predicate = predicate
        pending = try PendingView.current(for: descriptor, in: context)
    }

    func quakes() throws -> [StoredQuake] {
        var quakes: [StoredQuake] = []
        try run { quakes.append($0) }
        return quakes
    }

    func run(_ body: (StoredQuake) throws -> Void) throws {
        if pending == nil, predicate == nil {
            return try forEach(descriptor) {
                try body($0)
                return true
            }
        }
        var page = Page(descriptor)
        func deliver(_ stored: StoredQuake) throws -> Bool {
            guard try predicate?(stored.quake) ?? true else { return true }
            guard page.takes() else { return !page.isFull }
            try body(stored)
            return !page.isFull
        }
        guard !page.isFull else { return }
        var everything = descriptor
        (everything.limit, everything.offset) = (nil, 0)
        var added = pending?.added(accepting: descriptor)[...] ?? []
        try forEach(everything) { saved in
            while let key = added.first, let quake = pending?.shownQuake(key),
                descriptor.isOrdered(quake, before: saved.quake)
            {
                added.removeFirst()
                guard try deliver(StoredQuake(key: key, quake: quake)) else { return false }
            }
            return pending?.hides(saved.key) == true ? true : try deliver(saved)
        }
        while !page.isFull, let key = added.popFirst(), let quake = pending?.shownQuake(key) {
            _ = try deliver(StoredQuake(key: key, quake: quake))
        }
    }

    func runKeys(_ body: (QuakeKey) throws -> Void) throws {
        guard pending == nil, predicate == nil else { return try run { try body($0.key) } }
        try context.forEach(context.query(descriptor, and: condition, columns: "key")) { try body($0.key(0)) }
    }

    private func forEach(_ descriptor: QuakeDescriptor, _ body: (StoredQuake) throws -> Bool) throws {
        let query = try context.query(descriptor, and: condition, columns: "key, " + QuakeColumns.list())
        try context.walk(query) { try body(StoredQuake(key: $0.key(0), quake: $0.quake(from: 1))) }
    }

    /// Counts off the offset and the limit of a descriptor.
    private struct Page {
        private var skipped: Int
        private var left: Int

        init(_ descriptor: QuakeDescriptor) {
            skipped = max(0, descriptor.offset)
            left = descriptor.limit.flatMap { $0 < 0 ? nil : $0 } ?? .max
        }

        var isFull: Bool { left == 0 }

        /// Whether the next quake is on the page.
        mutating func takes() -> Bool {
            if skipped > 0 {
                skipped -= 1
                return false
            }
            guard left > 0 else { return false }
            left -= 1
            return true
        }
    }
}

extension QuakeContext {
    /// Runs `body` with a pass over what is asked for, in one snapshot. Writes of this context are refused meanwhile: a
    /// statement would see what its own connection writes.
    func visiting<Result>(
        _ descriptor: QuakeDescriptor, where predicate: ((Quake) throws -> Bool)? = nil, _ condition: PredicateSQL? = nil,
        _ body: (QuakeVisit) throws -> Result
    ) throws -> Result {
        try snapshot {
            visits += 1
            defer { visits -= 1 }
            return try body(QuakeVisit(descriptor, in: self, where: predicate, condition: condition))
        }
    }

    /// Calls `body` with each row. The statement is not shared: `body` may ask the same question again.
    func forEach(_ query: QuakeQuery, _ body: (Statement) throws -> Void) throws {
        try walk(query) { row in
            try body(row)
            return true
        }
    }

    /// Calls `body` with each row until it returns false.
    func walk(_ query: QuakeQuery, _ body: (Statement) throws -> Bool) throws {
        let statement = try database().prepare(query)
        while try statement.step(), try body(statement) {}
    }
}
