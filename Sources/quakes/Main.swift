import QuakeCommands

/// The command-line program, which is implemented in QuakeCommands.
@main
enum Main {
    static func main() {
        QuakesCommand.run()
    }
}
