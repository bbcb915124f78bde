import QuakeTestSupport

@testable import QuakeMirror

/// The cache of a situation, such as `us1(seen=12:00) at9>us1 -ci3(gone=12:00) absent(us1 x5 11:00..12:00)`.
///
/// The quakes, even deleted ones, have the keys 1, 2, 3, … in this order.
struct NotedCache {
    private(set) var contents = CacheInMemory()
    private(set) var unconfirmedChanges: [UnconfirmedChange] = []
    /// The origin times of all quakes, even of deleted ones.
    private(set) var originTimes: [QuakeKey: Timestamp] = [:]
    private var quakes: [Quake] = []

    init(_ text: Substring) throws {
        for word in Word.words(of: text) {
            let link = word.name.split(separator: ">")
            if let kind = UnconfirmedChange.Kind(rawValue: word.name) {
                try note(kind, word.arguments)
            } else if word.name == "unsettled" {
                contents.unsettledIDs.formUnion(word.arguments.map { $0.lowercased() })
            } else if link.count == 2 {
                contents.aliases[String(link[0])] = contents.aliases[String(link[1])]
            } else if word.name.hasPrefix("-") {
                try delete(word)
            } else {
                for name in word.name[...].expanded { try add(name, word) }
            }
        }
    }

    /// Returns the values of the quake, cached or deleted, whose preferred id is `id`.
    func quake(withID id: Substring) -> Quake? { quakes.first { $0.id.isSameID(as: String(id)) } }

    private mutating func register(_ quake: Quake) -> QuakeKey {
        quakes.append(quake)
        let key = QuakeKey(Int64(quakes.count))
        originTimes[key] = quake.originTime
        return key
    }

    private mutating func lead(_ quake: Quake, to target: AliasTarget) {
        for id in quake.aliases where contents.aliases[id.lowercased()] == nil {
            contents.aliases[id.lowercased()] = target
        }
    }

    private mutating func add(_ name: String, _ word: Word) throws {
        let quake = try Quake(name, word.arguments)
        let key = register(quake)
        let seen = try word.time(of: "seen=") ?? .minute(0)
        contents.quakes[key] = KnownQuake(
            stored: StoredQuake(key: key, quake: quake), rowSource: RowSource(hash: 1, sourceTime: seen.milliseconds))
        contents.confirmedByOthers[key] = try word.time(of: "other=")
        lead(quake, to: .live(key: key))
    }

    private mutating func delete(_ word: Word) throws {
        let quake = try Quake(word.name.dropFirst(), word.arguments)
        let key = register(quake)
        let gone = try word.time(of: "gone=") ?? .minute(0)
        if !word.arguments.contains("forgotten") { contents.tombstones[key] = quake }
        lead(quake, to: .departed(key: key, sourceTime: gone.milliseconds))
    }

    /// Adds an unconfirmed change such as `place(us1 Elk x5 11:00..12:00)`.
    private mutating func note(_ kind: UnconfirmedChange.Kind, _ arguments: [Substring]) throws {
        var rest = arguments
        let awaitsService = rest.last == "awaiting"
        if awaitsService { rest.removeLast() }
        guard rest.count >= 3, let last = rest.popLast(), let count = rest.popLast(), count.hasPrefix("x") else {
            throw NotationError(text: arguments.joined(separator: " "))
        }
        let times = try Timestamp.clocks(last)
        for id in rest[0].expanded {
            guard case .live(let key)? = contents.target(ofID: id) else { throw NotationError(text: id) }
            var change = UnconfirmedChange(quakeKey: key, kind: kind, sourceTime: times.first)
            change.last = times.last
            change.snapshots = Int(count.dropFirst()) ?? 0
            change.awaitsService = awaitsService
            if kind == .backward { change.updated = try rest.last.map { try Timestamp(clock: $0) } }
            if kind == .place, let name = rest.last, name != "none" { change.place = String(name) }
            unconfirmedChanges.append(change)
        }
    }
}
