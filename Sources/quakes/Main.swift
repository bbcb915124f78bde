import QuakeCommands

/// The command-line program. Everything it does is in QuakeCommands.
@main
enum Main {
    static func main() {
        QuakesCommand.run()
    }
}
