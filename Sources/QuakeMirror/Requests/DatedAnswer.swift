/// An answer about one quake, and its time by the server's clock.
package struct DatedAnswer<Document: Sendable>: Sendable {
    package let answer: EventAnswer<Document>
    /// The `Date` of the response; nil if it has none.
    package let date: Timestamp?
}
