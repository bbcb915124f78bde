import Foundation
import QuakeTestSupport

/// The suites and tests that stand in the sources of the tests.
enum TestSources {
    /// The names of the tests of every type below `folder` of the tests, by its name.
    static func suites(below folder: String = "") throws -> [String: Set<String>] {
        let tests = Fixture.projectDirectory.appending(path: "Tests").appending(path: folder)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: tests.path)
            .filter { $0.hasSuffix(".swift") && !$0.contains(".build/") }
        return try paths.reduce(into: [:]) { all, path in
            let source = try String(contentsOf: tests.appending(path: path), encoding: .utf8)
            all.merge(suites(in: source)) { $0.union($1) }
        }
    }

    /// The same of one source: types that begin and end without indentation, and functions behind `@Test`.
    static func suites(in source: String) -> [String: Set<String>] {
        var suites: [String: Set<String>] = [:]
        for piece in source.components(separatedBy: "\n}") {
            guard let type = piece.matches(of: /(?m)^\S.*\bstruct (\w+)|^struct (\w+)/).last else { continue }
            let tests = piece[type.range.upperBound...].components(separatedBy: "@Test").dropFirst()
                .compactMap { $0.firstMatch(of: /\bfunc (\w+)/).map { String($0.output.1) } }
            suites[String(type.output.1 ?? type.output.2 ?? ""), default: []].formUnion(tests)
        }
        return suites
    }
}
