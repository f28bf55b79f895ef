import { parseArgs } from 'node:util'
import type { Sample } from './rooms/sample.ts'

/** What the command is asked for. */
export type Asked =
  | { does: 'guards'; wanted: readonly string[] }
  | { does: 'rooms'; rooms: readonly string[]; sample?: Sample; patience: number }
  | { does: 'page' }
  | { does: 'help' }

export const help = `npm run mutants -- [room ...] [--sample <n>] [--seed <text>] [--patience <s>]
npm run mutants -- --guards [promise or words of a guard ...]
npm run mutants -- --page

  room            a folder or a file below packages/throughline/src, such as log or compaction/cut;
                  'compaction/*' is its own files without its folders; by default log, compaction and session
  --sample <n>    try only so many mutants of each room
  --seed <text>   pick another sample; the same seed picks the same mutants
  --patience <s>  seconds that the tests of one mutant may take together, the quickest first; what
                  they do not catch counts as not caught; by default 20
  --guards        delete each guard that a promise names, and see whether its tests notice
  --page          write docs/mutants.md from what was recorded, and run nothing

Every run is recorded in docs/mutants.json and shown in docs/mutants.md.
`

/** @throws Error where an argument is none of these. */
export function askedFor(argv: readonly string[]): Asked {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      guards: { type: 'boolean' },
      page: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
      sample: { type: 'string' },
      seed: { type: 'string' },
      patience: { type: 'string' },
    },
  })
  if (values.help) return { does: 'help' }
  if (values.page) return { does: 'page' }
  if (values.guards) return { does: 'guards', wanted: positionals }
  const size = values.sample === undefined ? undefined : count('--sample', values.sample)
  return {
    does: 'rooms',
    rooms: positionals.length > 0 ? positionals : ['log', 'compaction', 'session'],
    ...(size !== undefined && { sample: { size, seed: values.seed ?? '1' } }),
    patience: count('--patience', values.patience ?? '20'),
  }
}

function count(option: string, text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number > 0) return number
  throw new Error(`${option} takes a number of at least 1, and "${text}" is none.`)
}
