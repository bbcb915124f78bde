import ArgumentParser
import QuakeOutput

extension OutputFormat: ExpressibleByArgument {}
extension ChangesFormat: ExpressibleByArgument {}
extension ReportFormat: ExpressibleByArgument {}
extension LengthUnit: ExpressibleByArgument {}
