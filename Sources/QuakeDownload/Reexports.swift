// `import QuakeDownload` is enough for a program that mirrors and reads.
@_exported public import QuakeMirror
