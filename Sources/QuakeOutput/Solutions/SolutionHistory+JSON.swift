package import QuakeModel

extension JSONWriter {
    /// Writes the members `solved`, `origins`, `mechanisms` and `impacts`; null for a quake that was not asked about.
    package func members(of history: SolutionHistory?) {
        guard let history else { return (["solved"] + SolutionKind.allCases.map(\.rawValue)).forEach(nullMember) }
        array("solved") {
            for step in history[.origins].steps {
                object {
                    member("since", step.since)
                    members(of: step.version, .origins)
                }
            }
        }
        for kind in SolutionKind.allCases {
            array(kind.rawValue) {
                for (version, preference) in zip(history[kind], history.preferences(of: kind)) {
                    object {
                        members(of: version, kind)
                        member("preferred", preference.rawValue)
                    }
                }
            }
        }
    }

    private func members(of version: SolutionVersion, _ kind: SolutionKind) {
        member("product", version.product)
        member("source", version.source)
        member("code", version.code)
        member("published", version.published)
        member("weight", version.weight)
        member("deleted", version.values == nil)
        for field in kind.fields {
            key(field.rawValue)
            value(version[field], of: field.kind == .time ? .time : .mag)
        }
    }
}
