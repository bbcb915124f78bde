import QuakeModel
import QuakeOutput
import QuakeStore

extension StatusReport {
    func write(_ json: JSONWriter) throws(OutputError) {
        json.object {
            json.member("path", path)
            json.member("store", statistics.storeID)
            json.member("created", statistics.created)
            json.member("schema", statistics.schemaVersion)
            json.member("quakes", statistics.quakes)
            json.member("earliest", statistics.earliest)
            json.member("latest", statistics.latest)
            json.member("transactions", statistics.transactions)
            json.member("changes", statistics.changes)
            json.member("token", head.description)
            json.member("head", head.number)
            json.member("floor", floor.number)
            json.member("time", last?.time)
            json.member("bytes", isPast ? nil : statistics.fileBytes)
            json.member("log_bytes", isPast ? nil : statistics.logBytes)
            json.member("fresh", isPast ? nil : lastSuccess)
            json.array("feeds", of: isPast ? nil : feeds) { json.value($0) }
            json.array("doubts", of: isPast ? nil : doubts) { json.value($0.doubt, id: $0.quake?.id) }
            json.array("consumers", of: isPast ? nil : consumers) {
                json.value($0.consumer, unread: $0.unreadTransactions, changes: $0.unreadChanges)
            }
            json.array("gaps", of: isPast ? nil : gaps) { json.value($0, command: filling($0)) }
            json.array("claims", of: isPast ? nil : claims) { json.value($0) }
            json.array("unreadable", of: isPast ? nil : unreadable) { json.value($0) }
            json.array("problems", of: isPast ? nil : problems) { json.value($0) }
        }
        try json.endLine()
    }
}

extension JSONWriter {
    /// Writes a member whose value is an array of `elements`, or null.
    fileprivate func array<Element>(_ name: String, of elements: [Element]?, _ write: (Element) -> Void) {
        guard let elements else { return nullMember(name) }
        array(name) { elements.forEach(write) }
    }

    fileprivate func value(_ consumer: HistoryConsumer, unread: Int, changes: Int) {
        object {
            member("name", consumer.name)
            member("token", consumer.tokenText)
            member("number", consumer.number)
            member("unread", unread)
            member("unread_changes", changes)
            member("seen", consumer.seen)
        }
    }

    fileprivate func value(_ problem: StatusProblem) {
        object {
            member("code", problem.code.rawValue)
            member("message", problem.message)
            member("command", problem.command)
        }
    }

    fileprivate func value(_ gap: Range<Timestamp>, command: String) {
        object {
            member("since", gap.lowerBound)
            member("until", gap.upperBound)
            member("command", command)
        }
    }

    fileprivate func value(_ feature: UnreadableFeature) {
        object {
            member("id", feature.id)
            member("since", feature.originTimes.lowerBound)
            member("until", feature.originTimes.upperBound)
            member("reason", feature.reason)
        }
    }

    func value(_ claim: Claim) {
        object {
            member("source", claim.source.rawValue)
            member("since", claim.originTimes.lowerBound)
            member("until", claim.originTimes.upperBound)
            member("as_of", claim.asOf)
            member("open_ended", claim.isOpenEnded)
            object("conditions") {
                for (name, condition) in claim.conditions.claimMembers { member(name, condition) }
            }
        }
    }

    private func member(_ name: String, _ condition: FilterValue) {
        switch condition {
        case .number(let number): member(name, number)
        case .numbers(let numbers): array(name) { for number in numbers { value(number) } }
        case .words(let words): member(name, words)
        }
    }

    fileprivate func value(_ feed: FeedRecord) {
        object {
            member("name", feed.name)
            member("url", feed.url)
            member("generated", feed.generated)
            member("features", feed.featureCount)
            member("checked", feed.checked)
            member("applied", feed.applied)
            member("not_before", feed.pause?.end)
            member("error", feed.error)
            member("error_time", feed.errorTime)
            member("title", feed.title)
        }
    }

    fileprivate func value(_ doubt: Doubt, id: String?) {
        object {
            member("quake", doubt.quakeKey)
            member("id", id)
            member("news", doubt.kind.rawValue)
            member("first", doubt.first)
            member("last", doubt.last)
            member("sightings", doubt.sightings)
            member("awaits_service", doubt.awaitsService)
            member("place", doubt.claimedName)
        }
    }
}
