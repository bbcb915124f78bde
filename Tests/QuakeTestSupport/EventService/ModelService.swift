import Foundation
import QuakeModel

/// The event service and the feeds over one catalog, without a network: returns the response for an address.
public struct ModelService: Sendable {
    private var service: EventService

    public init(_ catalog: EventCatalog) {
        service = EventService(catalog: catalog)
    }

    public var catalog: EventCatalog {
        get { service.catalog }
        set { service.catalog = newValue }
    }

    /// How the service responds.
    public var settings: EventServiceSettings {
        get { service.settings }
        set { service.settings = newValue }
    }

    /// Returns the response for `address`, dated by the catalog's clock: a query, a count, or a summary feed.
    public mutating func answer(to address: String) -> ServedAnswer {
        var answer = undatedAnswer(to: address)
        answer.headers["Date"] = catalog.now.httpDate
        return answer
    }

    private mutating func undatedAnswer(to address: String) -> ServedAnswer {
        let sides = address.split(separator: "?", maxSplits: 1)
        let method = sides[0].split(separator: "/").last.map(String.init) ?? ""
        let parameters = (sides.count > 1 ? sides[1] : "").split(separator: "&").map { item in
            let sides = item.split(separator: "=", maxSplits: 1)
            return (name: String(sides[0]), value: String(sides[1]).removingPercentEncoding ?? "")
        }
        guard method.hasSuffix(".geojson"), let feed = FeedName(String(method.dropLast(8))) else {
            return service.answer(method, parameters, target: address).answer
        }
        // A feed lists the same as a query for its window, under its own address.
        var window = [
            (name: "format", value: "geojson"), (name: "endtime", value: catalog.now.iso8601),
            (name: "starttime", value: (catalog.now - feed.period.window).iso8601),
        ]
        if let minimum = feed.band.conditions?.minimumMagnitude { window.append(("minmagnitude", "\(minimum)")) }
        let target = "/earthquakes/feed/v1.0/summary/\(method)"
        // Nobody could detect that a feed is truncated if it covered ranges to be complete.
        let kept = settings
        (settings.answersNothingWith204, settings.cutsAt, settings.maximumRows) = (false, nil, 20_000)
        settings.leastSignificance = feed.band == .significant ? 600 : nil
        defer { settings = kept }
        let answer = service.answer("query", window, target: target).answer
        // A result of only deleted events is rejected for a query, but is an empty feed.
        guard answer.status == 409 else { return answer }
        let metadata =
            #"{"generated":\#(catalog.now.milliseconds / 1000 * 1000),"url":"https://earthquake.usgs.gov\#(target)","count":0}"#
        return .document(#"{"type":"FeatureCollection","metadata":\#(metadata),"features":[]}"#)
    }
}
