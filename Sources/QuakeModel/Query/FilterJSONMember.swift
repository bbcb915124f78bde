/// A member of the JSON object for the conditions of a covered range.
package struct FilterJSONMember: Sendable {
    /// The name of the option, with underscores.
    package let name: String
    /// Returns the value in a filter; nil if the filter does not set it.
    package let get: @Sendable (QuakeFilter) -> FilterValue?
    /// Sets the value in a filter. A value of the wrong type is ignored.
    package let set: @Sendable (inout QuakeFilter, FilterValue) -> Void
}
