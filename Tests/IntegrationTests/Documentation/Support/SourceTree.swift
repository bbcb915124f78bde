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
