import ArgumentParser

/// The completion script that ArgumentParser writes for a shell, with what it lacks.
///
/// - `quakes help` completes to commands.
/// - bash and zsh complete the value after `--option=`; fish does by itself.
/// - In zsh no space follows a folder, so that its files can be completed next. bash and fish treat a word that ends in
///   a slash as a folder by themselves. And the value of `--since-token` may be left out: an option may follow.
struct CompletionScript {
    let text: String

    /// The script in the answer of ArgumentParser to `--generate-completion-script`; nil for any other answer.
    init?(answering error: any Error) {
        guard QuakesCommand.exitCode(for: error) == .success else { return nil }
        let answer = QuakesCommand.fullMessage(for: error)
        if answer.hasPrefix("#compdef quakes\n") {
            text = Self.zsh(answer)
        } else if answer.hasPrefix("#!/bin/bash\n"), answer.contains(Self.words) {
            text = answer.replacing(Self.words, with: Self.wordsWithoutSigns).replacing(
                Self.helpOfBash,
                with: Self.helpOfBash + "    COMPREPLY+=($(compgen -W '\(Self.commands)' -- \"${cur}\"))\n")
        } else if answer.hasPrefix("function __quakes_should_offer") {
            let condition = #"__quakes_should_offer_completions_for_positional "quakes help" -eq 1"#
            text = answer + "\ncomplete -c 'quakes' -n '\(condition)' -fa '\(Self.commands)'"
        } else {
            return nil
        }
    }

    private static let commands = QuakesCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
        .joined(separator: " ")

    // bash

    private static let words = #"""
            local -r cur="${2}"
            local -r prev="${3}"

            local -i positional_number
            local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")

        """#
    /// bash takes `--option=value` for three words; the sign is left out.
    private static let wordsWithoutSigns = #"""
            local cur="${2}" prev="${3}" word
            local -i positional_number
            local -a unparsed_words=()
            for word in "${COMP_WORDS[@]:1:${COMP_CWORD}}"; do
                [[ "${word}" = "=" ]] || unparsed_words+=("${word}")
            done
            if [[ "${COMP_WORDS[${COMP_CWORD}]}" = "=" ]]; then
                cur=""
                prev="${COMP_WORDS[${COMP_CWORD} - 1]}"
                unparsed_words+=("")
            elif [[ "${prev}" = "=" ]]; then
                prev="${COMP_WORDS[${COMP_CWORD} - 2]}"
            fi

        """#
    private static let helpOfBash = """
        _quakes_help() {
            repeating_flags=()
            non_repeating_flags=(--version)
            repeating_options=()
            non_repeating_options=()
            __quakes_offer_flags_options -1

        """

    // zsh

    private static func zsh(_ answer: String) -> String {
        let lines = answer.replacing(offers, with: offersWithFolders)
            .replacing("]:token:" + lastToken, with: "]::token:" + lastToken)
            .replacing("'*:subcommands:'", with: "'*:subcommands:(\(commands))'")
            .split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { line in
            guard line.contains("]:") else { return String(line) }
            return String(line).replacing(/(--[a-z-]+)(}'\[|\[)/, maxReplacements: 1) { "\($0.1)=\($0.2)" }
        }.joined(separator: "\n")
    }

    private static let lastToken = "{__quakes_custom_complete ---completion changes -- --since-token "
    private static let offers = #"_describe -V '' non_empty_completions -- empty_completions"#
    private static let offersWithFolders = #"""
        local -ar folders=("${(@M)non_empty_completions:#*/}")
            local -ar others=("${(@)non_empty_completions:#*/}")
            _describe -V '' others -- folders -S '' -- empty_completions
        """#
}
