public import Foundation
public import QuakeModel

/// The catalog behind an ``EventServiceServer``, which a faithful copy must equal at any moment.
///
/// Every change sets the `updated` of its event to ``now``, the catalog's own clock.
public struct EventCatalog: Sendable {
    /// The form in which the service publishes a deleted event.
    public enum DeletedForm: Sendable, CaseIterable {
        /// Its last time, place and magnitude, with null for all else.
        case lastKnown
        /// No time or magnitude, and the coordinates 0, 0, as the service responded until 2020.
        case withoutDetails
        /// Every property as it was.
        case complete
    }

    struct Event: Sendable {
        /// Its true identity, which outlasts every change of its ids.
        let number: Int
        /// The preferred ids that the event had before.
        var formerIDs: [String] = []
        var quake: Quake
        var isDeleted = false
        /// Whether it is published with an impossible magnitude.
        var isGarbled = false
        /// The published form, cached until the event changes.
        var feature: [UInt8]?
    }

    /// The service's clock.
    public var now: Timestamp
    /// The form in which deleted events are published.
    public var deletedForm = DeletedForm.lastKnown {
        didSet { for index in events.indices where events[index].isDeleted { events[index].feature = nil } }
    }
    /// Unusual responses about single quakes with all their versions, by id.
    public var details: [String: Data] = [:]
    var events: [Event] = []
    /// The number of events ever inserted.
    private(set) var insertedCount = 0
    /// The event that each id leads to.
    var places: [String: Int] = [:]
    /// The events that ended in merges, as they were before.
    var ended: [EndedEvent] = []
    /// The quakes that were split off without a new `updated`, and the quakes that kept theirs, by preferred ids.
    public internal(set) var silentSplits: [String: String] = [:]

    /// Creates an empty catalog whose clock shows `now`.
    public init(now: Timestamp = .sample) {
        self.now = now
    }

    /// The existing quakes, by origin time and id.
    public var quakes: [Quake] {
        events.filter { !$0.isDeleted }.map(\.quake).sorted { ($0.originTime, $0.id) < ($1.originTime, $1.id) }
    }

    /// Returns the existing quakes that match `parameters`, such as `["minmagnitude": "4.5"]`, by origin time and id.
    public func quakes(matching parameters: [String: String]) throws -> [Quake] {
        let all = parameters.map { (name: $0.key, value: $0.value) } + [("format", "geojson")]
        let query = try EventQuery(all)
        return quakes.filter { query.accepts($0) }
    }

    /// The preferred ids of the deleted events.
    public var deletedIDs: Set<String> { Set(events.filter(\.isDeleted).map(\.quake.id)) }

    /// Returns the quake that `id` leads to, deleted or not.
    public func quake(_ id: String) -> Quake? { places[id].map { events[$0].quake } }

    /// Adds `quake`. By default, its `updated` becomes the current time.
    public mutating func insert(_ quake: Quake, updated: Timestamp? = nil) {
        insert(quake, updated: updated ?? now, number: insertedCount)
        insertedCount += 1
    }

    mutating func insert(_ quake: Quake, updated: Timestamp, number: Int) {
        var quake = quake
        quake.updated = updated
        // A quake's own id leads to it, even if others list that id.
        for id in quake.aliases where id == quake.id || places[id] == nil { places[id] = events.count }
        events.append(Event(number: number, quake: quake))
    }

    /// Changes the quake with the id `id`, such as its magnitude, place, hypocenter or origin time. A change in origin
    /// time may move it to another window, and one in magnitude out of a filter.
    public mutating func revise(_ id: String, _ change: (inout Quake) -> Void) { touch(id) { change(&$0.quake) } }

    /// Changes values of the quake, but not its `updated`.
    public mutating func amend(_ id: String, _ change: (inout Quake) -> Void) { alter(id) { change(&$0.quake) } }

    /// Makes the published quake unreadable, or readable again, without changing its `updated`.
    public mutating func garble(_ id: String, _ isGarbled: Bool = true) {
        guard let index = places[id] else { return }
        (events[index].isGarbled, events[index].feature) = (isGarbled, nil)
    }

    /// Deletes the quake. Its `updated` becomes the moment of the deletion.
    public mutating func delete(_ id: String) { touch(id) { $0.isDeleted = true } }

    /// Restores a deleted quake.
    public mutating func restore(_ id: String) { touch(id) { $0.isDeleted = false } }

    mutating func touch(_ id: String, _ change: (inout Event) -> Void) {
        let now = now
        alter(id) { event in
            change(&event)
            event.quake.updated = now
        }
    }

    /// Changes an event, whose `updated` stands still.
    mutating func alter(_ id: String, _ change: (inout Event) -> Void) {
        guard let index = places[id] else { return }
        change(&events[index])
        events[index].feature = nil
    }
}

extension EventCatalog {
    /// Returns the events that a response lists, as indices into ``events``.
    func rows(of query: EventQuery) -> [Int] {
        var query = query
        if query.start == nil { query.start = now - .seconds(30 * 86_400) }
        let rows = events.indices.filter { index in
            let event = events[index]
            if event.isDeleted {
                // The type of an event without details is unknown, so no type matches.
                guard query.includesDeleted, deletedForm != .withoutDetails || query.types == nil else { return false }
            } else if query.deleted == .only {
                return false
            }
            return event.quake.updated >= query.updatedAfter ?? event.quake.updated && query.accepts(event.quake)
        }
        return rows.sorted { (events[$0].quake.originTime, $0) < (events[$1].quake.originTime, $1) }
    }

    /// Returns the index of the event that `id` leads to.
    func place(ofID id: String) -> Int? { places[id.lowercased()] ?? places[id] }
}
