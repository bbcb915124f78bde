import Foundation
import QuakeModel

/// The event service's documents, byte for byte in its form: one feature per line, every property in order.
extension EventCatalog {
    /// Returns the FeatureCollection of the events at `places`, and caches their features for the next response.
    mutating func collection(of places: [Int], target: String, count: Int) -> Data {
        let metadata =
            #"{"generated":\#(generated),"url":\#(json("https://earthquake.usgs.gov" + target)),"#
            + #""title":"USGS Earthquakes","status":200,"api":"\#(Self.apiVersion)","count":\#(count)}"#
        var body = Data(#"{"type":"FeatureCollection","metadata":\#(metadata),"features":["#.utf8)
        for (position, place) in places.enumerated() {
            if position > 0 { body.append(contentsOf: ",\n".utf8) }
            body.append(contentsOf: feature(at: place))
        }
        body.append(contentsOf: "]}".utf8)
        return body
    }

    /// Returns the bare feature of the event at `place`, with the products that only this response includes.
    func detail(at place: Int) -> Data {
        Data(published(events[place], more: #","products":{"origin":[{"code":"x","status":"UPDATE"}]}"#).utf8)
    }

    /// Returns the bare feature of the event at `place`, with every version of its products: an automatic origin ten
    /// minutes after the quake, 0.3 larger, and the current one.
    func detailOfTwoSolutions(at place: Int) -> Data {
        let quake = events[place].quake
        func origin(_ moment: Timestamp, _ magnitude: Double?, _ status: String) -> String {
            """
            {"source":\(json(quake.net)),"code":\(json(quake.id)),"type":"origin","status":"UPDATE",\
            "updateTime":\(moment.milliseconds),"preferredWeight":8,"properties":{\
            "latitude":"\(quake.hypocenter.latitude)","longitude":"\(quake.hypocenter.longitude)",\
            "magnitude":"\(magnitude.map { "\($0)" } ?? "")","review-status":"\(status)",\
            "eventtime":"\(quake.originTime.iso8601)"}}
            """
        }
        let first = origin(quake.originTime + .seconds(600), quake.magnitude.map { $0 + 0.3 }, "automatic")
        let last = origin(max(quake.updated, quake.originTime + .seconds(601)), quake.magnitude, "reviewed")
        return Data(published(events[place], more: #","products":{"origin":[\#(last),\#(first)]}"#).utf8)
    }

    /// Returns the feature of the event, deleted or not, that `id` leads to.
    public func feature(ofID id: String) -> String? { place(ofID: id).map { published(events[$0]) } }

    static let apiVersion = "2.7.0"

    /// In whole seconds.
    private var generated: Int64 { now.milliseconds / 1000 * 1000 }

    private mutating func feature(at place: Int) -> [UInt8] {
        if let feature = events[place].feature { return feature }
        let feature = Array(published(events[place]).utf8)
        events[place].feature = feature
        return feature
    }

    private func published(_ event: Event, more: String = "") -> String {
        var quake = event.quake
        var time: Int? = Int(quake.originTime.milliseconds)
        if event.isDeleted {
            quake.status = "deleted"
            if deletedForm != .complete { quake.dropDetails() }
            if deletedForm == .withoutDetails {
                (time, quake.magnitude) = (nil, nil)
                quake.hypocenter = Hypocenter(longitude: 0, latitude: 0, depthKilometers: nil)
            }
        }
        let (id, hypocenter) = (quake.id, quake.hypocenter)
        return """
            {"type":"Feature","properties":{"mag":\(event.isGarbled ? "99" : json(quake.magnitude)),\
            "place":\(json(quake.place)),\
            "time":\(json(time)),"updated":\(quake.updated.milliseconds),"tz":\(json(quake.timeZoneMinutes)),\
            "url":"https://earthquake.usgs.gov/earthquakes/eventpage/\(id)",\
            "detail":"https://earthquake.usgs.gov/fdsnws/event/1/query?eventid=\(id)&format=geojson",\
            "felt":\(json(quake.feltReports)),"cdi":\(json(quake.communityIntensity)),\
            "mmi":\(json(quake.instrumentalIntensity)),"alert":\(json(quake.alert)),"status":\(json(quake.status)),\
            "tsunami":\(json(quake.tsunamiFlag)),"sig":\(json(quake.significance)),"net":\(json(quake.net)),\
            "code":\(json(quake.code)),"ids":\(json(quake.ids.text)),"sources":\(json(quake.sources.text)),\
            "types":\(json(quake.productTypes.text)),"nst":\(json(quake.stationCount)),\
            "dmin":\(json(quake.nearestStationDegrees)),"rms":\(json(quake.residualSeconds)),\
            "gap":\(json(quake.azimuthalGapDegrees)),"magType":\(json(quake.magnitudeType)),"type":\(json(quake.eventType)),\
            "title":\(json(title(of: quake)))\(more)},"geometry":{"type":"Point","coordinates":\
            [\(json(hypocenter.longitude)),\(json(hypocenter.latitude)),\(json(hypocenter.depthKilometers))]},\
            "id":\(json(id))}
            """
    }

    /// For events other than earthquakes, the title names the event type.
    private func title(of quake: Quake) -> String {
        let kind = quake.eventType ?? "earthquake"
        let name = kind == "earthquake" ? "" : kind.split(separator: " ").map { " \($0.capitalized)" }.joined()
        return "M \(Quake.titleMagnitude(quake.magnitude))\(name) - \(quake.place ?? "")"
    }

    private func json(_ number: Double?) -> String {
        guard let number else { return "null" }
        return number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : "\(number)"
    }

    private func json(_ number: Int?) -> String { number.map { String($0) } ?? "null" }

    private func json(_ text: String?) -> String {
        guard let text else { return "null" }
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\u{0}"..<" ": result += String(format: "\\u%04x", scalar.value)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

extension Quake {
    /// Removes the values that the service no longer has for a deleted event.
    fileprivate mutating func dropDetails() {
        (feltReports, communityIntensity, instrumentalIntensity, alert) = (nil, nil, nil, nil)
        (stationCount, nearestStationDegrees, residualSeconds, azimuthalGapDegrees) = (nil, nil, nil, nil)
        magnitudeType = nil
        tsunami = false
        significance = nil
    }
}
