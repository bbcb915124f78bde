import ArgumentParser
import Glibc
import QuakeStore

/// The path of a file that a command is about to write.
///
/// A mistyped path must not destroy a cache. Before anything is written, the path is compared, with links resolved,
/// with the files of every cache that the command line or the environment names, including logs and locks, and with the
/// regular files that take the command's own output. Except for a backup, the file must not be another cache either.
struct OutputPath {
    let path: String
    /// The option that specified the path, or a description of the file.
    let origin: String

    /// Throws if the path leads to a file of a cache, or to a file that takes standard output or standard error.
    ///
    /// - Parameter isBackup: Whether the file is to be a backup, which is first written next to the path and may
    ///   replace an earlier backup.
    func requireFree(_ global: GlobalOptions, in environment: CommandEnvironment, isBackup: Bool = false) throws {
        for cache in global.namedDatabasePaths(in: environment) {
            let files = CacheFiles(ofCacheAt: cache)
            guard !files.contains(path), !isBackup || !files.contains(path + ".partial") else {
                throw ValidationError("\(origin) cannot be \(path), which is part of the cache \(cache).")
            }
        }
        guard isBackup || !CacheFiles.isCache(path) else {
            throw ValidationError("\(origin) cannot be \(path), which is a cache.")
        }
        for stream in [environment.standardOutput, environment.standardError] where isOpen(on: stream.descriptor) {
            throw ValidationError("\(origin) cannot be \(path), which is this command's own output.")
        }
    }

    private func isOpen(on descriptor: Int32) -> Bool {
        var named = stat()
        var open = stat()
        // A pipe or a device such as /dev/stdout may be both.
        return stat(path, &named) == 0 && fstat(descriptor, &open) == 0 && named.st_dev == open.st_dev
            && named.st_ino == open.st_ino && named.st_mode & S_IFMT == S_IFREG
    }
}
