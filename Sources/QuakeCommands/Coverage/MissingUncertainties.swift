import QuakeFormats
import QuakeStore
import QuakeSystem

/// Counts the quakes in a list whose uncertainties the cache lacks.
struct MissingUncertainties {
    /// The properties that ``add(_:)`` reads.
    static let sources = QuakeProperty.uncertainties + [.id, .time]

    /// The maximum number of quakes for which the hint suggests `quakes details` instead of `quakes backfill`.
    private static let minimumCount = 3

    private let uncertainties: [Int]
    private let id: Int?
    private let time: Int?
    private var count = 0
    private var lacking = 0
    /// The ids of the first quakes without uncertainties, at most ``minimumCount``.
    private var ids: [String] = []
    private var earliest: Timestamp?

    /// Whether `fields` (nil for the default fields) include uncertainties.
    static func matter(to fields: [QuakeField]?) -> Bool {
        fields?.contains { $0.property.map(QuakeProperty.uncertainties.contains) ?? false } ?? false
    }

    /// - Parameter properties: The properties in each row, which must include the ``sources``.
    init(in properties: [QuakeProperty]) {
        // Ignore locationSource, magSource and magNst: most documents name these sources even for quakes without
        // uncertainties.
        uncertainties = [.horizontalError, .depthError, .magError].compactMap(properties.firstIndex)
        id = properties.firstIndex(of: .id)
        time = properties.firstIndex(of: .time)
    }

    mutating func add(_ row: StoredRow) {
        count += 1
        guard uncertainties.allSatisfy({ if case .null = row.field(at: $0) { true } else { false } }) else { return }
        lacking += 1
        if ids.count < Self.minimumCount, let id, let text = row.field(at: id).text { ids.append(text) }
        if let time, case .integer(let milliseconds) = row.field(at: time) {
            let moment = Timestamp(milliseconds: milliseconds)
            earliest = min(earliest ?? moment, moment)
        }
    }

    /// Returns the number of quakes that lack uncertainties and the command that fetches them; nil if none do.
    ///
    /// - Parameter filter: The filter of the list.
    func words(_ filter: QuakeFilter) -> String? {
        guard lacking > 0 else { return nil }
        var filter = filter
        filter.since = earliest
        let command =
            lacking > Self.minimumCount ? ["backfill", "--uncertainties"] + filter.backfillOptions : ["details"] + ids
        return "\(lacking.grouped) of \(count.counted("quake")) \(lacking == 1 ? "has" : "have") no uncertainties; "
            + "`quakes \(command.map(\.shellWord).joined(separator: " "))` fetches them"
    }
}
