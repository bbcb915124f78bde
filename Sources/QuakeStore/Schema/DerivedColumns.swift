/// The SQL of the properties that follow from others; the twins of `derivedTitle`, `derivedURL` and `derivedDetail`.
enum DerivedColumns {
    static let title = """
        coalesce(title, 'M ' || CASE WHEN mag IS NULL THEN '?' ELSE replace(printf('%s%.1f', \
        CASE WHEN mag <= -0.05 THEN '-' ELSE '' END, abs(mag) + 1e-10), '-0.0', '0.0') END || ' - ' || coalesce(place, ''))
        """
    static let url = "coalesce(url, 'https://earthquake.usgs.gov/earthquakes/eventpage/' || net || code)"
    static let detail =
        "coalesce(detail, 'https://earthquake.usgs.gov/earthquakes/feed/v1.0/detail/' || net || code || '.geojson')"
}
