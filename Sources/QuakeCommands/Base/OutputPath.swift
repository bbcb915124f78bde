import ArgumentParser
import Glibc
import QuakeStore
import QuakeSystem

/// The path of a file to write. A mistyped path must not destroy a cache, so before anything is written, the path is
/// compared, with links resolved, to two kinds of files: the files (including logs and locks) of every cache that the
/// command line or the environment names, and regular files to which standard output or standard error was redirected.
/// Except for a backup, the file must not be another cache either.
struct OutputPath {
    let path: String
    /// The option that specified the path, for messages.
    let origin: String

    /// Throws a usage error if writing to the path would damage a cache, or the file to which the output is redirected.
    ///
    /// - Parameter isBackup: Whether the file is a backup. A backup is first written to a file beside the path, ending
    ///   in `.partial`, and may replace an earlier backup.
    func requireFree(_ global: GlobalOptions, in environment: CommandEnvironment, isBackup: Bool = false) throws {
        for cache in global.namedDatabasePaths(in: environment) {
            let files = CacheFiles(ofCacheAt: cache)
            guard !files.contains(path), !isBackup || !files.contains(path + ".partial") else {
                let isCache = FileLocation.resolved(path) == FileLocation.resolved(cache)
                let reason = isCache ? "which is the cache itself" : "which is part of the cache \(cache)"
                throw ValidationError("\(origin) cannot be \(path), \(reason). Choose another file.")
            }
        }
        guard isBackup || !CacheFiles.isCache(path) else {
            throw ValidationError("\(origin) cannot be \(path), which is a cache. Choose another file.")
        }
        for stream in [environment.standardOutput, environment.standardError] where isOpen(on: stream.descriptor) {
            throw ValidationError("\(origin) cannot be \(path), which is this command's own output.")
        }
    }

    private func isOpen(on descriptor: Int32) -> Bool {
        var named = stat()
        var open = stat()
        // Only a regular file is a conflict: the path may be the pipe or device, such as /dev/stdout, to which the
        // output goes.
        return stat(path, &named) == 0 && fstat(descriptor, &open) == 0 && named.st_dev == open.st_dev
            && named.st_ino == open.st_ino && named.st_mode & S_IFMT == S_IFREG
    }
}
