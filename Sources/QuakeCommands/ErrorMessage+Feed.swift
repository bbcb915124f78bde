import QuakeFeed
import QuakeModel

extension ErrorMessage {
    /// The words for why a feed could not be had or read.
    init(_ error: FeedError) {
        switch error {
        case .unreadable(let path, let reason): self.init("\(path) cannot be read: \(reason).", nil, .unusableFeed)
        case .document(let error, let source): self.init(error, source)
        case .transport(let error): self.init(error)
        case .status(let status, let url):
            self.init(
                "\(url) answered with status \(status).",
                status == 404 ? "Check the address." : "Try again later.", .serverUnavailable)
        case .tryLater(let moment, let status, let host):
            self.init(
                "\(host) asked not to be called before \(moment.iso8601) (status \(status)).", nil, .tryLater)
        }
    }

    private init(_ error: DocumentError, _ source: String) {
        self.init("\(source) is not a feed to be believed: \(error.words).", "The cache is untouched.", .unusableFeed)
    }

    private init(_ error: TransportError) {
        switch error {
        case .unsupportedURL(let url): self.init("\(url) is no http or https address.", nil, .usage)
        case .nameNotResolved(let host, _):
            self.init("The name \(host) cannot be resolved.", "Check the network.", .serverUnavailable)
        case .cannotConnect(let host, let cause):
            self.init("\(host) cannot be reached (\(cause)).", "Check the network.", .serverUnavailable)
        case .secureConnectionFailed(let host, let cause):
            self.init("No secure connection to \(host) (\(cause)).", nil, .serverUnavailable)
        case .connectionLost(let host, let cause):
            self.init("The connection to \(host) was lost (\(cause)).", "Try again.", .serverUnavailable)
        case .notHTTP(let host, let cause):
            self.init("\(host) does not speak HTTP (\(cause)).", nil, .serverUnavailable)
        case .deadlineExceeded(let seconds):
            self.init(
                "The download took longer than \(Duration.seconds(seconds).words) and was given up.",
                "Try again, or give it more time with --timeout.", .serverUnavailable)
        case .bodyTooLarge(let limit):
            self.init(
                "The answer is larger than \(limit / 1_048_576) MiB and was refused.", "The cache is untouched.",
                .unusableFeed)
        case .bodyTruncated(let received, let cause):
            self.init(
                "The answer broke off after \(received) bytes (\(cause)).", "The cache is untouched; try again.",
                .unusableFeed)
        case .redirectRefused(let from, let to):
            self.init("\(from) redirects to \(to), which is less safe.", nil, .serverUnavailable)
        case .tooManyRedirects(let limit):
            self.init("The server redirected more than \(limit) times.", nil, .serverUnavailable)
        case .interrupted: self.init("The download was interrupted.", nil, .serverUnavailable)
        case .helperMissing(let searched):
            self.init(
                "The download helper quakes-fetch is missing (looked at \(searched.joined(separator: ", "))).",
                "Install quakes again; both programs belong together.", .failure)
        case .helperFailed(let status, let detail):
            self.init("The download helper quakes-fetch failed (status \(status): \(detail)).", nil, .failure)
        case .spoolFailed(let directory, let cause):
            self.init(
                "The download could not be kept in \(directory) (\(cause)).", "Make room or set TMPDIR.",
                .storageFailure)
        }
    }
}

extension DocumentError {
    /// What is wrong, as the end of a sentence.
    var words: String {
        switch self {
        case .empty: "it is empty"
        case .webPage: "it is a web page, not JSON"
        case .truncated(let bytes): "it ends too early, after \(bytes) bytes"
        case .notJSON(let offset, let reason): "it is not JSON (\(reason), at byte \(offset))"
        case .notAFeatureCollection(let found): "a FeatureCollection with its features was expected, this is \(found)"
        case .notAFeature(let found): "it is \(found), not a Feature"
        case .sourceFailure(let status, let title):
            "its source reports a failure (status \(status)\(title.map { ", \($0)" } ?? ""))"
        case .otherFeed(let asked, let found): "\(asked) was asked for, \(found) came"
        case .fromTheFuture(let generated, let now):
            "it was made at \(generated.iso8601), while this machine's clock says \(now.iso8601)"
        case .outsideWindow(let count, let total, let name):
            "\(count) of its \(total) quakes lie outside the window of \(name)"
        case .mostlyUnreadable(let count, let total, let first):
            "\(count) of its \(total) features cannot be read, the first being \(first.words)"
        case .badFeatures(let skipped):
            "\(skipped.count) of its features cannot be read, the first being \(skipped.first?.words ?? "unknown")"
        case .tooLarge(let limit): "it is larger than \(limit / 1_048_576) MiB"
        }
    }
}

extension SkippedFeature {
    /// Which feature and what is wrong with it.
    var words: String {
        "number \(position)\(id.map { " (\($0))" } ?? ""): \(defect.words)"
    }
}

extension FeatureDefect {
    /// What is wrong.
    var words: String {
        switch self {
        case .notAnObject: "it is not an object"
        case .notJSON(let reason): "it is not JSON (\(reason))"
        case .missing(let member): "\(member) is missing"
        case .wrongKind(let member, let expected): "\(member) is not \(expected)"
        case .outOfRange(let member, let value): "\(member) cannot be \(value)"
        case .idMismatch(let id, let net, let code): "the id \(id) is not its network \(net) and code \(code)"
        case .duplicate(let id): "\(id) is listed twice"
        }
    }
}
