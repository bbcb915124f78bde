import QuakeFeed
import QuakeModel
import QuakeOutput

extension ErrorMessage {
    /// The text for each reason why a feed could not be downloaded or read.
    init(_ error: FeedError) {
        switch error {
        case .unreadable(let path, let reason): self.init("\(path) cannot be read: \(reason).", nil, .unusableFeed)
        case .document(let error, let source): self.init(error, source)
        case .transport(let error): self.init(error)
        case .status(let status, let url):
            let advice =
                switch status {
                case 400: "Check the query; if it asks for more than 20,000 quakes, ask for a shorter time."
                case 404: "Check the address."
                default: "Try again later."
                }
            self.init("\(url) answered with status \(status).", advice, .serverUnavailable)
        case .tryLater(let moment, let status, let host):
            self.init(
                "\(host) asked not to be called before \(moment.iso8601) (status \(status)).", nil, .tryLater)
        case .notTheAddressOfAQuery(let url):
            self.init("\(url) is not the address of an event service.", "It must end with /query.", .usage)
        case .unsupportedCondition(let condition):
            self.init("The event service cannot be asked by \(condition).", nil, .usage)
        }
    }

    private init(_ error: DocumentError, _ source: String) {
        let remedy =
            error == .compressed ? "Unpack it on the way: zcat \(source) | quakes refresh -" : "The cache is unchanged."
        let words =
            if case .outsideWindow(let count, let total, source) = error {
                "\(count) of its \(total) quakes lie outside the times that were asked for"
            } else { error.words }
        self.init("\(source) is not a valid feed: \(words).", remedy, .unusableFeed)
    }

    private init(_ error: TransportError) {
        switch error {
        case .unsupportedURL(let url): self.init("\(url) is not an http or https address.", nil, .usage)
        case .hostIsIPv6Number(let host):
            self.init(
                "The host [\(host)] cannot be asked: IPv6 numbers do not work in addresses.",
                "Use a name for it, such as one in /etc/hosts.", .usage)
        case .nameNotResolved(let host, _):
            self.init("The name \(host) cannot be resolved.", "Check the network.", .serverUnavailable)
        case .cannotConnect(let host, let cause):
            self.init("\(host) cannot be reached (\(cause)).", "Check the network.", .serverUnavailable)
        case .secureConnectionFailed(let host, let cause):
            self.init(
                "A secure connection to \(host) failed (\(cause)).",
                "Check the address, and the clock of this machine.", .serverUnavailable)
        case .connectionLost(let host, let cause):
            self.init("The connection to \(host) was lost (\(cause)).", "Try again.", .serverUnavailable)
        case .proxyRefused(let host, let cause):
            self.init(
                "The proxy refuses to connect to \(host) (\(cause)).", "Check $https_proxy and $no_proxy.",
                .serverUnavailable)
        case .notHTTP(let host, let cause):
            self.init("\(host) does not speak HTTP (\(cause)).", nil, .serverUnavailable)
        case .deadlineExceeded(let seconds):
            self.init(
                "There was no complete answer within \(Duration.seconds(seconds).words).",
                "Try again, or allow more time with --timeout.", .serverUnavailable)
        case .bodyTooLarge(let limit):
            self.init(
                "The answer is larger than \(limit / 1_048_576) MiB and was refused.", "The cache is unchanged.",
                .unusableFeed)
        case .bodyTooFragmented(let pieces, let received):
            self.init(
                "The answer was refused: it came in \(pieces) pieces for \(received) bytes.",
                "The cache is unchanged.", .unusableFeed)
        case .bodyTruncated(let received, let cause):
            self.init(
                "The answer ended early, after \(received) bytes (\(cause)).", "The cache is unchanged; try again.",
                .unusableFeed)
        case .redirectRefused(let from, let to):
            self.init("\(from) redirects to \(to), which is not secure.", nil, .serverUnavailable)
        case .redirectUnusable(let from, let to):
            self.init("\(from) redirects to \(to), which is not a usable address.", nil, .serverUnavailable)
        case .tooManyRedirects(let limit):
            self.init("The server redirected more than \(limit) times.", nil, .serverUnavailable)
        case .interrupted: self.init("The download was interrupted.", nil, .serverUnavailable)
        case .helperMissing(let searched):
            self.init(
                "The download helper quakes-fetch is missing (looked at \(searched.joined(separator: ", "))).",
                "Install quakes again: it consists of both programs.", .failure)
        case .helperCrashed(let signal, let host?, let detail):
            self.init(
                "The connection to \(host) was lost: the download helper quakes-fetch crashed (signal \(signal)).",
                "Try again.", .serverUnavailable)
            self.detail = "the helper wrote: \(detail)"
        case .helperCrashed(let signal, nil, let detail):
            self.init("The download helper quakes-fetch crashed (signal \(signal)).", "Try again.", .failure)
            self.detail = "the helper wrote: \(detail)"
        case .helperFailed(let status, let detail):
            self.init("The download helper quakes-fetch failed (status \(status): \(detail)).", nil, .failure)
        case .spoolFailed(let directory, let cause):
            self.init(
                "The download could not be stored in \(directory) (\(cause)).", "Free some space, or set TMPDIR.",
                .storageFailure)
        }
    }
}

extension DocumentError {
    /// What is wrong with the document, as the end of a sentence.
    var words: String {
        switch self {
        case .empty: "it is empty"
        case .webPage: "it is a web page, not JSON"
        case .compressed: "it is compressed with gzip"
        case .truncated(let bytes): "it ends early, after \(bytes) bytes"
        case .miscounted(let found, let said): "it has \(found) features and says that it has \(said)"
        case .notJSON(let offset, let reason): "it is not JSON (\(reason), at byte \(offset))"
        case .notAFeatureCollection(let found): "a FeatureCollection was expected, this is \(found)"
        case .notAFeature(let found): "it is \(found), not a Feature"
        case .sourceFailure(let status, let title):
            "its source reports a failure (status \(status)\(title.map { ", \($0)" } ?? ""))"
        case .otherFeed(let asked, let found): "\(asked) was requested, but this is \(found)"
        case .fromTheFuture(let generated, let now):
            "it was generated at \(generated.iso8601), but the clock of this machine says \(now.iso8601)"
        case .outsideWindow(let count, let total, let name):
            "\(count) of its \(total) quakes lie outside the window of \(name)"
        case .mostlyUnreadable(let count, let total, let first):
            "\(count) of its \(total) features cannot be read, the first being \(first.words)"
        case .badFeatures(let skipped):
            "\(skipped.count) of its features cannot be read, first \(skipped.first?.words ?? "unknown")"
        case .tooLarge(let limit): "it is larger than \(limit / 1_048_576) MiB"
        }
    }
}

extension SkippedFeature {
    /// The feature and what is wrong with it.
    var words: String {
        "number \(position)\(id.map { " (\($0))" } ?? ""): \(defect.words)"
    }
}

extension FeatureDefect {
    /// What is wrong with the feature.
    var words: String {
        switch self {
        case .notAnObject: "it is not an object"
        case .notJSON(let reason): "it is not JSON (\(reason))"
        case .missing(let member): "\(member) is missing"
        case .wrongKind(let member, let expected): "\(member) is not \(expected)"
        case .outOfRange(let member, let value): "\(member) cannot be \(value)"
        case .idMismatch(let id, let net, let code):
            "the id \(id) does not consist of its network \(net) and code \(code)"
        case .duplicate(let id): "\(id) is listed twice"
        }
    }
}
