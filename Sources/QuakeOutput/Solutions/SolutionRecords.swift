package import QuakeModel

/// A table of solutions for programs: a record for each version of each product about a quake.
package enum SolutionRecords {
    package static let columns =
        [
            "id", "kind", "product", "source", "code", "published", "seconds_after_origin", "preferred", "weight",
            "deleted",
        ] + SolutionField.allCases.map(\.rawValue)

    /// Writes the versions about `quake`, by kind and in the order of publication. `record` begins and ends each.
    package static func write(
        _ history: SolutionHistory, of quake: Quake, to writer: some RecordWriter, record: (() -> Void) -> Void
    ) {
        for kind in SolutionKind.allCases {
            for (version, preference) in zip(history[kind], history.preferences(of: kind)) {
                record {
                    writer.member("id", quake.id)
                    writer.member("kind", kind.rawValue)
                    writer.member("product", version.product)
                    writer.member("source", version.source)
                    writer.member("code", version.code)
                    writer.member("published", version.published)
                    let later = version.published.milliseconds - quake.originTime.milliseconds
                    writer.member("seconds_after_origin", .real(Double(later) / 1000), isTime: false)
                    writer.member("preferred", preference.rawValue)
                    writer.member("weight", version.weight)
                    writer.member("deleted", version.values == nil)
                    for field in SolutionField.allCases {
                        writer.member(field.rawValue, version[field], isTime: field.kind == .time)
                    }
                }
            }
        }
    }
}
