import FoundationEssentials

/// A part of a predicate that is true or false. Its condition is never NULL.
protocol PredicateCondition {
    func condition(in scope: PredicateScope) -> PredicateSQL?
}

extension PredicateExpressions.Conjunction: PredicateCondition {
    func condition(in scope: PredicateScope) -> PredicateSQL? {
        switch (scope.condition(lhs), scope.condition(rhs)) {
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
        guard let left = scope.condition(lhs), let right = scope.condition(rhs) else { return nil }
        return left.joined("OR", right)
    }
}

extension PredicateExpressions.Negation: PredicateCondition {
    func condition(in scope: PredicateScope) -> PredicateSQL? {
        // What accepts too much refuses too little.
        guard let condition = scope.condition(wrapped), condition.isExact else { return nil }
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
        guard let left = scope.number(lhs), let right = scope.number(rhs) else { return nil }
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
        guard let left = scope.term(lhs), let right = scope.term(rhs) else { return nil }
        return equality(left, right)
    }
}

extension PredicateExpressions.NotEqual: PredicateCondition {
    func condition(in scope: PredicateScope) -> PredicateSQL? {
        guard let left = scope.term(lhs), let right = scope.term(rhs) else { return nil }
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

/// Whether a text is one of several: one list, because a chain of comparisons may be deeper than SQLite takes.
private func membership(of element: SQLTerm, in terms: [SQLTerm]) -> PredicateSQL {
    let texts = terms.filter { $0.sql != "NULL" }
    let isAnyText = ([element] + texts).contains { $0.text == .any }
    func side(_ term: SQLTerm) -> String { isAnyText ? "folded(\(term.sql))" : term.sql }
    let list = PredicateSQL(
        "ifnull(\(side(element)) IN (\(texts.map(side).joined(separator: ", "))), FALSE)",
        element.values + texts.flatMap(\.values), isExact: !isAnyText)
    return texts.count == terms.count
        ? list : list.joined("OR", PredicateSQL("\(element.sql) IS NULL", element.values))
}

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
        guard var value = scope.term(wrapped), let orElse else { return nil }
        value.isOptional = false
        var inner = scope
        inner.variables[variable.key] = .term(value)
        guard let condition = inner.condition(transform) else { return nil }
        return PredicateSQL(
            "iif(\(value.sql) IS NULL, \(orElse.sql), \(condition.sql))",
            value.values + orElse.values + condition.values, isExact: condition.isExact && orElse.isExact)
    }
}

extension PredicateExpressions.NilCoalesce: PredicateCondition {
    func condition(in scope: PredicateScope) -> PredicateSQL? {
        (lhs as? any PredicateOptionalCondition)?.condition(in: scope, orElse: scope.condition(rhs))
    }
}

extension PredicateExpressions.CollectionContainsCollection: PredicateCondition {
    func condition(in scope: PredicateScope) -> PredicateSQL? {
        guard let text = scope.term(base), text.text != .none, !text.isOptional,
            let part = scope.term(other), part.text != .none, !part.isOptional
        else { return nil }
        return PredicateSQL(
            "(instr(folded(\(text.sql)), folded(\(part.sql))) > 0)", text.values + part.values, isExact: false)
    }
}

extension PredicateExpressions.SequenceContains: PredicateCondition {
    func condition(in scope: PredicateScope) -> PredicateSQL? {
        guard let element = scope.term(element), element.text != .none,
            let texts = (sequence as? any PredicateConstant)?.constant as? any Sequence
        else { return nil }
        var terms: [SQLTerm] = []
        for text in texts {
            guard let term = SQLTerm(constant: text) else { return nil }
            terms.append(term)
        }
        return membership(of: element, in: terms)
    }
}

extension PredicateExpressions.RangeExpressionContains: PredicateCondition {
    func condition(in scope: PredicateScope) -> PredicateSQL? {
        guard let element = scope.number(element),
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
    guard let lower = scope.number(lower), let upper = scope.number(upper) else { return nil }
    return (lower, upper, isClosed)
}
