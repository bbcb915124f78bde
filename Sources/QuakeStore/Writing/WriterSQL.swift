/// The statements that write quakes and their ids.
enum WriterSQL {
    static let insertQuake = CheckedTable.quakes.insertion()
    static let updateQuake = CheckedTable.quakes.update(
        (QuakeColumns.names + ["last_change", "hash", "source_time"]).enumerated().map { index, column in
            (column, column == "source_time" ? "max(source_time, ?\(index + 1))" : "?\(index + 1)")
        }, where: "key = ?\(QuakeColumns.names.count + 4)")
    static let insertAlias = CheckedTable.aliases.insertion() + " ON CONFLICT (alias) DO NOTHING"
    static let insertDeparted = CheckedTable.departed.insertion("OR REPLACE")
    static let moveAlias = CheckedTable.aliases.update([("quake", "?2")], where: "alias = ?1")
    static let forgetHash = CheckedTable.quakes.update([("hash", "0")], where: "key = ?1")
    static let freeID = CheckedTable.quakes.update([("code", "' ' || ?1")], where: "key = ?1")
    static let confirm = CheckedTable.quakes.update(
        [("hash", "iif(?1 <> 0, ?1, hash)"), ("source_time", "max(source_time, ?2)")], where: "key = ?3")
}
