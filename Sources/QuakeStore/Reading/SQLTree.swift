/// SQL for many terms that are joined by one operator.
enum SQLTree {
    /// Joins `terms` as a balanced tree, because SQLite allows at most 1,000 levels of nesting; nil if there are no
    /// terms.
    static func joined(_ terms: ArraySlice<String>, _ join: (String, String) -> String) -> String? {
        guard terms.count > 1 else { return terms.first }
        let middle = terms.startIndex + terms.count / 2
        guard let left = joined(terms[..<middle], join), let right = joined(terms[middle...], join) else { return nil }
        return join(left, right)
    }
}
