import Glibc

/// The sanitizer with which the tests and programs were built (`make sanitize`).
///
/// It multiplies memory and time, and reserves terabytes of addresses. Tests of those limits, and tests that run the
/// program thousands of times, are pointless then.
public enum Sanitizer {
    /// Whether a sanitizer is active.
    public static let isActive = ["__tsan_init", "__asan_init"].contains { (name: String) in dlsym(nil, name) != nil }
}
