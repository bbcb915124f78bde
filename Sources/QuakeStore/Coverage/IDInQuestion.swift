/// An id about which the event service must still be asked. Coverage does not include its quake.
///
/// Among the causes are a feature that could not be read, a quake that lost one of its ids to another event, and a
/// quake that is missing from a complete response of the service. The question is settled when an answer about the id
/// has been applied, or when a newer document lists a quake under this id.
package struct IDInQuestion: Hashable, Sendable, Codable {
    package var id: String
    /// A range that contains the quake's origin time, or the requested times if nothing more is known.
    package var originTimes: Range<Timestamp>
    /// The reason the id is in question, as text.
    package var reason: String
    /// The source time (``FeedRecord/sourceTime``) of the document that put the id in question. Older documents do not
    /// settle the question.
    package var raised: Timestamp
    /// The number of answers that settled nothing, such as "not found".
    package var unsettledAnswers = 0
    /// The time of the last answer that settled nothing, by this machine's clock.
    package var lastAnswer: Timestamp?

    package init(id: String, originTimes: Range<Timestamp>, reason: String, raised: Timestamp) {
        self.id = id
        self.originTimes = originTimes
        self.reason = reason
        self.raised = raised
    }

    /// The days to wait after the first, the second and every later answer that settled nothing.
    private static let waits: [Int64] = [1, 7, 30]

    /// Returns whether to ask the event service at `now`: immediately the first time; after answers that settled
    /// nothing, again after 1 day, then 7 days, then every 30 days.
    package func isDue(at now: Timestamp) -> Bool {
        guard let lastAnswer, unsettledAnswers > 0 else { return true }
        let days = Self.waits[min(unsettledAnswers, Self.waits.count) - 1]
        // If the clock was set back, the time since the last answer is unknown.
        return now - lastAnswer >= .seconds(days * 86_400) || now < lastAnswer
    }
}
