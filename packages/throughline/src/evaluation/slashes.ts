const windows = /^[A-Za-z]:\//

/** A Windows session names paths with backslashes; summaries name them with slashes. */
export function withSlashes(text: string, directories: readonly string[]): string {
  return directories.some((path) => windows.test(path)) ? text.replaceAll('\\', '/') : text
}
