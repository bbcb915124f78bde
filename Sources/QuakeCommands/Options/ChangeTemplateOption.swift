import ArgumentParser

/// The option for a line per change: `changes`, `watch` and `diff`.
struct ChangeTemplateOption: ParsableArguments {
    @Option(
        "--template <template>",
        """
        Write a line for each change, such as '{what} M {mag} {place} ({age})'. Placeholders: any field, age, \
        headline, compass, op, reason, what, differences, changed, change_id, token and before.FIELD.
        """, transform: OutputTemplate.forChanges)
    var template: OutputTemplate?

    /// Throws if the template needs a reference point and `sites` is empty.
    func requireSite(in sites: [Site]) throws {
        if sites.isEmpty, let name = template?.relativeName { throw HomeOption.missing(for: "--template {\(name)}") }
    }
}
