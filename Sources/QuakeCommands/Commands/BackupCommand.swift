import ArgumentParser
import Glibc
import QuakeStore
import QuakeSystem

struct BackupCommand: QuakesSubcommand {
    static let configuration = described(
        "backup", "Copy the cache to a file, even during a refresh.",
        """
        The copy is checked and flushed to disk before it is moved into place. It is a cache like any other: read \
        it with --db, or bring it back with `quakes restore`.

        EXAMPLES:
          quakes backup /backup/quakes-$(date +%F).db
          quakes backup --force /backup/quakes.db
        """)

    @Argument(help: ArgumentHelp("The file to write.", valueName: "path"), completion: .file()) var path: String
    @Flag("--force", "Overwrite an existing file.") var isForced = false

    @OptionGroup var reporting: ReportOptions

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        guard path != "-", !path.isBlank else {
            throw ValidationError("Give the path of a file for the backup. For a file named -, write ./-.")
        }
    }

    func execute(in environment: CommandEnvironment) throws -> ExitStatus {
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            let file = path.hasSuffix("/") ? path : path + "/"
            throw ValidationError("\(path) is a directory. Add a file name, as in \(file)quakes-backup.db.")
        }
        if let remedy = CommandError.remedyForMissingFolder(of: path) {
            throw CommandError("Cannot write \(path): \(SystemError(ENOENT).reason).", remedy, .storageFailure)
        }
        try OutputPath(path: path, origin: "The backup").requireFree(global, in: environment, isBackup: true)
        let backup = try context(in: environment, .reading).maintenance.backup(to: path, replacing: isForced)
        return try report(
            "saved \(path): \(backup.bytes.byteWords), token \(backup.token)",
            ["path": path, "bytes": backup.bytes, "token": backup.token.description], reporting.format,
            in: environment)
    }
}
