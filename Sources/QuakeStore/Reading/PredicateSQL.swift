import FoundationEssentials
import QuakeModel

/// What SQL can test of a `Predicate<Quake>`: a condition that holds for every quake which the predicate accepts.
///
/// It may accept more: text that Swift takes for the same may be stored in several forms, and a part that has no
/// counterpart in SQL is left out. The predicate itself then decides in memory (decision 0212).
struct PredicateSQL {
    var sql: String
    var values: [QuakeValue] = []
    /// Whether it accepts just what the predicate accepts.
    var isExact = true

    /// SQLite binds 32,766 values in a statement, of which the descriptor needs some.
    private static let mostValues = 30_000

    /// The condition for `predicate`; nil if SQL can say nothing about it, or it has more values than a statement.
    init?(_ predicate: Predicate<Quake>) {
        let scope = PredicateScope(variables: [predicate.variable.key: .quake])
        guard let condition = (predicate.expression as? any PredicateCondition)?.condition(in: scope),
            condition.values.count <= Self.mostValues
        else { return nil }
        self = condition
    }

    init(_ sql: String, _ values: [QuakeValue] = [], isExact: Bool = true) {
        (self.sql, self.values, self.isExact) = (sql, values, isExact)
    }

    func joined(_ word: String, _ other: PredicateSQL) -> PredicateSQL {
        PredicateSQL("(\(sql) \(word) \(other.sql))", values + other.values, isExact: isExact && other.isExact)
    }
}
