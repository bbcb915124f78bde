/// Everything about one condition of a ``QuakeFilter``, or about a minimum and maximum for the same value.
package struct FilterRow: Sendable {
    let member: String
    /// Whether the condition favors large quakes.
    let selectsBySize: Bool
    /// Returns the tests for a filter; empty if the filter does not set this condition.
    let conditions: @Sendable (QuakeFilter) -> [FilterCondition]
    /// Returns the words for this condition in the headline of a filter; nil if the filter does not set the condition.
    let words: @Sendable (QuakeFilter) -> String?
    /// The form of the condition in event service queries; nil if the service does not support it.
    package var service: Service?

    /// The form of a condition in event service queries. A covered range can have only conditions that have this form.
    package struct Service: Sendable {
        /// Returns the query parameters, each with one or more values.
        package let parameters: @Sendable (QuakeFilter) -> [(name: String, values: [String])]
        /// The members in the JSON of a covered range, as stored in the cache and printed by `status`.
        package let members: [FilterJSONMember]
    }
}

// MARK: Common conditions

extension FilterRow {
    /// Returns the row for an inclusive minimum and maximum of a number.
    ///
    /// - Parameter service: the names of the minimum and maximum in event service queries and in the JSON of coverage;
    ///   nil if the service does not support the condition.
    static func range(
        _ least: any WritableKeyPath<QuakeFilter, Double?> & Sendable,
        _ most: any WritableKeyPath<QuakeFilter, Double?> & Sendable,
        of property: QuakeProperty, bySize: Bool, after name: String, unit: String = "",
        service: (parameters: [String], members: [String])? = nil
    ) -> FilterRow {
        FilterRow(
            member: property.rawValue, selectsBySize: bySize,
            conditions: { filter in
                [
                    filter[keyPath: least].map { .atLeast(property, .real($0)) },
                    filter[keyPath: most].map { .atMost(property, .real($0)) },
                ].compactMap(\.self)
            },
            words: { filter in
                let bounds = [least, most].map { filter[keyPath: $0].map { PlainNumber.text($0) } }
                return switch (bounds[0], bounds[1]) {
                case (let least?, let most?): "\(name)\(least) to \(most)\(unit)"
                case (let least?, nil): "\(name)\(least)\(unit.isEmpty ? "+" : unit + " or more")"
                case (nil, let most?): "\(name)\(most)\(unit) or less"
                case (nil, nil): nil
                }
            },
            service: service.map { service in
                let paths = [least, most]
                return Service(
                    parameters: { filter in
                        zip(service.parameters, paths).compactMap { name, path in
                            filter[keyPath: path].map { (name, ["\($0)"]) }
                        }
                    },
                    members: zip(service.members, paths).map { name, path in
                        FilterJSONMember(name: name) {
                            $0[keyPath: path].map(FilterValue.number)
                        } set: { filter, value in
                            if case .number(let number) = value { filter[keyPath: path] = number }
                        }
                    })
            })
    }

    /// Returns the row for an inclusive minimum of an integer.
    static func least(
        _ path: any KeyPath<QuakeFilter, Int?> & Sendable, _ member: String, of property: QuakeProperty,
        bySize: Bool, words: @escaping @Sendable (Int) -> String
    ) -> FilterRow {
        FilterRow(
            member: member, selectsBySize: bySize,
            conditions: { $0[keyPath: path].map { [.atLeast(property, .integer(Int64($0)))] } ?? [] },
            words: { $0[keyPath: path].map(words) })
    }

    /// Returns the row for allowed words, and excluded words that start with `!`. The case of ASCII letters is ignored.
    ///
    /// - Parameter service: the condition's name in event service queries and in the JSON of coverage; nil if the
    ///   service does not support the condition.
    static func words(
        _ path: any WritableKeyPath<QuakeFilter, Set<String>> & Sendable, _ member: String, of property: QuakeProperty,
        bySize: Bool, as noun: String, service: (parameter: String, member: String)? = nil
    ) -> FilterRow {
        FilterRow(
            member: member, selectsBySize: bySize,
            conditions: { filter in
                let excluded = filter[keyPath: path].excluded
                let allowed = filter[keyPath: path].allowed
                return (allowed.isEmpty ? [] : [.among(property, allowed.withoutZeroBytes)])
                    + (excluded.isEmpty ? [] : [.noneOf(property, excluded.withoutZeroBytes)])
            },
            words: { filter in
                let set = filter[keyPath: path]
                let words = set.allowed.sorted() + set.excluded.sorted().map { "not " + $0 }
                return words.isEmpty ? nil : "\(noun) \(words.joined(separator: ", "))"
            },
            service: service.map { service in
                Service(
                    parameters: { filter in
                        let words = filter[keyPath: path].sorted()
                        return words.isEmpty ? [] : [(service.parameter, words)]
                    },
                    members: [
                        FilterJSONMember(name: service.member) { filter in
                            filter[keyPath: path].isEmpty ? nil : .words(filter[keyPath: path].sorted())
                        } set: { filter, value in
                            if case .words(let words) = value { filter[keyPath: path] = Set(words) }
                        }
                    ])
            })
    }

    /// Returns the row for a set of strings, at least one of which must match the place name.
    static func texts(
        _ path: any KeyPath<QuakeFilter, Set<String>> & Sendable, _ member: String,
        _ condition: @escaping @Sendable (Set<String>) -> FilterCondition,
        words: @escaping @Sendable ([String]) -> String
    ) -> FilterRow {
        FilterRow(
            member: member, selectsBySize: false,
            conditions: { $0[keyPath: path].isEmpty ? [] : [condition($0[keyPath: path].withoutZeroBytes)] },
            words: { $0[keyPath: path].isEmpty ? nil : words($0[keyPath: path].sorted()) })
    }
}

extension Set<String> {
    /// The words without a leading `!`, one of which must match.
    fileprivate var allowed: Set { filter { !$0.hasPrefix("!") } }
    /// The words with a leading `!`, which is removed; none of them may match.
    fileprivate var excluded: Set { Set(filter { $0.hasPrefix("!") }.map { String($0.dropFirst()) }) }

    /// The strings without U+0000. Stored text never contains that character, and SQLite might compare only the text
    /// before it.
    fileprivate var withoutZeroBytes: Set { filter { !$0.hasZeroByte } }
}
