import ArgumentParser
import Glibc
import QuakeStore

/// The path of a file that a command is about to write.
///
/// A mistyped path must not cost the cache, and the path of a cache, of its log or of its lock is as good a path as
/// any, even through a link. It is compared with the files of every cache that the command line and the environment
/// name, and with the streams that the command writes to, before anything is written. Nor may it be another cache.
struct OutputPath {
    /// The path as it was given.
    let path: String
    /// What gave it: an option, or what the file is.
    let origin: String

    /// Throws if the path leads to a file of a cache, or to standard output or standard error.
    ///
    /// - Parameter isBackup: whether a backup is to be there, which is written beside the path first and may take the
    ///   place of an earlier one.
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
        var (named, open) = (stat(), stat())
        // A device such as /dev/null takes everything.
        return stat(path, &named) == 0 && fstat(descriptor, &open) == 0 && named.st_dev == open.st_dev
            && named.st_ino == open.st_ino && named.st_rdev == 0
    }
}
