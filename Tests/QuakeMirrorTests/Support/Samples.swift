import Foundation
import QuakeModel
import QuakeTestSupport

/// Documents created by the tests.
enum Document {
    /// A day's complete feed, generated at `minute`, that lists `quakes`.
    static func day(at minute: Int64, _ quakes: Quake...) -> Data { feed("all_day", at: minute, quakes) }

    /// The summary feed called `name`, generated at `minute`, that lists `quakes`.
    static func feed(_ name: String, at minute: Int64, _ quakes: [Quake]) -> Data {
        feed(name, at: minute, features: quakes.map { FeedText.feature($0) })
    }

    /// The summary feed called `name`, generated at `minute`, that contains `features` unchanged and gives their number
    /// as `count`.
    static func feed(_ name: String, at minute: Int64, features: [String], count: Int? = nil) -> Data {
        let address = "https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/\(name).geojson"
        return FeedText.document(address, generated: .minute(minute), features: features, count: count)
    }

    /// A response of the event service: a bare Feature, including its products.
    static func event(_ quake: Quake) -> Data {
        Data(FeedText.feature(quake, products: #","products":{"origin":[{"code":"x"}]}"#).utf8)
    }

    /// A deleted event that lists `id`, as the event service publishes it: mostly nulls.
    static func deletedEvent(_ id: String) -> String {
        """
        {"type":"Feature","properties":{"mag":null,"place":null,"time":null,"status":"deleted",\
        "ids":",ci777,\(id),"},"geometry":null,"id":"ci777"}
        """
    }
}

extension Timestamp {
    /// The moment this many minutes after the tests' caches were last confirmed.
    static func minute(_ minutes: Int64) -> Timestamp {
        Timestamp(milliseconds: 1_773_489_600_000) + .seconds(minutes * 60)
    }

    /// The moment this many days before minute 0.
    static func daysAgo(_ days: Int64) -> Timestamp { .minute(-days * 1_440) }
}

extension Quake {
    /// A quake of `net` and `code`, by default half an hour before minute 0.
    static func sample(
        _ net: String, _ code: String, ids: [String] = [], magnitude: Double = 2, place: String? = nil,
        updated: Timestamp = .minute(-20),
        time: Timestamp = .minute(-30)
    ) -> Quake {
        var quake = Quake(
            net: net, code: code, originTime: time, updated: updated,
            hypocenter: Hypocenter(longitude: -120, latitude: 37, depthKilometers: 5))
        quake.magnitude = magnitude
        quake.place = place
        if !ids.isEmpty { quake.ids = PublishedSet(members: ids) }
        return quake
    }
}
