/// What came of a conditional GET.
public enum FetchOutcome: Sendable {
    /// 304: the body is the one that was fetched before.
    case notModified(CacheValidators)
    /// 204: the event service found nothing.
    case noContent
    /// 200: a body, the address it came from after redirects, and what to recognise it by.
    case body(FeedDocument, url: String, validators: CacheValidators)
}
