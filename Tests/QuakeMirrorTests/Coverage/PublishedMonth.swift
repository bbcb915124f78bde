import QuakeModel
import QuakeTestSupport

/// What USGS publishes in a month and the month before it, at every moment.
struct PublishedMonth: Sendable {
    static let start = Timestamp.sample
    static let end = start + .seconds(31 * day)
    static let day = 86_400
    private static let quakesPerDay = Thoroughness.count(60, of: 150)

    /// One state of an event.
    struct Version: Sendable {
        var since: Timestamp
        var quake: Quake
        var feature: String
        /// Whether feeds list the event.
        var isListed: Bool
        /// Whether the service knows the event, deleted or not, rather than having merged it into another.
        var isKnown = true
    }

    /// A deletion in the month, right or by mistake.
    struct Retraction: Sendable {
        var number: Int
        var age: Duration
        var moment: Timestamp
        /// The moment of the return of an event that was deleted by mistake.
        var restored: Timestamp?
    }

    /// The events by origin time, each with its versions by time.
    private(set) var events: [(number: Int, versions: [Version])] = []
    private(set) var retractions: [Retraction] = []
    /// The number of the event, now or before, that each id is the preferred id of.
    private(set) var numbers: [String: Int] = [:]
    private var places: [Int: Int] = [:]
    private let deletedForm: EventCatalog.DeletedForm

    init(seed: Int) {
        var random = SplitMix64(state: UInt64(seed) &* 104_729 &+ 7)
        var plan = MonthPlan(quakes: Self.quakes(&random))
        retractions = plan.drawAll(&random)
        deletedForm = EventCatalog.DeletedForm.allCases[seed % 3]
        var catalog = EventCatalog(now: Self.start)
        for step in plan.steps.sorted(by: { ($0.moment, $0.number) < ($1.moment, $1.number) }) {
            catalog.now = step.moment
            perform(step, in: &catalog)
        }
        events.sort { ($0.versions[0].quake.originTime, $0.number) < ($1.versions[0].quake.originTime, $1.number) }
        places = Dictionary(uniqueKeysWithValues: events.indices.map { (events[$0].number, $0) })
    }

    private static func quakes(_ random: inout SplitMix64) -> [Quake] {
        var catalog = EventCatalog(now: end)
        let first = start - .seconds(31 * day)
        catalog.insertInvented(62 * quakesPerDay, in: first...end, seed: random.next())
        return catalog.quakes
    }

    /// Performs a step in the catalog, and records the new versions of the events.
    private mutating func perform(_ step: MonthPlan.Step, in catalog: inout EventCatalog) {
        guard case .insert(let quake) = step.act else { return performLater(step, in: &catalog) }
        catalog.insert(quake)
        places[step.number] = events.count
        events.append((step.number, []))
        record(step.number, quake.id, catalog)
    }

    private mutating func performLater(_ step: MonthPlan.Step, in catalog: inout EventCatalog) {
        // An event that ended in a merge has no other versions.
        guard let last = last(step.number), last.isKnown else { return }
        var id = last.quake.id
        switch step.act {
        case .insert: return
        case .revise(let magnitude):
            catalog.revise(id) { quake in
                quake.magnitude = magnitude
                quake.status = "reviewed"
            }
        case .rename(let net, let code):
            guard !last.quake.sources.members.contains(net) || net == last.quake.net else { return }
            catalog.rename(id, to: net, code)
            id = net + code
        case .merge(let other):
            guard let gone = self.last(other), gone.isListed, last.isListed else { return }
            catalog.merge(gone.quake.id, into: id)
            let end = Version(
                since: step.moment, quake: gone.quake, feature: "", isListed: false, isKnown: false)
            places[other].map { events[$0].versions.append(end) }
        case .delete: catalog.delete(id)
        case .restore: catalog.restore(id)
        }
        record(step.number, id, catalog, isListed: step.act != .delete && (last.isListed || step.act == .restore))
    }

    private func last(_ number: Int) -> Version? { places[number].flatMap { events[$0].versions.last } }

    private mutating func record(_ number: Int, _ id: String, _ catalog: EventCatalog, isListed: Bool = true) {
        guard let quake = catalog.quake(id), let feature = catalog.feature(ofID: id), let place = places[number] else {
            return
        }
        numbers[id] = number
        events[place].versions.append(
            Version(since: catalog.now, quake: quake, feature: feature, isListed: isListed))
    }

    // MARK: Reading

    /// Returns the versions of the events of `originTimes` at `moment`.
    func versions(of originTimes: ClosedRange<Timestamp>, at moment: Timestamp) -> [Version] {
        var (low, high) = (0, events.count)
        while low < high {
            let middle = (low + high) / 2
            if events[middle].versions[0].quake.originTime < originTimes.lowerBound {
                low = middle + 1
            } else {
                high = middle
            }
        }
        var found: [Version] = []
        for place in low..<events.count {
            guard events[place].versions[0].quake.originTime <= originTimes.upperBound else { break }
            if let version = version(at: place, moment) { found.append(version) }
        }
        return found
    }

    /// Returns the catalog at `moment`: its deleted events, or those with the id `id`, or all.
    func catalog(at moment: Timestamp, id: String? = nil, isDeleted: Bool = false) -> EventCatalog {
        var catalog = EventCatalog()
        catalog.deletedForm = deletedForm
        for place in events.indices {
            guard let version = version(at: place, moment), version.isKnown, !isDeleted || !version.isListed,
                id.map(version.quake.hasID) ?? true
            else { continue }
            catalog.insert(version.quake, updated: version.quake.updated)
            guard !version.isListed else { continue }
            // A deleted event was last updated when it was deleted.
            catalog.now = version.quake.updated
            catalog.delete(version.quake.id)
        }
        catalog.now = moment
        return catalog
    }

    /// Whether the event with this number existed at every moment of `times`.
    func isLiving(_ number: Int, in times: ClosedRange<Timestamp>) -> Bool {
        guard let place = places[number] else { return false }
        let versions = events[place].versions
        let first = versions.last { $0.since <= times.lowerBound } ?? versions[0]
        return versions.allSatisfy { version in
            version.isListed || version.since > times.upperBound
                || version.since < times.lowerBound && version.since != first.since
        }
    }

    private func version(at place: Int, _ moment: Timestamp) -> Version? {
        events[place].versions.last { $0.since <= moment }
    }
}
