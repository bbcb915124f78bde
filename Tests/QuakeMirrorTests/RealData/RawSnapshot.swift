import Foundation
import QuakeModel

/// A published document read independently of the product: with JSONSerialization, as plain values.
struct RawSnapshot {
    /// `metadata.generated`, in epoch milliseconds.
    var generated: Int64
    /// The quakes by preferred id.
    var quakes: [String: RawQuake]

    init(path: String) throws {
        let document = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path)))
        guard let members = document as? [String: Any], let metadata = members["metadata"] as? [String: Any],
            let moment = metadata["generated"] as? NSNumber, let features = members["features"] as? [[String: Any]]
        else { throw CocoaError(.propertyListReadCorrupt) }
        generated = moment.int64Value
        var quakes: [String: RawQuake] = [:]
        for feature in features {
            guard let id = feature["id"] as? String, quakes[id] == nil else { continue }
            quakes[id] = RawQuake(feature)
        }
        self.quakes = quakes
    }
}

/// The published values of one quake that can make up a change: no title, no addresses, sets without order.
struct RawQuake: Hashable {
    enum Value: Hashable {
        case null
        case number(Double)
        case text(String)
        case set(Set<String>)
    }

    var values: [String: Value] = [:]

    private static let sets: Set<String> = ["ids", "sources", "types"]
    private static let derived: Set<String> = ["title", "url", "detail"]

    init(_ feature: [String: Any]) {
        for (name, value) in feature["properties"] as? [String: Any] ?? [:] where !Self.derived.contains(name) {
            values[name] = Self.value(value, isSet: Self.sets.contains(name))
        }
        // A network still writes REVIEWED now and then, which means the same.
        if case .text(let status)? = values["status"] { values["status"] = .text(status.lowercased()) }
        let coordinates = (feature["geometry"] as? [String: Any])?["coordinates"] as? [Any] ?? []
        for (name, value) in zip(["lon", "lat", "depth"], coordinates) {
            values[name] = Self.value(value, isSet: false)
        }
    }

    /// Returns the same for a quake in the cache.
    init(_ quake: Quake) {
        for property in QuakeProperty.compared where property != .extra {
            let name = property.rawValue
            switch quake[property] {
            case .null: values[name] = .null
            case .integer(let integer): values[name] = .number(Double(integer))
            case .real(let real): values[name] = .number(real)
            case .text(let text): values[name] = Self.value(text, isSet: Self.sets.contains(name))
            }
        }
    }

    /// The names of the properties in which this quake and `other` differ.
    func differences(from other: RawQuake) -> Set<String> {
        Set(values.keys).union(other.values.keys).filter { values[$0] ?? .null != other.values[$0] ?? .null }
    }

    /// Longitude, latitude and depth.
    var hypocenter: [Value] { ["lon", "lat", "depth"].map { values[$0] ?? .null } }

    /// Whether all values except the place name equal those of `other`.
    func isButForItsName(_ other: RawQuake) -> Bool { differences(from: other).isSubset(of: ["place"]) }

    /// The place name as published.
    var place: Value { values["place"] ?? .null }

    /// `updated`, in epoch milliseconds.
    var updated: Double { number("updated") ?? .nan }

    /// The value of the property `name` if it is a number.
    func number(_ name: String) -> Double? { if case .number(let number)? = values[name] { number } else { nil } }

    /// The value of the property `name` if it is text.
    func text(_ name: String) -> String? { if case .text(let text)? = values[name] { text } else { nil } }

    private static func value(_ value: Any, isSet: Bool) -> Value {
        switch value {
        case let text as String where isSet: .set(Set(text.split(separator: ",").map { String($0) }))
        case let text as String: .text(text)
        // Parses the digits, because doubleValue of a number with 17 digits is off in the last digit on Linux.
        case let number as NSNumber: .number(Double(number.stringValue) ?? number.doubleValue)
        default: .null
        }
    }
}
