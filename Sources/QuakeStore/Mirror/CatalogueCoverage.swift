public import QuakeModel

/// The parts of the catalogue that a cache holds, disjoint in time where their filters are equal.
///
/// Need: an interrupted backfill goes on where it stopped, and a wider one asks only for what is missing. Hazard: each
/// of hundreds of windows has its own moment of truth. Choice: neighbours with one filter become one part, with the
/// earlier of both moments, if these lie within a day. Price: an update asks again for the changes of that day.
struct CatalogueCoverage: Equatable {
    private(set) var parts: [CataloguePart]

    init(_ parts: [CataloguePart] = []) {
        self.parts = parts
    }

    /// Adds a part that was asked for. What it includes of other parts is replaced by it.
    mutating func add(_ part: CataloguePart) {
        var added = part
        var others: [CataloguePart] = []
        for other in parts {
            guard part.filter.includes(other.filter), other.originTimes.overlaps(part.originTimes) else {
                others.append(other)
                continue
            }
            var rest = other.outside(part.originTimes)
            if other.isOpenEnded, rest.last?.isOpenEnded != true {
                // The part that goes on after the end is the added one, unless that accepts more than was asked for.
                if rest.isEmpty || other.filter == part.filter {
                    added.isOpenEnded = true
                } else {
                    rest[rest.count - 1].isOpenEnded = true
                }
            }
            others += rest
        }
        parts = others + [added]
        unite()
    }

    /// Forgets, in these origin times, the parts whose conditions `filter` includes, and returns what was forgotten.
    mutating func forget(_ filter: QuakeFilter, in originTimes: Range<Timestamp>) -> [CataloguePart] {
        var forgotten: [CataloguePart] = []
        parts = parts.flatMap { part -> [CataloguePart] in
            guard filter.includes(part.filter) else { return [part] }
            guard part.originTimes.overlaps(originTimes) else {
                var part = part
                // What would extend it is forgotten.
                if originTimes.contains(part.originTimes.upperBound) { part.isOpenEnded = false }
                return [part]
            }
            forgotten.append(part.inside(originTimes))
            return part.outside(originTimes)
        }
        return forgotten
    }

    /// Notes that the cache has every change of these origin times that was published before `moment`, whatever the
    /// filter.
    mutating func advance(_ originTimes: Range<Timestamp>, to moment: Timestamp) {
        parts = parts.flatMap { part -> [CataloguePart] in
            guard part.originTimes.overlaps(originTimes), part.asOf < moment else { return [part] }
            var inside = part.inside(originTimes)
            inside.asOf = moment
            return part.outside(originTimes) + [inside]
        }
        unite()
    }

    private static let sameMoment = Duration.seconds(86_400)

    private mutating func unite() {
        parts.sort { ($0.originTimes.lowerBound, $0.asOf) < ($1.originTimes.lowerBound, $1.asOf) }
        var united: [CataloguePart] = []
        for part in parts {
            let neighbour = united.firstIndex { earlier in
                earlier.filter == part.filter && earlier.originTimes.upperBound == part.originTimes.lowerBound
                    && max(earlier.asOf, part.asOf) - min(earlier.asOf, part.asOf) <= Self.sameMoment
            }
            guard let neighbour else {
                united.append(part)
                continue
            }
            let start = united[neighbour].originTimes.lowerBound
            united[neighbour].originTimes = start..<part.originTimes.upperBound
            united[neighbour].asOf = min(united[neighbour].asOf, part.asOf)
            united[neighbour].isOpenEnded = united[neighbour].isOpenEnded || part.isOpenEnded
        }
        parts = united
    }
}

extension CataloguePart {
    /// What of the part lies in `originTimes`, which it overlaps. Only what reaches its end may have none.
    fileprivate func inside(_ originTimes: Range<Timestamp>) -> CataloguePart {
        var inside = self
        inside.originTimes = self.originTimes.clamped(to: originTimes)
        inside.isOpenEnded = isOpenEnded && inside.originTimes.upperBound == self.originTimes.upperBound
        return inside
    }

    /// What remains of the part without `originTimes`, which it overlaps: nothing, one part or two.
    fileprivate func outside(_ originTimes: Range<Timestamp>) -> [CataloguePart] {
        var rest: [CataloguePart] = []
        if self.originTimes.lowerBound < originTimes.lowerBound {
            var before = self
            before.originTimes = self.originTimes.lowerBound..<min(self.originTimes.upperBound, originTimes.lowerBound)
            before.isOpenEnded = false
            rest.append(before)
        }
        if originTimes.upperBound < self.originTimes.upperBound {
            var after = self
            after.originTimes = max(originTimes.upperBound, self.originTimes.lowerBound)..<self.originTimes.upperBound
            rest.append(after)
        }
        return rest
    }
}

extension QuakeContext {
    /// The parts of the catalogue that the cache holds, the earliest origin times first.
    ///
    /// - Throws: ``StoreError`` when the cache cannot be read.
    public func catalogueParts() throws -> [CataloguePart] {
        try CatalogueCoverage(in: database()).parts
    }

    /// Forgets which parts of the catalogue the cache holds: those whose conditions `filter` includes, in its times. No
    /// update asks for them any more; their quakes stay.
    ///
    /// - Returns: what was forgotten.
    /// - Throws: ``StoreError`` when the cache cannot be written.
    @discardableResult
    public func forgetCatalogue(_ filter: QuakeFilter = QuakeFilter()) throws -> [CataloguePart] {
        try inTransaction(.writing) {
            var coverage = try CatalogueCoverage(in: database())
            let (first, last) = (filter.since ?? Timestamp.representable.lowerBound, filter.until)
            let forgotten = coverage.forget(
                filter.withoutTimes, in: first..<max(first, last ?? Timestamp.representable.upperBound))
            try coverage.write(to: database())
            return forgotten
        }
    }
}

extension QuakeWriter {
    /// Notes that the cache holds `part`, as far as the service had published it at ``CataloguePart/asOf``.
    package func cover(_ part: CataloguePart) throws {
        try changeCatalogue { $0.add(part) }
    }

    /// Notes that the changes of these origin times which were published before `moment` are in the cache.
    package func advanceCatalogue(_ originTimes: Range<Timestamp>, to moment: Timestamp) throws {
        try changeCatalogue { $0.advance(originTimes, to: moment) }
    }

    private func changeCatalogue(_ change: (inout CatalogueCoverage) -> Void) throws {
        try writing {
            var coverage = try CatalogueCoverage(in: database)
            let before = coverage
            change(&coverage)
            if coverage != before { try coverage.write(to: database) }
        }
    }
}

extension CatalogueCoverage {
    private static let columns = """
        since, until, as_of, open_ended, min_mag, max_mag, min_depth, max_depth, west, south, east, north, lat, lon,
        radius, types
        """

    fileprivate init(in database: Database) throws {
        let rows = try database.all("SELECT \(Self.columns) FROM catalogue ORDER BY since, as_of") { row in
            try CataloguePart(row: row)
        }
        self.init(rows)
    }

    fileprivate func write(to database: Database) throws {
        try database.run("DELETE FROM catalogue")
        let statement = try database.cached(CheckedTable.catalogue.insertion())
        for part in parts {
            let (filter, box, circle) = (part.filter, part.filter.boundingBox, part.filter.circle)
            try statement.bindAll(
                part.originTimes.lowerBound.milliseconds, part.originTimes.upperBound.milliseconds,
                part.asOf.milliseconds, part.isOpenEnded ? 1 : 0, filter.minimumMagnitude, filter.maximumMagnitude,
                filter.minimumDepthKilometers, filter.maximumDepthKilometers, box?.west, box?.south, box?.east,
                box?.north, circle?.center.latitude, circle?.center.longitude, circle?.radiusKilometers,
                filter.eventTypes.sorted().joined(separator: ","))
            try statement.run()
        }
    }
}

extension CataloguePart {
    fileprivate init(row: Statement) throws {
        var filter = QuakeFilter(
            minimumMagnitude: row.realOrNil(4), maximumMagnitude: row.realOrNil(5),
            minimumDepthKilometers: row.realOrNil(6), maximumDepthKilometers: row.realOrNil(7),
            eventTypes: Set(row.text(15).split(separator: ",").map(String.init)))
        if let west = row.realOrNil(8) {
            filter.boundingBox = try BoundingBox(
                west: west, south: row.real(9), east: row.real(10), north: row.real(11))
        }
        if let latitude = row.realOrNil(12) {
            filter.circle = QuakeFilter.Circle(
                center: GeographicPoint(latitude: latitude, longitude: row.real(13)), radiusKilometers: row.real(14))
        }
        let (since, until) = (Timestamp(milliseconds: row.integer(0)), Timestamp(milliseconds: row.integer(1)))
        self.init(
            filter: filter, originTimes: since..<max(since, until), asOf: Timestamp(milliseconds: row.integer(2)),
            isOpenEnded: row.integer(3) != 0)
    }
}
