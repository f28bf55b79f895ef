import type { Retained } from './retained.ts'

/** What still stands, in one line. */
export function retainedText({ rules, files, latestRequest }: Retained): string {
  const parts = [
    rules.of === 0 ? 'no rules were found' : `${rules.kept}/${rules.of} rules word for word`,
    files.of === 0 ? 'no file was changed' : `${files.kept}/${files.of} changed files named`,
    latestRequest === null
      ? 'nothing was requested'
      : latestRequest
        ? 'the latest request'
        : 'not the whole latest request',
  ]
  return parts.join(', ')
}
