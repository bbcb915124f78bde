import CQuakes
import Glibc

extension Timestamp {
    /// Parses the three date formats of HTTP (RFC 9110, 5.6.7), all in UTC:
    /// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
    init?(httpDate text: String) {
        var fields = tm()
        let formats = [" %a, %d %b %Y %T", " %a, %d-%b-%y %T", " %a %b %d %T %Y"]
        guard formats.contains(where: { strptime(text, $0, &fields) != nil }), fields.tm_year >= 70 else { return nil }
        self.init(milliseconds: Int64(timegm(&fields)) * 1000)
    }
}
