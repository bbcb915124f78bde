/// The reason a token is unusable.
public enum TokenFault: String, CaseIterable, Codable, Sendable, Hashable {
    /// The reader has no token yet.
    case missing
    /// The history after the token was trimmed.
    case expired
    /// The token belongs to another cache.
    case foreign
    /// The token is newer than this cache, which may be a restored backup or an older copy.
    case future
    /// This cache and the cache that issued the token are copies that have diverged.
    case forked
}

extension TokenFault {
    /// The fault as a clause that can end a sentence.
    package var words: String {
        switch self {
        case .missing: "none was given"
        case .expired: "the history after it has been purged"
        case .foreign: "it belongs to another cache"
        case .future: "it is newer than this cache, which may be a restored backup or an older copy"
        case .forked:
            "it does not match the history of this cache: it is mistyped, from another copy of the cache, or from "
                + "before a restore"
        }
    }
}
