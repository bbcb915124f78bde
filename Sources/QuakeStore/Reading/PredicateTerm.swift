import FoundationEssentials
import QuakeModel

/// A value that SQL can compute.
struct SQLTerm {
    var sql: String
    var values: [QuakeValue] = []
    var text = Text.none
    /// Whether it may be NULL.
    var isOptional = false

    /// How text compares in SQL.
    enum Text {
        /// It is no text.
        case none
        /// Printable ASCII, by its bytes.
        case plain
        /// Any text: equal ones are equal without case and accents too.
        case any
    }

    init(_ property: QuakeProperty, isOptional: Bool) {
        (sql, self.isOptional) = ("\(property)", isOptional)
        text = property.kind == .text ? (isOptional ? .any : .plain) : .none
    }

    init(sql: String, _ values: [QuakeValue] = [], text: Text = .none) {
        (self.sql, self.values, self.text) = (sql, values, text)
    }

    /// A constant; nil for one that SQL compares otherwise than Swift.
    init?(constant: Any) {
        let value = Mirror(reflecting: constant)
        if value.displayStyle == .optional {
            guard let child = value.children.first else {
                self.init(sql: "NULL")
                isOptional = true
                return
            }
            self.init(constant: child.value)
            return
        }
        switch constant {
        case let number as Double where !number.isNaN: self.init(sql: "?", [.real(number)])
        case let number as Int64: self.init(sql: "?", [.integer(number)])
        case let moment as Timestamp: self.init(sql: "?", [.integer(moment.milliseconds)])
        case let text as String where !text.hasZeroByte:
            self.init(sql: "?", [.text(text)], text: text.utf8.allSatisfy { $0 < 0x80 } ? .plain : .any)
        default: return nil
        }
    }
}

/// The variables of a predicate, and what they stand for.
struct PredicateScope {
    enum Meaning {
        case quake
        /// The value of an optional property, where it has one.
        case term(SQLTerm)
    }

    var variables: [PredicateExpressions.VariableID: Meaning]

    /// What SQL computes of a part of a predicate; nil where it cannot.
    func term(_ part: Any) -> SQLTerm? { (part as? any PredicateValue)?.term(in: self) }
    /// The same for a number or a moment that is not NULL.
    func number(_ part: Any) -> SQLTerm? { term(part).flatMap { !$0.isOptional && $0.text == .none ? $0 : nil } }
    func condition(_ part: Any) -> PredicateSQL? { (part as? any PredicateCondition)?.condition(in: self) }

    /// The properties that have a column. What is derived, such as a title, is computed in memory.
    let columns: [AnyKeyPath: SQLTerm] = [
        \Quake.id: SQLTerm(sql: "(net || code)", text: .plain),
        \Quake.net: SQLTerm(.net, isOptional: false),
        \Quake.code: SQLTerm(.code, isOptional: false),
        \Quake.originTime: SQLTerm(.time, isOptional: false),
        \Quake.originTime.milliseconds: SQLTerm(.time, isOptional: false),
        \Quake.updated: SQLTerm(.updated, isOptional: false),
        \Quake.updated.milliseconds: SQLTerm(.updated, isOptional: false),
        \Quake.hypocenter.latitude: SQLTerm(.lat, isOptional: false),
        \Quake.hypocenter.longitude: SQLTerm(.lon, isOptional: false),
        \Quake.hypocenter.depthKilometers: SQLTerm(.depth, isOptional: true),
        \Quake.magnitude: SQLTerm(.mag, isOptional: true),
        \Quake.magnitudeType: SQLTerm(.magType, isOptional: true),
        \Quake.place: SQLTerm(.place, isOptional: true),
        \Quake.timeZoneMinutes: SQLTerm(.tz, isOptional: true),
        \Quake.feltReports: SQLTerm(.felt, isOptional: true),
        \Quake.communityIntensity: SQLTerm(.cdi, isOptional: true),
        \Quake.instrumentalIntensity: SQLTerm(.mmi, isOptional: true),
        \Quake.alert: SQLTerm(.alert, isOptional: true),
        \Quake.status: SQLTerm(.status, isOptional: true),
        \Quake.tsunami: SQLTerm(.tsunami, isOptional: true),
        \Quake.significance: SQLTerm(.sig, isOptional: true),
        \Quake.stationCount: SQLTerm(.nst, isOptional: true),
        \Quake.nearestStationDegrees: SQLTerm(.dmin, isOptional: true),
        \Quake.residualSeconds: SQLTerm(.rms, isOptional: true),
        \Quake.azimuthalGap: SQLTerm(.gap, isOptional: true),
        \Quake.eventType: SQLTerm(.type, isOptional: true),
    ]
}

protocol PredicateValue {
    func term(in scope: PredicateScope) -> SQLTerm?
    /// The path from the quake to the value; nil if it is none of the quake's.
    func path(in scope: PredicateScope) -> AnyKeyPath?
}

extension PredicateValue {
    func path(in scope: PredicateScope) -> AnyKeyPath? { nil }
}

extension PredicateExpressions.Variable: PredicateValue {
    func term(in scope: PredicateScope) -> SQLTerm? {
        if case .term(let term)? = scope.variables[key] { term } else { nil }
    }

    func path(in scope: PredicateScope) -> AnyKeyPath? {
        if case .quake? = scope.variables[key] { \Quake.self } else { nil }
    }
}

extension PredicateExpressions.KeyPath: PredicateValue {
    func term(in scope: PredicateScope) -> SQLTerm? { path(in: scope).flatMap { scope.columns[$0] } }

    func path(in scope: PredicateScope) -> AnyKeyPath? {
        (root as? any PredicateValue)?.path(in: scope)?.appending(path: keyPath)
    }
}

extension PredicateExpressions.Value: PredicateValue {
    func term(in scope: PredicateScope) -> SQLTerm? { SQLTerm(constant: value) }
}

extension PredicateExpressions.NilLiteral: PredicateValue {
    func term(in scope: PredicateScope) -> SQLTerm? { SQLTerm(constant: Double?.none as Any) }
}

extension PredicateExpressions.UnaryMinus: PredicateValue {
    func term(in scope: PredicateScope) -> SQLTerm? {
        guard let term = scope.term(wrapped), case .real(let number)? = term.values.first,
            term.sql == "?"
        else { return nil }
        return SQLTerm(constant: -number)
    }
}

extension PredicateExpressions.NilCoalesce: PredicateValue {
    func term(in scope: PredicateScope) -> SQLTerm? {
        guard let value = scope.term(lhs), value.text == .none,
            let other = scope.term(rhs), other.text == .none
        else { return nil }
        var term = SQLTerm(sql: "ifnull(\(value.sql), \(other.sql))", value.values + other.values)
        term.isOptional = other.isOptional
        return term
    }
}

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
        guard let condition = scope.condition(predicate.expression),
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
