import type { Command, Listed } from './command.ts'

type Load = () => Promise<Readonly<Record<string, unknown>>>

// Commands that are called together are in one file; it is loaded when one of them is called.
const start: Load = () => import('./groups/start.ts')
const look: Load = () => import('./groups/look.ts')
const stored: Load = () => import('./groups/stored.ts')
const clients: Load = () => import('./groups/clients.ts')
const statusline: Load = () => import('./commands/statusline/command.ts')
const mcp: Load = () => import('./commands/mcp/command.ts')
const completions: Load = async () => {
  const { completionsFor } = await import('./commands/completions/command.ts')
  return { completionsCommand: completionsFor(commands) }
}

type Row = readonly [name: string, load: Load, summary: string]

/** Every subcommand with its line in the overview. Its file exports it as `nameCommand`. */
const groups: Readonly<Record<string, readonly Row[]>> = {
  'Sessions of harnesses': [
    ['resume', start, 'Continue a session that ran out of room, in its own client or another.'],
    ['list', look, 'List the sessions of every harness on this machine, or of the store.'],
    ['search', look, 'Search every session of every harness on this machine.'],
  ],
  'Sessions as files': [
    ['compact', start, 'Print the session as a context that fits its window.'],
    ['report', look, 'Show what a session holds, costs and forgot: as a page or as text.'],
    ['exam', look, 'Measure what a context of a session still knows, beside its client’s own.'],
  ],
  'Sessions in the store': [
    ['import', start, 'Add a session to the store, or add what is new in it.'],
    ['recall', stored, 'Find what was said, read or printed in a session, word for word.'],
    ['undo', stored, 'Undo the newest compaction of a stored session.'],
    [
      'pin',
      stored,
      'Keep a text through every compaction of a stored session, or stop keeping it.',
    ],
    ['redact', stored, 'Remove a secret from a stored session for good.'],
    ['delete', stored, 'Delete a session from the store for good.'],
    ['export', stored, 'Write a stored session as JSON lines, with nothing lost.'],
  ],
  'Inside clients': [
    ['install', clients, 'Install Throughline in opencode, pi, Claude Code and other clients.'],
    ['status', clients, 'Show where Throughline is installed, and what it did there.'],
    [
      'statusline',
      statusline,
      'Print how full the window is and what it cost, for a client’s status line.',
    ],
    ['doctor', clients, 'Send a real request through everything that is installed.'],
    ['uninstall', clients, 'Remove Throughline from clients, and restore every file.'],
  ],
  'Around clients': [
    ['run', start, 'Run any client behind its own gateway, so that it never runs out of context.'],
    ['serve', start, 'Run a gateway at one address, for any client in any language.'],
  ],
  'For agents': [
    ['mcp', mcp, 'Serve the recall tool to an agent, over MCP on standard input and output.'],
  ],
  Setup: [
    ['config', clients, 'Show the active configuration, and where each value comes from.'],
    ['completions', completions, 'Let your shell complete commands, options and sessions.'],
  ],
}

/** Every subcommand, in the order of the overview. */
export const commands: readonly Listed[] = Object.entries(groups).flatMap(([group, rows]) =>
  rows.map(([name, load, summary]) => {
    return { name, group, summary, load: async () => (await load())[`${name}Command`] as Command }
  }),
)

/** A command of earlier versions: what it is now, and the line that says so. */
interface Moved {
  now: (rest: readonly string[]) => readonly string[]
  advice: string
}

const movedTo = (...words: readonly string[]): Moved => ({
  now: (rest) => [...words, ...rest],
  advice: `is now "throughline ${words.join(' ')}"`,
})

const toBench = (script: string): Moved => ({
  now: () => [],
  advice: `is a tool of the repository now: npm run ${script}`,
})

const gone = (instead: string): Moved => ({ now: () => [], advice: `is gone: ${instead}` })

/** Every command that there once was, by its name. */
export const movedCommands: ReadonlyMap<string, Moved> = new Map([
  ['rescue', movedTo('resume')],
  ['inspect', movedTo('report', '--fill')],
  ['diff', movedTo('report', '--diff')],
  ['show', movedTo('report', '--history')],
  ['view', movedTo('report')],
  ['sessions', movedTo('list', '--stored')],
  ['unpin', movedTo('pin', '--remove')],
  [
    'handoff',
    {
      now: handedOver,
      advice: 'is now "throughline resume --in CLIENT", or "throughline compact --to CLIENT"',
    },
  ],
  ['fork', gone('use throughline export NAME | throughline import - --as COPY')],
  ['drop', gone('throughline compact summarizes everything but the newest messages')],
  ['replay', toBench('bench:replay')],
  ['eval', toBench('bench:fidelity')],
])

/** What was installed is resumed; what was only written is compacted if it has to be. */
function handedOver(rest: readonly string[]): readonly string[] {
  const left = rest.filter((word) => word !== '--install' && word !== '--compact')
  if (rest.includes('--install')) {
    return ['resume', '--print', ...left.map((word) => word.replace(/^--to(?==|$)/, '--in'))]
  }
  return ['compact', ...(rest.includes('--compact') ? [] : ['--if-needed']), ...left]
}
