import Glibc

/// The sanitizer that the tests and the programs beside them were built with: `make sanitize`.
///
/// It multiplies memory and time, and reserves terabytes of addresses. A test that is about those limits, or that drives
/// the program from outside thousands of times, has no point then.
public enum Sanitizer {
    /// Whether a sanitizer looks on.
    public static let isActive = ["__tsan_init", "__asan_init"].contains { (name: String) in dlsym(nil, name) != nil }
}
