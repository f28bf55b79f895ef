import type { Effect } from '../lens.ts'

/** What a patch does to files, in either of the two forms. */
export function patchEffects(patch: string): Effect[] {
  return patch.includes('*** ') && /^\*\*\* (Begin Patch|Add|Update|Delete)/m.test(patch)
    ? envelopeEffects(patch)
    : unifiedEffects(patch)
}

const ADD = '*** Add File: '
const UPDATE = '*** Update File: '
const DELETE = '*** Delete File: '
const MOVE = '*** Move to: '

/** Reads the headers of an `apply_patch` envelope; its content lines begin differently. */
function envelopeEffects(patch: string): Effect[] {
  const effects: Effect[] = []
  let updated = ''
  for (const line of linesOf(patch)) {
    if (!line.startsWith('*** ')) continue
    if (line.startsWith(ADD)) effects.push({ type: 'create', path: line.slice(ADD.length).trim() })
    else if (line.startsWith(DELETE)) {
      effects.push({ type: 'delete', path: line.slice(DELETE.length).trim() })
    } else if (line.startsWith(UPDATE)) {
      updated = line.slice(UPDATE.length).trim()
      effects.push({ type: 'edit', path: updated })
    } else if (line.startsWith(MOVE) && updated !== '') {
      effects.push({ type: 'rename', path: updated, to: line.slice(MOVE.length).trim() })
      updated = ''
    }
  }
  return effects
}

const NOTHING = '/dev/null'

/**
 * Reads the headers of a unified diff. Lines inside a hunk are counted, so that a removed line that
 * begins with `--` is not mistaken for a header.
 */
function unifiedEffects(patch: string): Effect[] {
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

/** The path in a header line, without the date that some tools add after a tab. */
function pathIn(line: string): string {
  const tab = line.indexOf('\t')
  return line.slice(4, tab < 0 ? line.length : tab).trim()
}

function bare(path: string, prefix: 'a/' | 'b/'): string {
  return path.startsWith(prefix) ? path.slice(2) : path
}

/** The lines of a text without their line ends, one after the other. */
function* linesOf(text: string): Generator<string> {
  let start = 0
  while (start < text.length) {
    const end = text.indexOf('\n', start)
    const stop = end < 0 ? text.length : end
    const carriage = stop > start && text.charCodeAt(stop - 1) === 13 ? 1 : 0
    yield text.slice(start, stop - carriage)
    start = stop + 1
  }
}
