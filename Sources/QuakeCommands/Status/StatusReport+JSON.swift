import QuakeStore

extension StatusReport {
    var record: Record {
        let state: Record = [
            "path": path, "store": statistics.storeID, "created": statistics.created,
            "schema": statistics.schemaVersion, "quakes": statistics.quakes, "earliest": statistics.earliest,
            "latest": statistics.latest, "transactions": statistics.transactions, "changes": statistics.changes,
            "token": head.description, "head": head.number, "floor": floor.number, "time": last?.time,
        ]
        let present: Record = [
            "bytes": statistics.fileBytes, "log_bytes": statistics.logBytes, "fresh": lastSuccess,
            "feeds": feeds.map(\.record), "doubts": doubts.map { $0.doubt.record(id: $0.quake?.id) },
            "consumers": consumers.map { standing in
                let consumer = standing.consumer
                return [
                    "name": consumer.name, "token": consumer.tokenText,
                    "state": standing.state, "number": consumer.number, "unread": standing.unreadTransactions,
                    "unread_changes": standing.unreadChanges, "seen": consumer.seen,
                ] as Record
            },
            "gaps": gaps.map { ["since": $0.lowerBound, "until": $0.upperBound, "command": filling($0)] as Record },
            "claims": claims.map(\.record), "questions": questions.map(\.record),
            "problems": problems.map {
                ["code": $0.code.rawValue, "message": $0.message, "command": $0.command] as Record
            },
        ]
        return state + (isPast ? present.withoutValues : present)
    }
}

extension Claim {
    var record: Record {
        let conditions = conditions.claimMembers.map { name, condition -> (String, (any RecordValue)?) in
            switch condition {
            case .number(let number): (name, number)
            case .numbers(let numbers): (name, numbers)
            case .words(let words): (name, words)
            }
        }
        return [
            "source": source.rawValue, "since": originTimes.lowerBound, "until": originTimes.upperBound,
            "as_of": asOf, "open_ended": isOpenEnded, "conditions": Record(conditions),
        ]
    }
}

extension OpenQuestion {
    fileprivate var record: Record {
        ["id": id, "since": originTimes.lowerBound, "until": originTimes.upperBound, "reason": reason]
    }
}

extension FeedRecord {
    fileprivate var record: Record {
        [
            "name": name, "url": url, "generated": generated, "features": featureCount, "checked": checked,
            "applied": applied, "not_before": pause?.end, "error": error, "error_time": errorTime, "title": title,
        ]
    }
}

extension Doubt {
    fileprivate func record(id: String?) -> Record {
        [
            "quake": quakeKey, "id": id, "news": kind.rawValue, "first": first, "last": last, "sightings": sightings,
            "awaits_service": awaitsService, "place": claimedName,
        ]
    }
}
