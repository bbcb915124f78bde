package import Glibc

package enum FileLocation {
    /// Returns the path with all symbolic links resolved, even if the file itself does not exist yet. If its folder
    /// does not exist or links are circular, the result may still contain links.
    ///
    /// SQLite names the log after the resolved path, so all files beside the cache must do the same.
    package static func resolved(_ path: String) -> String {
        var path = path
        for _ in 0..<40 {
            if let whole = real(path) { return whole }
            var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
            guard readlink(path, &target, target.count - 1) > 0 else { break }
            let text = String(decoding: target.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
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
        return String(cString: resolved)
    }
}
