/// An answer about one quake, and its time by the server's clock.
package struct DatedAnswer<Document: Sendable>: Sendable {
    package let answer: EventAnswer<Document>
    /// Nil if the response contains no `Date`.
    package let date: Timestamp?
}
