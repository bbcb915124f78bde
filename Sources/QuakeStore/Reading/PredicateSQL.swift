import FoundationEssentials

/// The part of a `Predicate<Quake>` that SQL can test: conditions that every accepted quake meets.
///
/// Comparisons of stored numbers or times with constants are translated, alone or joined by `&&`. The predicate itself
/// then tests the selected quakes in memory.
struct PredicateSQL {
    private(set) var conditions: [String] = []
    private(set) var values: [QuakeValue] = []
    /// The SQL for the values of variables other than the quake.
    fileprivate var variables: [PredicateExpressions.VariableID: SQLOperand] = [:]

    private let predicate: Predicate<Quake>

    init(_ predicate: Predicate<Quake>) {
        self.predicate = predicate
        add(predicate.expression)
    }

    /// Whether the predicate accepts the quake. A quake is not accepted if the evaluation force-unwraps a value that
    /// the quake lacks.
    func accepts(_ quake: Quake) throws -> Bool {
        do {
            return try predicate.evaluate(quake)
        } catch let error as PredicateError where error == .forceUnwrapFailure {
            return false
        }
    }

    fileprivate mutating func add(_ part: Any) { (part as? any NarrowingExpression)?.narrow(&self) }

    fileprivate mutating func add(_ left: Any, _ sign: String, _ right: Any) {
        guard let left = operand(left), let right = operand(right) else { return }
        conditions.append("\(left.sql) \(sign) \(right.sql)")
        values += left.values + right.values
    }

    fileprivate func operand(_ part: Any) -> SQLOperand? { (part as? any OperandExpression)?.operand(in: self) }
}

/// A number or time as an SQL expression, which is NULL if the quake lacks the value.
private struct SQLOperand {
    var sql: String
    var values: [QuakeValue] = []

    init(_ sql: String, _ values: [QuakeValue] = []) {
        self.sql = sql
        self.values = values
    }

    /// The numbers and times that a predicate can name.
    static var columns: [AnyKeyPath: QuakeProperty] {
        [
            \Quake.originTime: .time, \Quake.originTime.milliseconds: .time, \Quake.updated: .updated,
            \Quake.updated.milliseconds: .updated, \Quake.hypocenter.latitude: .lat, \Quake.hypocenter.longitude: .lon,
            \Quake.hypocenter.depthKilometers: .depth, \Quake.magnitude: .mag, \Quake.feltReports: .felt,
            \Quake.communityIntensity: .cdi, \Quake.instrumentalIntensity: .mmi, \Quake.tsunamiFlag: .tsunami,
            \Quake.significance: .sig, \Quake.stationCount: .nst, \Quake.nearestStationDegrees: .dmin,
            \Quake.residualSeconds: .rms, \Quake.azimuthalGapDegrees: .gap,
            \Quake.horizontalErrorKilometers: .horizontalError, \Quake.depthErrorKilometers: .depthError,
            \Quake.magnitudeError: .magError, \Quake.magnitudeStationCount: .magNst, \Quake.timeZoneMinutes: .tz,
        ]
    }
}

private protocol NarrowingExpression {
    func narrow(_ sql: inout PredicateSQL)
}

private protocol OperandExpression {
    func operand(in sql: PredicateSQL) -> SQLOperand?
}

extension PredicateExpressions.Conjunction: NarrowingExpression {
    fileprivate func narrow(_ sql: inout PredicateSQL) {
        sql.add(lhs)
        sql.add(rhs)
    }
}

extension PredicateExpressions.Comparison: NarrowingExpression {
    fileprivate func narrow(_ sql: inout PredicateSQL) {
        switch op {
        case .lessThan: sql.add(lhs, "<", rhs)
        case .lessThanOrEqual: sql.add(lhs, "<=", rhs)
        case .greaterThan: sql.add(lhs, ">", rhs)
        case .greaterThanOrEqual: sql.add(lhs, ">=", rhs)
        @unknown default: break
        }
    }
}

extension PredicateExpressions.Equal: NarrowingExpression {
    fileprivate func narrow(_ sql: inout PredicateSQL) { sql.add(lhs, "IS", rhs) }
}

extension PredicateExpressions.RangeExpressionContains: NarrowingExpression {
    fileprivate func narrow(_ sql: inout PredicateSQL) {
        let constant: Any? = (range as? PredicateExpressions.Value<RangeExpression.Output>)?.value
        guard let (lower, upper, sign) = ((constant ?? range) as? any RangeExpressionBounds)?.bounds else { return }
        sql.add(element, ">=", lower)
        sql.add(element, sign, upper)
    }
}

extension PredicateExpressions.NilCoalesce: NarrowingExpression, OperandExpression {
    /// Handles `if let … else { false }` and comparisons after optional chaining (`?`).
    fileprivate func narrow(_ sql: inout PredicateSQL) {
        if (rhs as? PredicateExpressions.Value<Bool>)?.value == false { sql.add(lhs) }
    }

    fileprivate func operand(in sql: PredicateSQL) -> SQLOperand? {
        guard let value = sql.operand(lhs), let other = sql.operand(rhs) else { return nil }
        return SQLOperand("ifnull(\(value.sql), \(other.sql))", value.values + other.values)
    }
}

extension PredicateExpressions.OptionalFlatMap: NarrowingExpression {
    fileprivate func narrow(_ sql: inout PredicateSQL) {
        sql.variables[variable.key] = sql.operand(wrapped)
        // Properties of another quake are not columns.
        if Wrapped.self != Quake.self { sql.add(transform) }
    }
}

private protocol RangeExpressionBounds {
    /// The bounds, and the comparison operator for the upper bound.
    var bounds: (lower: Any, upper: Any, sign: String) { get }
}

extension Range: RangeExpressionBounds {
    fileprivate var bounds: (lower: Any, upper: Any, sign: String) {
        (PredicateExpressions.Value(lowerBound), PredicateExpressions.Value(upperBound), "<")
    }
}

extension ClosedRange: RangeExpressionBounds {
    fileprivate var bounds: (lower: Any, upper: Any, sign: String) {
        (PredicateExpressions.Value(lowerBound), PredicateExpressions.Value(upperBound), "<=")
    }
}

extension PredicateExpressions.ClosedRange: RangeExpressionBounds {
    fileprivate var bounds: (lower: Any, upper: Any, sign: String) { (lower, upper, "<=") }
}

extension PredicateExpressions.Range: RangeExpressionBounds {
    fileprivate var bounds: (lower: Any, upper: Any, sign: String) { (lower, upper, "<") }
}

private protocol QuakePath {
    var path: AnyKeyPath? { get }
}

extension PredicateExpressions.KeyPath: OperandExpression, QuakePath {
    fileprivate func operand(in sql: PredicateSQL) -> SQLOperand? {
        path.flatMap { SQLOperand.columns[$0] }.map { SQLOperand("\($0)") }
    }

    /// The path from the quake to the value; nil if the expression does not start at the quake.
    fileprivate var path: AnyKeyPath? {
        root is PredicateExpressions.Variable<Quake>
            ? keyPath : (root as? any QuakePath)?.path?.appending(path: keyPath)
    }
}

extension PredicateExpressions.Variable: OperandExpression {
    fileprivate func operand(in sql: PredicateSQL) -> SQLOperand? { sql.variables[key] }
}

extension PredicateExpressions.Value: OperandExpression {
    /// Returns nil for a constant that SQL and Swift compare differently.
    fileprivate func operand(in sql: PredicateSQL) -> SQLOperand? {
        switch value {
        case let number as Double where !number.isNaN: SQLOperand("?", [.real(number)])
        case let number as Int: SQLOperand("?", [.integer(Int64(number))])
        case let number as Int64: SQLOperand("?", [.integer(number)])
        case let moment as Timestamp: SQLOperand("?", [.integer(moment.milliseconds)])
        default: nil
        }
    }
}

extension PredicateExpressions.UnaryMinus: OperandExpression {
    fileprivate func operand(in sql: PredicateSQL) -> SQLOperand? {
        sql.operand(wrapped).map { SQLOperand("- \($0.sql)", $0.values) }
    }
}

extension PredicateExpressions.ForcedUnwrap: OperandExpression {
    fileprivate func operand(in sql: PredicateSQL) -> SQLOperand? { sql.operand(inner) }
}
