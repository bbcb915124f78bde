// `import QuakeFeed` is enough for the types of its declarations.
@_exported public import QuakeHTTP
@_exported public import QuakeModel
