import ArgumentParser

enum MapFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
    case terminal, html, svg

    init?(argument: String) { self.init(rawValue: ["text": "terminal", "txt": "terminal"][argument] ?? argument) }

    /// The format that the file extension's name stands for; nil for other endings.
    init?(endingOf path: String) {
        guard let dot = path.lastIndex(of: ".") else { return nil }
        switch path[dot...].dropFirst().lowercased() {
        case "html", "htm": self = .html
        case "svg": self = .svg
        case "txt": self = .terminal
        default: return nil
        }
    }
}
