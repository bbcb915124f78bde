/// The changes omitted because of ``HistoryDescriptor/maximumOriginAge``.
package struct SkippedChanges: Hashable, Sendable {
    package private(set) var count = 0
    /// The skipped quake with the largest magnitude, with all its properties; the first if several are equal.
    package private(set) var largest: Quake?

    package init() {}

    init(count: Int, largest: Quake?) {
        self.count = count
        self.largest = largest
    }

    /// Counts a change that resulted in `quake`.
    package mutating func add(_ quake: Quake) {
        count += 1
        if largest.map({ $0.magnitude ?? -.infinity < quake.magnitude ?? -.infinity }) ?? true { largest = quake }
    }

    /// Adds `others`, which come after these changes in the history.
    package mutating func add(_ others: SkippedChanges) {
        guard let largest = others.largest else { return }
        add(largest)
        count += others.count - 1
    }
}
