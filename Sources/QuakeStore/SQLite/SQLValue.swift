import CQuakesSQLite

/// A value that a statement can bind.
protocol SQLValue {
    /// The number of parameters to which the value is bound.
    var parameterCount: Int32 { get }
    func bind(to statement: Statement, at index: Int32) throws
}

extension SQLValue {
    var parameterCount: Int32 { 1 }
}

/// Makes SQLite copy the bytes before the call returns.
var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

/// The address of an empty string, because a null address would mean NULL.
private var emptyText: UnsafePointer<CChar> {
    UnsafeRawPointer(StaticString("").utf8Start).assumingMemoryBound(to: CChar.self)
}

extension Int64: SQLValue {
    func bind(to statement: Statement, at index: Int32) throws {
        try statement.check(sqlite3_bind_int64(statement.handle, index, self))
    }
}

extension Int: SQLValue {
    func bind(to statement: Statement, at index: Int32) throws { try Int64(self).bind(to: statement, at: index) }
}

extension Double: SQLValue {
    func bind(to statement: Statement, at index: Int32) throws {
        try statement.check(sqlite3_bind_double(statement.handle, index, self))
    }
}

/// Every string enters the cache through this extension, which removes U+0000.
extension String: SQLValue {
    func bind(to statement: Statement, at index: Int32) throws {
        var text = self
        if hasZeroByte { text.unicodeScalars.removeAll { $0.value == 0 } }
        try text.withUTF8 { bytes in
            try bytes.withMemoryRebound(to: CChar.self) {
                let start = $0.baseAddress ?? emptyText
                let count = UInt64($0.count)
                try statement.check(
                    sqlite3_bind_text64(statement.handle, index, start, count, transient, UInt8(SQLITE_UTF8)))
            }
        }
    }
}

extension Optional: SQLValue where Wrapped: SQLValue {
    func bind(to statement: Statement, at index: Int32) throws {
        if let self { try self.bind(to: statement, at: index) } else { try statement.bindNull(index) }
    }
}

extension QuakeValue: SQLValue {
    func bind(to statement: Statement, at index: Int32) throws {
        switch self {
        case .null: try statement.bindNull(index)
        case .integer(let integer): try integer.bind(to: statement, at: index)
        case .real(let real): try real.bind(to: statement, at: index)
        case .text(let text): try text.bind(to: statement, at: index)
        }
    }
}

/// Several values, for parameters that follow one another.
extension [QuakeValue]: SQLValue {
    var parameterCount: Int32 { Int32(count) }

    func bind(to statement: Statement, at index: Int32) throws {
        for (offset, value) in enumerated() { try value.bind(to: statement, at: index + Int32(offset)) }
    }
}
