import type { Change } from '../../installed/change.ts'
import type { Installation } from '../../installed/install-client.ts'
import type { Prepared } from '../../installed/make-changes.ts'

/** What was done, or would be, for a reader. */
export function installedLines(installation: Installation, dryRun: boolean): string[] {
  const { client, prepared, planned, obsolete } = installation
  const { label } = client
  const changes = prepared.some(({ writes }) => writes) || obsolete.length > 0
  const first = dryRun
    ? `${label}: this would be written; nothing was.`
    : changes
      ? `${label}: installed. It gets ${client.gives}.`
      : `${label}: it is installed already, and up to date.`
  return [
    first,
    ...prepared.flatMap((each) => changeLines(each, dryRun)),
    ...obsolete.map(({ path }) => `  - ${path}`),
    ...(planned.notes ?? []).map((note) => `  ${note}`),
    ...(changes && !dryRun
      ? [`  Restart ${label} where it runs. To take it away: throughline uninstall ${client.word}`]
      : []),
  ]
}

function changeLines({ change, writes, step }: Prepared, dryRun: boolean): string[] {
  if (!writes) return dryRun ? [`  = ${change.path} (as it is)`] : []
  const backup = step.backup === undefined ? '' : ` (as it was: ${step.backup})`
  return [`  + ${change.path}${backup}`, ...(dryRun ? contentLines(change) : [])]
}

const mostShown = 12

function contentLines(change: Change): string[] {
  if (change.type === 'folder') return [`      a copy of ${change.from}`]
  const lines = change.type === 'file' ? fileLines(change.content) : entryLines(change)
  return lines.map((line) => `      ${line}`)
}

function fileLines(content: string): string[] {
  const lines = content.trimEnd().split('\n')
  return lines.length > mostShown ? [`${lines.length} lines of ours`] : lines
}

function entryLines({ entries }: Change & { type: 'entries' }): string[] {
  if (entries.syntax === 'toml')
    return [...(entries.blocks.top ?? []), ...(entries.blocks.end ?? [])]
  return entries.entries.map(({ at, value, mark }) => {
    const place = at.map((key) => JSON.stringify(key)).join('.')
    return `${place}${mark === undefined ? '' : '[]'}: ${JSON.stringify(value)}`
  })
}

/** The same for a program. */
export function installedJson({ client, prepared, planned }: Installation) {
  return {
    client: client.name,
    changes: prepared.map(({ change, writes, step }) => ({
      path: change.path,
      type: change.type,
      writes,
      backup: step.backup ?? null,
    })),
    notes: planned.notes ?? [],
  }
}
