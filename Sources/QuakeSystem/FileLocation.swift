package import Glibc

package enum FileLocation {
    /// Returns the path with all symbolic links resolved, even if the file itself does not exist yet. If its folder
    /// does not exist, links are circular or a name is not UTF-8, the result may still contain links.
    ///
    /// SQLite names the log after the resolved path, so all other files beside the cache must be named after it, too.
    package static func resolved(_ path: String) -> String {
        var path = path
        for _ in 0..<40 {
            if let whole = real(path) { return whole }
            guard let target = target(ofLink: path), let text = String(validating: target, as: UTF8.self) else { break }
            path = text.hasPrefix("/") ? text : folder(of: path) + "/" + text
        }
        guard let folder = real(folder(of: path)), let name = path.split(separator: "/").last else { return path }
        return (folder == "/" ? "" : folder) + "/" + name
    }

    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Returns the status of the file at `path`, following links; nil, with errno set, if there is no file.
    package static func status(of path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    /// Whether the file or, if there is none, its folder cannot be written because its file system is read-only.
    package static func isOnReadOnlyDisk(_ path: String) -> Bool {
        for place in [path, folder(of: path)] where faccessat(AT_FDCWD, place, W_OK, AT_EACCESS) != 0 {
            if errno == EROFS { return true }
        }
        return false
    }

    /// Whether the path leads to a directory, following links.
    package static func isDirectory(_ path: String) -> Bool {
        status(of: path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
    }

    /// Whether anything has this name, even a dangling link.
    package static func isTaken(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Whether this is the name of a symbolic link.
    package static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Returns the reason why `path` cannot be used as a regular file, such as that it is a directory; nil for a
    /// regular file, and if there is no file. Links are not followed, and nothing is opened.
    package static func obstacle(at path: String) -> String? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return nil
        case S_IFLNK: return "it is a symbolic link to \(String(decoding: target(ofLink: path) ?? [], as: UTF8.self))"
        case S_IFDIR: return "it is a directory"
        default: return "it is not a regular file"
        }
    }

    /// Whether `path` names a file, such as a link or a pipe, that another user has put into a sticky folder such as
    /// /tmp.
    ///
    /// The kernel does not follow such links (`fs.protected_symlinks`), but cannot see the links that this type
    /// resolves itself.
    package static func isForeignInSharedFolder(_ path: String) -> Bool {
        var found = stat()
        guard lstat(path, &found) == 0, let folder = status(of: folder(of: path)) else { return false }
        return folder.st_mode & S_ISVTX != 0 && ![geteuid(), folder.st_uid].contains(found.st_uid)
    }

    private static func target(ofLink path: String) -> [UInt8]? {
        var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = target.withUnsafeMutableBytes { bytes in
            bytes.baseAddress.map { readlink(path, $0, bytes.count) } ?? -1
        }
        return count > 0 ? Array(target[..<count]) : nil
    }

    package static func name(in path: String) -> Substring {
        path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    }

    /// The path of the running program without symbolic links; nil without /proc.
    package static var executable: String? {
        access("/proc/self/exe", F_OK) == 0 ? resolved("/proc/self/exe") : nil
    }

    private static func real(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(validatingCString: resolved)
    }
}
