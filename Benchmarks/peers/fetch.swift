import Foundation
import FoundationNetworking

// The least that a program built on URLSession needs for one response: `fetch URL [ETAG]`. The body is discarded.

guard CommandLine.arguments.count > 1, let url = URL(string: CommandLine.arguments[1]) else {
    print("usage: fetch URL [ETAG]")
    exit(64)
}
var request = URLRequest(url: url)
request.setValue("gzip", forHTTPHeaderField: "Accept-Encoding")
if CommandLine.arguments.count > 2 {
    request.setValue(CommandLine.arguments[2], forHTTPHeaderField: "If-None-Match")
}
let done = DispatchSemaphore(value: 0)
nonisolated(unsafe) var status = 0
URLSession(configuration: .ephemeral).dataTask(with: request) { _, response, _ in
    status = (response as? HTTPURLResponse)?.statusCode ?? 0
    done.signal()
}.resume()
done.wait()
exit(status == 200 || status == 304 ? 0 : 1)
