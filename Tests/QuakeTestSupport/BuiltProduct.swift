import Foundation

/// The executables built together with the tests.
public enum BuiltProduct {
    /// Returns the path of the executable `name`, which is beside the test bundle.
    public static func path(_ name: String) -> String {
        let candidates = directories.map { $0.appending(path: name).path }
        return candidates.first { FileManager.default.isExecutableFile(atPath: $0) } ?? candidates[0]
    }

    private static var directories: [URL] {
        let running = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let bundles = CommandLine.arguments.filter { $0.hasSuffix(".xctest") } + [running ?? CommandLine.arguments[0]]
        return bundles.map { URL(filePath: $0).deletingLastPathComponent() }
            + [Fixture.projectDirectory.appending(path: ".build/debug")]
    }
}
