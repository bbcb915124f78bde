/// A member of the JSON object that contains the conditions of a covered range.
package struct FilterJSONMember: Sendable {
    /// The name of the member, such as `min_mag`.
    package let name: String
    /// Returns the value in a filter; nil if the filter does not set it.
    package let get: @Sendable (QuakeFilter) -> FilterValue?
    /// Sets the value in a filter. A value of the wrong type is ignored.
    package let set: @Sendable (inout QuakeFilter, FilterValue) -> Void
}
