import CQuakesSQLite

extension Database {
    /// Adds the SQL functions for checksums and filters. Filter functions call the Swift code of ``QuakeFilter``.
    func addFunctions() throws {
        try add("row_checksum", arguments: -1, quakes_row_checksum)
        try add("row_fault", arguments: -1, quakes_row_fault)
        try add("moved_checksum", arguments: 3, quakes_moved_checksum)
        try add("distance_km", arguments: 4) { context, _, values in
            guard let values, (0..<4).allSatisfy({ sqlite3_value_type(values[$0]) != SQLITE_NULL }) else { return }
            sqlite3_result_double(context, point(values, 0).distanceKilometers(to: point(values, 2)))
        }
        try add("estimated_intensity", arguments: 6) { context, _, values in
            guard let values, (2..<6).allSatisfy({ sqlite3_value_type(values[$0]) != SQLITE_NULL }) else { return }
            let magnitude = values[0]
            let depth = values[1]
            let intensity = EstimatedIntensity(
                magnitude: sqlite3_value_type(magnitude) == SQLITE_NULL ? nil : sqlite3_value_double(magnitude),
                epicenter: point(values, 2),
                depthKilometers: sqlite3_value_type(depth) == SQLITE_NULL ? nil : sqlite3_value_double(depth),
                at: point(values, 4))
            if let intensity { sqlite3_result_double(context, intensity.value) }
        }
        try add("folded", arguments: 1) { context, _, values in
            if let name = text(values?[0]) { sqlite3_result_text(context, TextFolding.folded(name), -1, transient) }
        }
        try add("region", arguments: 2) { context, _, values in
            let regions = Region.text(ofPlace: text(values?[0]), longitude: sqlite3_value_double(values?[1]))
            if let regions { sqlite3_result_text(context, regions, -1, transient) }
        }
    }

    /// Adds a deterministic function whose result is null unless `body` sets a different result.
    private func add(
        _ name: String, arguments: Int32,
        _ body: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
    ) throws {
        try check(
            sqlite3_create_function_v2(
                handle, name, arguments, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil, body, nil, nil, nil))
    }
}

/// Returns the point whose latitude is the argument at `first`, and whose longitude is the next argument.
private func point(_ values: UnsafeMutablePointer<OpaquePointer?>, _ first: Int) -> GeographicPoint {
    GeographicPoint(
        latitude: sqlite3_value_double(values[first]), longitude: sqlite3_value_double(values[first + 1]))
}

/// Returns an argument as text; nil for null.
private func text(_ value: OpaquePointer?) -> String? {
    value.flatMap { sqlite3_value_text($0) }.map { String(cString: $0) }
}
