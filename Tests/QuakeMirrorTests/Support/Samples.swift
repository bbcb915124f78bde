import Foundation
import QuakeModel
import QuakeTestSupport

/// Documents of the tests' own making.
enum Document {
    /// A day's complete feed, generated at `minute`, that lists `quakes`.
    static func day(at minute: Int64, _ quakes: Quake...) -> Data {
        feed("all_day", at: minute, quakes)
    }

    /// The summary feed called `name`, generated at `minute`, that lists `quakes`.
    static func feed(_ name: String, at minute: Int64, _ quakes: [Quake]) -> Data {
        feed(name, at: minute, features: quakes.map { FeedText.feature($0) })
    }

    /// The summary feed called `name`, generated at `minute`, that holds `features` as they are and says that there are
    /// `count` of them.
    static func feed(_ name: String, at minute: Int64, features: [String], count: Int? = nil) -> Data {
        let address = "https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/\(name).geojson"
        return FeedText.document(address, generated: .minute(minute), features: features, count: count)
    }

    /// What the event service answers with: a bare Feature, its products included.
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
    /// So many minutes after the moment at which the tests' caches were last confirmed.
    static func minute(_ minutes: Int64) -> Timestamp {
        Timestamp(milliseconds: 1_773_489_600_000) + .seconds(minutes * 60)
    }
}

extension Quake {
    /// A quake of `net` and `code`, which happened half an hour before minute 0 unless said otherwise.
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
