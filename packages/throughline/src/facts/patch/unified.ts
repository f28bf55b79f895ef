import { linesOf } from './lines.ts'
import type { Effect } from '../lens.ts'

const NOTHING = '/dev/null'

/**
 * Reads the headers of a unified diff. Lines inside of a hunk are counted off, so that
 * a removed line that begins with `--` is not taken for a header.
 */
export function unifiedEffects(patch: string): Effect[] {
  const effects: Effect[] = []
  let before = ''
  let renamed = ''
  let removals = 0
  let additions = 0
  for (const line of linesOf(patch)) {
    if (removals > 0 || additions > 0) {
      if (line.startsWith('-')) removals--
      else if (line.startsWith('+')) additions--
      else if (!line.startsWith('\\')) {
        removals--
        additions--
      }
    } else if (line.startsWith('@@')) {
      const counts = /^@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/.exec(line)
      removals = counts ? Number(counts[1] ?? 1) : 0
      additions = counts ? Number(counts[2] ?? 1) : 0
    } else if (line.startsWith('rename from ')) {
      renamed = line.slice('rename from '.length)
    } else if (line.startsWith('rename to ') && renamed !== '') {
      effects.push({ type: 'rename', path: renamed, to: line.slice('rename to '.length) })
      renamed = ''
    } else if (line.startsWith('--- ')) {
      before = pathIn(line)
    } else if (line.startsWith('+++ ') && before !== '') {
      effects.push(...changeOf(before, pathIn(line)))
      before = ''
    }
  }
  return effects
}

function changeOf(before: string, after: string): Effect[] {
  if (before === NOTHING)
    return after === NOTHING ? [] : [{ type: 'create', path: bare(after, 'b/') }]
  if (after === NOTHING) return [{ type: 'delete', path: bare(before, 'a/') }]
  const prefixed = before.startsWith('a/') && after.startsWith('b/')
  return [{ type: 'edit', path: prefixed ? after.slice(2) : after }]
}

/** The path of a header line, without the date that some tools put behind a tab. */
function pathIn(line: string): string {
  const tab = line.indexOf('\t')
  return line.slice(4, tab < 0 ? line.length : tab).trim()
}

function bare(path: string, prefix: 'a/' | 'b/'): string {
  return path.startsWith(prefix) ? path.slice(2) : path
}
