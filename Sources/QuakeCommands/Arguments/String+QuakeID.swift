extension String {
    /// The quake id in a command-line argument, which may also be the URL of an event page or detail feed.
    var quakeIDArgument: String {
        guard contains("/") else { return self }
        if let query = firstMatch(of: /[?&]eventid=([A-Za-z0-9]+)/) { return String(query.output.1) }
        let match = firstMatch(of: /\/(?:eventpage|detail)\/([A-Za-z0-9_]+)/)
        return match.map { String($0.output.1) } ?? self
    }
}
