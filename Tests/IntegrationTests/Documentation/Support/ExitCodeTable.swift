import QuakeTestSupport

/// The table of exit codes in Documentation/commands.md.
struct ExitCodeTable {
    /// The meaning of each code, without code marks.
    private(set) var meanings: [String: String] = [:]
    /// The commands that may end with each code.
    private(set) var commands: [String: Set<String>] = [:]

    /// Reads the table; `all` contains the names of all commands.
    init(all: Set<String>) throws {
        let document = try Document("Documentation/commands.md")
        for cells in document.tableRows where cells[0].first?.isNumber == true {
            meanings[cells[0]] = cells[1].replacing("`", with: "")
            let named = Set(cells[2].prefix { $0 != ";" }.matches(of: /`([a-z]+)`/).map { String($0.output.1) })
            commands[cells[0]] = cells[2].hasPrefix("all") ? all.subtracting(named) : named
        }
    }
}
