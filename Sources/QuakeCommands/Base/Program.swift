/// The names, version and credits of the program.
enum Program {
    /// The name of the program. A command that declares this name as its super-command is parsed without a check for
    /// completion-script requests.
    static let command = "quakes"
    static let version = "1.0.0"
    /// The sources of the data that the program contains.
    static let credits = """
        Cities: GeoNames (geonames.org), CC BY 4.0. Coastlines and borders: Natural Earth, public domain.
        Plate boundaries: P. Bird 2003; GeoJSON by H. Ahlenius, Nordpil, ODC-By.
        """
    /// The name and version, recorded with every transaction.
    static let name = "quakes \(version)"
    /// The user agent sent to servers.
    static let userAgent = "quakes/\(version) (Linux; local mirror of the earthquake feeds)"
}
