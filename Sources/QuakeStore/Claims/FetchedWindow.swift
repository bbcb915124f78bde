package import QuakeModel

/// A window of a backfill whose quakes are in the cache, and which the service's count has not proved whole yet.
///
/// Need: a backfill of many windows goes on where it was interrupted. Hazard: the service counts a stretch once, so
/// that only the last window of it shows whether all came. Choice: until then the windows are noted apart from the
/// claims, and the next run does not ask for them again. Price: nothing is held before the stretch is whole.
package struct FetchedWindow: Hashable, Sendable {
    /// The origin times that were asked for.
    package var originTimes: Range<Timestamp>
    /// When the answer was made.
    package var asOf: Timestamp
    /// Features in the answer.
    package var features: Int

    /// A window.
    package init(originTimes: Range<Timestamp>, asOf: Timestamp, features: Int) {
        self.originTimes = originTimes
        self.asOf = asOf
        self.features = features
    }
}

extension StoreSources {
    /// The windows that were fetched by asking `question`, the earliest origin times first.
    package func fetchedWindows(of question: String) throws -> [FetchedWindow] {
        try context.database().all(
            "SELECT since, until, as_of, features FROM windows WHERE question = ? ORDER BY since", question
        ) { row in
            let since = Timestamp(milliseconds: row.integer(0))
            return FetchedWindow(
                originTimes: since..<max(since, Timestamp(milliseconds: row.integer(1))),
                asOf: Timestamp(milliseconds: row.integer(2)), features: Int(row.integer(3)))
        }
    }

    /// The questions of backfills that were interrupted before what they fetched was proven whole, each with the origin
    /// times from the earliest to the latest that were fetched.
    package func interruptedQuestions() throws -> [(question: String, originTimes: Range<Timestamp>)] {
        try context.database().all(
            "SELECT question, min(since), max(until) FROM windows GROUP BY question ORDER BY question"
        ) { row in
            let since = Timestamp(milliseconds: row.integer(1))
            return (row.text(0), since..<max(since, Timestamp(milliseconds: row.integer(2))))
        }
    }
}

extension QuakeWriter {
    /// Notes that `window` was fetched by asking `question`.
    package func note(_ window: FetchedWindow, of question: String) throws {
        try writing {
            try database.run(
                CheckedTable.windows.insertion("OR REPLACE"), question, window.originTimes.lowerBound.milliseconds,
                window.originTimes.upperBound.milliseconds,
                window.asOf.milliseconds, window.features)
        }
    }

    /// Forgets the windows of `question` within these origin times: they are claimed now, or asked for again.
    package func forgetWindows(of question: String, in originTimes: Range<Timestamp>) throws {
        try writing {
            try database.run(
                "DELETE FROM windows WHERE question = ? AND since >= ? AND until <= ?", question,
                originTimes.lowerBound.milliseconds, originTimes.upperBound.milliseconds)
        }
    }
}
