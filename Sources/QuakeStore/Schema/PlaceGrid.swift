/// The grid of quarter-degree cells by which the index `quakes_by_place` orders quakes.
enum PlaceGrid {
    /// The SQL for a quake's cell number. Cells are numbered from the South Pole, 1,440 for each quarter degree of
    /// latitude.
    static let expression = """
        CAST((lat + 90) * \(perDegree) AS INTEGER) * \(perRow) \
        + CAST((lon + 180) * \(perDegree) AS INTEGER) % \(perRow)
        """
    static let perDegree = 4
    static let perRow = 360 * perDegree
}
