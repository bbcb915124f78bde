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

    /// The condition for `predicate`; nil if SQL can say nothing about it.
    init?(_ predicate: Predicate<Quake>) {
        let scope = PredicateScope(variables: [predicate.variable.key: .quake])
        guard let condition = (predicate.expression as? any PredicateCondition)?.condition(in: scope) else {
            return nil
        }
        self = condition
    }

    init(_ sql: String, _ values: [QuakeValue] = [], isExact: Bool = true) {
        (self.sql, self.values, self.isExact) = (sql, values, isExact)
    }

    func joined(_ word: String, _ other: PredicateSQL) -> PredicateSQL {
        PredicateSQL("(\(sql) \(word) \(other.sql))", values + other.values, isExact: isExact && other.isExact)
    }
}

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

    /// The column of a property.
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
        case let text as String:
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

// MARK: Values

/// A part of a predicate that is a value.
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
        guard let term = (wrapped as? any PredicateValue)?.term(in: scope), case .real(let number)? = term.values.first,
            term.sql == "?"
        else { return nil }
        return SQLTerm(constant: -number)
    }
}

extension PredicateExpressions.NilCoalesce: PredicateValue {
    func term(in scope: PredicateScope) -> SQLTerm? {
        guard let value = (lhs as? any PredicateValue)?.term(in: scope), value.text == .none,
            let other = (rhs as? any PredicateValue)?.term(in: scope), other.text == .none
        else { return nil }
        var term = SQLTerm(sql: "ifnull(\(value.sql), \(other.sql))", value.values + other.values)
        term.isOptional = other.isOptional
        return term
    }
}

// MARK: Conditions

/// A part of a predicate that is true or false. Its condition is never NULL.
protocol PredicateCondition {
    func condition(in scope: PredicateScope) -> PredicateSQL?
}

extension PredicateExpressions.Conjunction: PredicateCondition {
    func condition(in scope: PredicateScope) -> PredicateSQL? {
        let sides = (
            (lhs as? any PredicateCondition)?.condition(in: scope),
            (rhs as? any PredicateCondition)?.condition(in: scope)
        )
        switch sides {
        case (let left?, let right?): return left.joined("AND", right)
        case (var one?, nil), (nil, var one?):
            one.isExact = false
            return one
        case (nil, nil): return nil
        }
    }
}

extension PredicateExpressions.Disjunction: PredicateCondition {
    func condition(in scope: PredicateScope) -> PredicateSQL? {
        guard let left = (lhs as? any PredicateCondition)?.condition(in: scope),
            let right = (rhs as? any PredicateCondition)?.condition(in: scope)
        else { return nil }
        return left.joined("OR", right)
    }
}

extension PredicateExpressions.Negation: PredicateCondition {
    func condition(in scope: PredicateScope) -> PredicateSQL? {
        // What accepts too much refuses too little.
        guard let condition = (wrapped as? any PredicateCondition)?.condition(in: scope), condition.isExact else {
            return nil
        }
        return PredicateSQL("NOT \(condition.sql)", condition.values)
    }
}

extension PredicateExpressions.Value: PredicateCondition {
    func condition(in scope: PredicateScope) -> PredicateSQL? {
        (value as? Bool).map { PredicateSQL($0 ? "TRUE" : "FALSE") }
    }
}

extension PredicateExpressions.Comparison: PredicateCondition {
    func condition(in scope: PredicateScope) -> PredicateSQL? {
        // Swift orders text otherwise than SQL.
        guard let left = (lhs as? any PredicateValue)?.term(in: scope),
            let right = (rhs as? any PredicateValue)?.term(in: scope),
            !left.isOptional, !right.isOptional, left.text == .none, right.text == .none
        else { return nil }
        let sign =
            switch op {
            case .lessThan: "<"
            case .lessThanOrEqual: "<="
            case .greaterThan: ">"
            case .greaterThanOrEqual: ">="
            @unknown default: ""
            }
        return sign.isEmpty ? nil : PredicateSQL("(\(left.sql) \(sign) \(right.sql))", left.values + right.values)
    }
}

extension PredicateExpressions.Equal: PredicateCondition {
    func condition(in scope: PredicateScope) -> PredicateSQL? {
        if let optional = lhs as? any PredicateOptionalCondition {
            // Of what equals false, or nil, SQL says nothing.
            guard let constant = (rhs as? any PredicateConstant)?.constant as? Bool?, constant == true else {
                return nil
            }
            return optional.condition(in: scope, orElse: PredicateSQL("FALSE"))
        }
        guard let left = (lhs as? any PredicateValue)?.term(in: scope),
            let right = (rhs as? any PredicateValue)?.term(in: scope)
        else { return nil }
        return equality(left, right)
    }
}

extension PredicateExpressions.NotEqual: PredicateCondition {
    func condition(in scope: PredicateScope) -> PredicateSQL? {
        guard let left = (lhs as? any PredicateValue)?.term(in: scope),
            let right = (rhs as? any PredicateValue)?.term(in: scope)
        else { return nil }
        let equality = equality(left, right)
        return equality.isExact ? PredicateSQL("NOT \(equality.sql)", equality.values) : nil
    }
}

/// Whether two values are equal: `nil` and `nil` are.
func equality(_ left: SQLTerm, _ right: SQLTerm) -> PredicateSQL {
    let isAnyText = [left.text, right.text].contains(.any) && left.sql != "NULL" && right.sql != "NULL"
    // Of plain text and any text only the characters that are no ASCII differ in form.
    func side(_ term: SQLTerm) -> String { isAnyText ? "folded(\(term.sql))" : term.sql }
    return PredicateSQL("(\(side(left)) IS \(side(right)))", left.values + right.values, isExact: !isAnyText)
}

/// A constant of any type.
protocol PredicateConstant {
    var constant: Any { get }
}

extension PredicateExpressions.Value: PredicateConstant {
    var constant: Any { value }
}

/// A condition on the value of an optional: `if let`, or a call after `?`.
protocol PredicateOptionalCondition {
    func condition(in scope: PredicateScope, orElse: PredicateSQL?) -> PredicateSQL?
}

extension PredicateExpressions.OptionalFlatMap: PredicateOptionalCondition {
    func condition(in scope: PredicateScope, orElse: PredicateSQL?) -> PredicateSQL? {
        guard var value = (wrapped as? any PredicateValue)?.term(in: scope), let orElse else { return nil }
        value.isOptional = false
        var inner = scope
        inner.variables[variable.key] = .term(value)
        guard let condition = (transform as? any PredicateCondition)?.condition(in: inner) else { return nil }
        return PredicateSQL(
            "iif(\(value.sql) IS NULL, \(orElse.sql), \(condition.sql))",
            value.values + orElse.values + condition.values, isExact: condition.isExact && orElse.isExact)
    }
}

extension PredicateExpressions.NilCoalesce: PredicateCondition {
    func condition(in scope: PredicateScope) -> PredicateSQL? {
        (lhs as? any PredicateOptionalCondition)?
            .condition(in: scope, orElse: (rhs as? any PredicateCondition)?.condition(in: scope))
    }
}

extension PredicateExpressions.CollectionContainsCollection: PredicateCondition {
    func condition(in scope: PredicateScope) -> PredicateSQL? {
        guard let text = (base as? any PredicateValue)?.term(in: scope), text.text != .none, !text.isOptional,
            let part = (other as? any PredicateValue)?.term(in: scope), part.text != .none, !part.isOptional
        else { return nil }
        return PredicateSQL(
            "(instr(folded(\(text.sql)), folded(\(part.sql))) > 0)", text.values + part.values, isExact: false)
    }
}

extension PredicateExpressions.SequenceContains: PredicateCondition {
    func condition(in scope: PredicateScope) -> PredicateSQL? {
        guard let element = (element as? any PredicateValue)?.term(in: scope), element.text != .none,
            let texts = (sequence as? any PredicateConstant)?.constant as? any Sequence
        else { return nil }
        return texts.reduce(PredicateSQL("FALSE") as PredicateSQL?) { known, text in
            guard let known, let term = SQLTerm(constant: text) else { return nil }
            return known.joined("OR", equality(element, term))
        }
    }
}

extension PredicateExpressions.RangeExpressionContains: PredicateCondition {
    func condition(in scope: PredicateScope) -> PredicateSQL? {
        guard let element = (element as? any PredicateValue)?.term(in: scope), element.text == .none,
            !element.isOptional,
            let bounds = (range as? any PredicateRange)?.bounds(in: scope)
        else { return nil }
        return PredicateSQL(
            "(\(element.sql) >= \(bounds.lower.sql) AND \(element.sql) \(bounds.isClosed ? "<=" : "<") \(bounds.upper.sql))",
            element.values + bounds.lower.values + element.values + bounds.upper.values)
    }
}

typealias PredicateBounds = (lower: SQLTerm, upper: SQLTerm, isClosed: Bool)

/// A range of numbers or moments.
protocol PredicateRange {
    func bounds(in scope: PredicateScope) -> PredicateBounds?
}

extension PredicateExpressions.ClosedRange: PredicateRange {
    func bounds(in scope: PredicateScope) -> PredicateBounds? { predicateBounds(lower, upper, true, in: scope) }
}

extension PredicateExpressions.Range: PredicateRange {
    func bounds(in scope: PredicateScope) -> PredicateBounds? { predicateBounds(lower, upper, false, in: scope) }
}

func predicateBounds(_ lower: Any, _ upper: Any, _ isClosed: Bool, in scope: PredicateScope) -> PredicateBounds? {
    guard let lower = (lower as? any PredicateValue)?.term(in: scope), !lower.isOptional, lower.text == .none,
        let upper = (upper as? any PredicateValue)?.term(in: scope), !upper.isOptional, upper.text == .none
    else { return nil }
    return (lower, upper, isClosed)
}
