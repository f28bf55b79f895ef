import type { Command, Listed } from './command.ts'

// Commands that are called together are in one file; it is loaded when one of them is called.
const start = () => import('./groups/start.ts')
const look = () => import('./groups/look.ts')
const stored = () => import('./groups/stored.ts')
const clients = () => import('./groups/clients.ts')

type Row = readonly [summary: string, load: () => Promise<Command>]

/** Every subcommand by its name, group by group, with its line in the overview. */
const groups: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  'Sessions of harnesses': {
    resume: [
      'Continue a session that ran out of room, in its own client or another.',
      async () => (await start()).resumeCommand,
    ],
    list: [
      'List the sessions of every harness on this machine, or of the store.',
      async () => (await look()).listCommand,
    ],
    search: [
      'Search every session of every harness on this machine.',
      async () => (await look()).searchCommand,
    ],
  },
  'Sessions as files': {
    compact: [
      'Print the session as a context that fits its window.',
      async () => (await start()).compactCommand,
    ],
    report: [
      'Show what a session holds, costs and forgot: as a page, as text, in a browser.',
      async () => (await look()).reportCommand,
    ],
    exam: [
      'Measure what a context of a session still knows, beside its client’s own.',
      async () => (await look()).examCommand,
    ],
  },
  'Sessions in the store': {
    import: [
      'Add a session to the store, or add what is new in it.',
      async () => (await start()).importCommand,
    ],
    recall: [
      'Find what was said, read or printed in a session, word for word.',
      async () => (await stored()).recallCommand,
    ],
    undo: [
      'Undo the newest compaction of a stored session.',
      async () => (await stored()).undoCommand,
    ],
    drop: [
      'Remove messages from what the model sees; undo brings them back.',
      async () => (await stored()).dropCommand,
    ],
    pin: [
      'Keep a text through every compaction of a stored session, or stop keeping it.',
      async () => (await stored()).pinCommand,
    ],
    fork: [
      'Copy a stored session, or its beginning, into a new one.',
      async () => (await stored()).forkCommand,
    ],
    redact: [
      'Remove a secret from a stored session for good.',
      async () => (await stored()).redactCommand,
    ],
    delete: [
      'Delete a session from the store for good.',
      async () => (await stored()).deleteCommand,
    ],
    export: [
      'Write a stored session as JSON lines, with nothing lost.',
      async () => (await stored()).exportCommand,
    ],
  },
  'Inside clients': {
    install: [
      'Install Throughline in opencode, pi, Claude Code and other clients.',
      async () => (await clients()).installCommand,
    ],
    status: [
      'Show where Throughline is installed, and what it did there.',
      async () => (await clients()).statusCommand,
    ],
    statusline: [
      'Print how full the window is and what it cost, for a client’s status line.',
      async () => (await import('./commands/statusline/command.ts')).statuslineCommand,
    ],
    doctor: [
      'Send a real request through everything that is installed.',
      async () => (await clients()).doctorCommand,
    ],
    uninstall: [
      'Remove Throughline from clients, and restore every file.',
      async () => (await clients()).uninstallCommand,
    ],
  },
  'Around clients': {
    run: [
      'Run any client behind its own gateway, so that it never runs out of context.',
      async () => (await start()).runCommand,
    ],
    serve: [
      'Run a gateway at one address, for any client in any language.',
      async () => (await start()).serveCommand,
    ],
  },
  'For agents': {
    mcp: [
      'Serve the recall tool to an agent, over MCP on standard input and output.',
      async () => (await import('./commands/mcp/command.ts')).mcpCommand,
    ],
  },
  Setup: {
    config: [
      'Show the active configuration, and where each value comes from.',
      async () => (await clients()).configCommand,
    ],
    completions: [
      'Let your shell complete commands, options and sessions.',
      async () => (await import('./commands/completions/command.ts')).completionsFor(commands),
    ],
  },
}

/** Every subcommand, in the order of the overview. */
export const commands: readonly Listed[] = Object.entries(groups).flatMap(([group, members]) =>
  Object.entries(members).map(([name, [summary, load]]) => ({ name, group, summary, load })),
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

/** Every command that there once was, by its name. */
export const movedCommands: ReadonlyMap<string, Moved> = new Map([
  ['rescue', movedTo('resume')],
  ['inspect', movedTo('report', '--fill')],
  ['diff', movedTo('report', '--diff')],
  ['show', movedTo('report', '--history')],
  ['view', movedTo('report', '--serve')],
  ['sessions', movedTo('list', '--stored')],
  ['unpin', movedTo('pin', '--remove')],
  [
    'handoff',
    {
      now: handedOver,
      advice: 'is now "throughline resume --in CLIENT", or "throughline compact --to CLIENT"',
    },
  ],
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
