import ArgumentParser

/// The option of `changes`, `watch` and `diff` for the template of a line per change.
struct ChangeTemplateOption: ParsableArguments {
    @Option(
        "--template <template>",
        """
        Write a line for each change, such as '{what} M {mag} {place} ({age})'. Placeholders: any field, age, \
        headline, compass, op, reason, what, differences, changed, change_id and before.FIELD.
        """, transform: OutputTemplate.forChanges)
    var template: OutputTemplate?

    /// Throws a usage error if the template needs a reference point but `sites` is empty.
    func requireSite(in sites: [Site]) throws {
        if sites.isEmpty, let name = template?.relativeName { throw HomeOption.missing(for: "--template {\(name)}") }
    }
}
