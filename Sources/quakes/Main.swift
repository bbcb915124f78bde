import EarlyHelper
import HelperStart
import QuakeCommands

/// The command-line program. Everything it does is in QuakeCommands, but for the helper that is started before this.
@main
enum Main {
    static func main() {
        var helper = started_helper()
        if take_early_helper(&helper) {
            QuakesCommand.adoptHelper(
                process: helper.process, answers: helper.answers, diagnostics: helper.diagnostics)
        }
        QuakesCommand.run()
    }
}
