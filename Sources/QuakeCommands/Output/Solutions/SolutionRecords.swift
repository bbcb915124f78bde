import QuakeModel

extension JSONWriter {
    /// Writes the members `preferred_origins`, `origins`, `mechanisms` and `impacts`, which are null if the solutions
    /// were not fetched.
    func members(of history: SolutionHistory?) {
        guard let history else {
            return (["preferred_origins"] + SolutionKind.allCases.map(\.rawValue)).forEach { member($0, nil) }
        }
        member(
            "preferred_origins",
            history.preferredOverTime(.origins).map { ["since": $0.since] + $0.version.record(.origins) })
        for kind in SolutionKind.allCases {
            member(
                kind.rawValue,
                zip(history[kind], history.preferences(of: kind)).map { version, preference in
                    let deleted: Record = kind == .impacts ? [:] : ["deleted": version.values == nil]
                    return version.record(kind) + deleted + ["preferred": preference.rawValue]
                })
        }
    }
}

extension SolutionVersion {
    /// The record of this version. Impacts have no code and no weight, because none of them is preferred to another.
    fileprivate func record(_ kind: SolutionKind) -> Record {
        let rank: Record = kind == .impacts ? [:] : ["code": code, "weight": weight]
        return ["product": product, "source": source, "published": published] + rank
            + Record(kind.fields.map { ($0.rawValue, self[$0].recordValue(isTime: $0.kind == .time)) })
    }
}

/// Solutions as a table for programs: a record for each version of each product for a quake.
enum SolutionRecords {
    static let columns =
        [
            "id", "kind", "product", "source", "code", "published", "seconds_after_origin", "preferred", "weight",
            "deleted",
        ] + SolutionField.allCases.map(\.rawValue)

    /// Returns the records of the versions for `quake`, ordered by kind and then by publication time.
    static func records(_ history: SolutionHistory, of quake: Quake) -> [Record] {
        SolutionKind.allCases.flatMap { kind in
            zip(history[kind], history.preferences(of: kind)).map { version, preference in
                let later = version.published.milliseconds - quake.originTime.milliseconds
                let isImpact = kind == .impacts
                return [
                    "id": quake.id, "kind": kind.rawValue, "product": version.product, "source": version.source,
                    "code": isImpact ? nil : version.code, "published": version.published,
                    "seconds_after_origin": Double(later) / 1000, "preferred": preference.rawValue,
                    "weight": isImpact ? nil : version.weight, "deleted": version.values == nil,
                ]
                    + Record(
                        SolutionField.allCases.map { ($0.rawValue, version[$0].recordValue(isTime: $0.kind == .time)) })
            }
        }
    }
}
