/// What the cache did with a response about a quake's solutions.
package enum DetailReception: Sendable {
    case stored
    case quakeIsGone
    /// The response is older than the one that the cache has, and changes nothing.
    case isOlder
}
