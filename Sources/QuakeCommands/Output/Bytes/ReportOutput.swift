package enum ReportFormat: String, CaseIterable, Sendable {
    case text, json
}

package enum TableFormat: String, CaseIterable, Sendable {
    case text, json, csv
}
