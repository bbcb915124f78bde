import Foundation
import QuakeTestSupport

/// The files of the project.
enum SourceTree {
    /// Returns the paths in the project of the files below `folder` with this ending, except build products.
    static func paths(below folder: String, endingIn ending: String) throws -> [String] {
        let directory = Fixture.projectDirectory.appending(path: folder)
        return try FileManager.default.subpathsOfDirectory(atPath: directory.path)
            .filter { $0.hasSuffix(ending) && !$0.contains(".build/") }
            .map { folder + "/" + $0 }
    }
}

/// The suites and tests in the test sources.
enum TestSources {
    /// Returns the names of the tests of each type below `folder`, by the type's name.
    static func suites(below folder: String = "") throws -> [String: Set<String>] {
        try SourceTree.paths(below: "Tests/" + folder, endingIn: ".swift").reduce(into: [:]) { all, path in
            all.merge(suites(in: try Document(path).text)) { $0.union($1) }
        }
    }

    /// The same for one source. Types must start and end without indentation, functions must follow `@Test`.
    static func suites(in source: String) -> [String: Set<String>] {
        var suites: [String: Set<String>] = [:]
        for piece in source.components(separatedBy: "\n}") {
            guard let type = piece.matches(of: /(?m)^(?:\S.*\b)?(?:struct|class) (\w+)/).last else { continue }
            let tests = piece[type.range.upperBound...].components(separatedBy: "@Test").dropFirst()
                .compactMap { $0.firstMatch(of: /\bfunc (\w+)/).map { String($0.output.1) } }
            suites[String(type.output.1), default: []].formUnion(tests)
        }
        return suites
    }
}
