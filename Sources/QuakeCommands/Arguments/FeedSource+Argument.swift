import FoundationEssentials
import QuakeMirror

extension FeedSource {
    init(argument name: String) throws(CommandError) {
        if let feed = FeedName(ofMissingFile: name) {
            throw CommandError(
                "There is no file called \(name).", "For the feed, run `quakes refresh \(feed)`.", .usage)
        }
        if let source = FeedSource(name) { self = source; return }
        throw name.contains(/[:\/@?]/)
            ? CommandError(
                "\(WebAddress.shortened(name)) is neither an http(s) URL nor a file.",
                "A URL begins with http:// or https:// followed by a host name.", .usage)
            : CommandError(
                "There is no feed or file called \"\(name)\".",
                FeedName.nearest(to: name).map { "Did you mean \($0)?" }
                    ?? "Feed names begin with significant, 4.5, 2.5, 1.0 or all and end in _hour, _day, "
                    + "_week or _month.",
                .usage)
    }
}

extension FeedName {
    /// Finds the feed that USGS publishes under the file name `name`, such as `all_month.csv`; nil if there is none, or
    /// if that file exists on this machine.
    fileprivate init?(ofMissingFile name: String) {
        guard FeedSource.hasFileExtension(name), let dot = name.lastIndex(of: "."),
            !FileManager.default.fileExists(atPath: name)
        else { return nil }
        self.init(name[..<dot])
    }

    /// Returns the feed that `text` most likely means: the feed of all quakes for a period such as `hour`, otherwise
    /// the feed with the most similar name. Nil if none is similar.
    static func nearest(to text: String) -> String? {
        FeedName("all_\(text.lowercased())")?.description ?? text.nearest(among: allCases.map(\.description))
    }
}
