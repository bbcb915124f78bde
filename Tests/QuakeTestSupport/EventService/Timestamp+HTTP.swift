import Glibc
public import QuakeModel

extension Timestamp {
    /// The moment in the form of an HTTP header: `Sat, 14 Mar 2026 12:00:00 GMT`.
    public var httpDate: String {
        var seconds = time_t(milliseconds / 1000)
        var fields = tm()
        gmtime_r(&seconds, &fields)
        var text = [CChar](repeating: 0, count: 40)
        let length = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &fields)
        return String(decoding: text[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
