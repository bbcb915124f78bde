import Glibc
import QuakeDownload

/// `quakes-fetch`: one GET, for `quakes`. The request comes on standard input, see `DownloadHelper`.
@main
enum Main {
    static func main() {
        guard CommandLine.arguments.count == 1 else {
            print(DownloadHelper.description)
            exit(["--help", "-h", "--version"].contains(CommandLine.arguments[1]) ? 0 : EX_USAGE)
        }
        // URLSession's threads may still run: no destructor may pull things from under them.
        _exit(DownloadHelper.run())
    }
}
