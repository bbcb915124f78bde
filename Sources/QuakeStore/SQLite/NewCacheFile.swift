import Glibc
import QuakeSystem

/// Creates the file of a cache, empty, before SQLite does: SQLite would let every user read it.
///
/// A cache tells which addresses its owner asks and who reads it, but several users may share one, so the folder
/// decides. Where nobody else may create files, the cache is its owner's alone (0600); where the group or everyone may,
/// they may use the cache too. The umask still applies, and a file that exists keeps its mode.
struct NewCacheFile {
    let path: String

    /// Creates the file unless it exists. A failure is left to SQLite, which says what is wrong.
    func create() {
        var status = stat()
        guard stat(path, &status) != 0 else { return }
        // Only a new file may be closed here: closing another one would release SQLite's locks on it.
        let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        if number >= 0 { close(number) }
    }

    /// The mode that the folder asks for. In a folder such as /tmp everyone may create files, but not share them.
    var mode: mode_t {
        var status = stat()
        guard stat(FileLocation.folder(of: path), &status) == 0, status.st_mode & S_ISVTX == 0 else { return 0o600 }
        let group: mode_t = status.st_mode & S_IWGRP != 0 ? 0o060 : 0
        let others: mode_t = status.st_mode & S_IWOTH != 0 ? 0o006 : 0
        return 0o600 | group | others
    }
}
