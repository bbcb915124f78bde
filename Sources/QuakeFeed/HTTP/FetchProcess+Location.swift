import Foundation
import Glibc

extension FetchProcess {
    /// The name of the helper's file.
    public static let helperName = "quakes-fetch"

    /// The path of the helper that belongs to `executable`, by default to the program that runs.
    ///
    /// It lies beside the program, as the build leaves it, or in `../libexec/quakes`, as it is installed.
    public static func locate(besides executable: String? = nil) throws(TransportError) -> String {
        let directory = (executable ?? runningExecutable).split(separator: "/", omittingEmptySubsequences: false)
            .dropLast().joined(separator: "/")
        let candidates = ["\(directory)/\(helperName)", "\(directory)/../libexec/quakes/\(helperName)"]
        guard let found = candidates.first(where: { access($0, X_OK) == 0 }) else {
            throw .helperMissing(searched: candidates)
        }
        return found
    }

    private static var runningExecutable: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    }
}
