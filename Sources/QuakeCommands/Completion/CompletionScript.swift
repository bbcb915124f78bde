import ArgumentParser

/// The completion script for zsh that ArgumentParser writes, with two changes.
///
/// - No space follows a folder, so that its files can be completed next. bash and fish treat a word that ends in a
///   slash as a folder by themselves.
/// - The value of `--since-token` may be left out: an option may follow, and its value.
struct CompletionScript {
    /// The script.
    let text: String

    /// The script in the answer of ArgumentParser to `--generate-completion-script zsh`; nil for any other answer.
    init?(answering error: any Error) {
        guard QuakesCommand.exitCode(for: error) == .success else { return nil }
        let answer = QuakesCommand.fullMessage(for: error)
        guard answer.hasPrefix("#compdef quakes\n") else { return nil }
        text = answer.replacing(Self.offers, with: Self.offersWithFolders)
            .replacing("]:token:" + Self.lastToken, with: "]::token:" + Self.lastToken)
    }

    private static let lastToken = "{__quakes_custom_complete ---completion changes -- --since-token "
    private static let offers = #"_describe -V '' non_empty_completions -- empty_completions"#
    private static let offersWithFolders = #"""
        local -ar folders=("${(@M)non_empty_completions:#*/}")
            local -ar others=("${(@)non_empty_completions:#*/}")
            _describe -V '' others -- folders -S '' -- empty_completions
        """#
}
