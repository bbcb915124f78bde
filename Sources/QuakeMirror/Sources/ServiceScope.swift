/// The sources for which the event service must confirm that missing quakes were deleted.
public enum ServiceScope: Hashable, Sendable {
    /// All sources, including files.
    case everything
    /// Downloads, but not files, which may describe the past.
    case downloads
    /// Downloads from USGS only, because a proxy, copy or test server may differ from what USGS publishes.
    case downloadsFromUSGS

    /// Returns whether the service must confirm that quakes missing from the document at `source` were deleted.
    func includes(_ source: FeedSource, at endpoint: FeedEndpoint) -> Bool {
        switch self {
        case .everything: true
        case .downloads: source.isRemote
        case .downloadsFromUSGS:
            source.isRemote
                && TransportRequest.host(of: source.shownURL(at: endpoint))
                    == TransportRequest.host(of: EventEndpoint().base)
        }
    }
}
