import type { Listed } from './command.ts'

/** Every subcommand, in the order of the overview. Nothing of it is loaded before it is called. */
export const commands: readonly Listed[] = [
  {
    name: 'resume',
    group: 'Sessions of harnesses',
    summary: 'Continue a session that ran out of room, in its own client or another.',
    load: async () => (await import('./groups/start.ts')).resumeCommand,
  },
  {
    name: 'list',
    group: 'Sessions of harnesses',
    summary: 'List the sessions of every harness on this machine, or of the store.',
    load: async () => (await import('./groups/look.ts')).listCommand,
  },
  {
    name: 'search',
    group: 'Sessions of harnesses',
    summary: 'Search every session of every harness on this machine.',
    load: async () => (await import('./groups/look.ts')).searchCommand,
  },
  {
    name: 'compact',
    group: 'Sessions as files',
    summary: 'Print the session as a context that fits its window.',
    load: async () => (await import('./groups/start.ts')).compactCommand,
  },
  {
    name: 'report',
    group: 'Sessions as files',
    summary: 'Show what a session holds, costs and forgot: as a page, as text, in a browser.',
    load: async () => (await import('./groups/look.ts')).reportCommand,
  },
  {
    name: 'import',
    group: 'Sessions in the store',
    summary: 'Add a session to the store, or add what is new in it.',
    load: async () => (await import('./groups/start.ts')).importCommand,
  },
  {
    name: 'recall',
    group: 'Sessions in the store',
    summary: 'Find what was said, read or printed in a session, word for word.',
    load: async () => (await import('./groups/stored.ts')).recallCommand,
  },
  {
    name: 'undo',
    group: 'Sessions in the store',
    summary: 'Undo the newest compaction of a stored session.',
    load: async () => (await import('./groups/stored.ts')).undoCommand,
  },
  {
    name: 'drop',
    group: 'Sessions in the store',
    summary: 'Remove messages from what the model sees; undo brings them back.',
    load: async () => (await import('./groups/stored.ts')).dropCommand,
  },
  {
    name: 'pin',
    group: 'Sessions in the store',
    summary: 'Keep a text through every compaction of a stored session, or stop keeping it.',
    load: async () => (await import('./groups/stored.ts')).pinCommand,
  },
  {
    name: 'fork',
    group: 'Sessions in the store',
    summary: 'Copy a stored session, or its beginning, into a new one.',
    load: async () => (await import('./groups/stored.ts')).forkCommand,
  },
  {
    name: 'redact',
    group: 'Sessions in the store',
    summary: 'Remove a secret from a stored session for good.',
    load: async () => (await import('./groups/stored.ts')).redactCommand,
  },
  {
    name: 'delete',
    group: 'Sessions in the store',
    summary: 'Delete a session from the store for good.',
    load: async () => (await import('./groups/stored.ts')).deleteCommand,
  },
  {
    name: 'export',
    group: 'Sessions in the store',
    summary: 'Write a stored session as JSON lines, with nothing lost.',
    load: async () => (await import('./groups/stored.ts')).exportCommand,
  },
  {
    name: 'install',
    group: 'Inside clients',
    summary: 'Install Throughline in opencode, pi, Claude Code and other clients.',
    load: async () => (await import('./groups/clients.ts')).installCommand,
  },
  {
    name: 'status',
    group: 'Inside clients',
    summary: 'Show where Throughline is installed, and what it did there.',
    load: async () => (await import('./groups/clients.ts')).statusCommand,
  },
  {
    name: 'statusline',
    group: 'Inside clients',
    summary: 'Print how full the window is and what it cost, for a client’s status line.',
    load: async () => (await import('./commands/statusline/command.ts')).statuslineCommand,
  },
  {
    name: 'doctor',
    group: 'Inside clients',
    summary: 'Send a real request through everything that is installed.',
    load: async () => (await import('./groups/clients.ts')).doctorCommand,
  },
  {
    name: 'uninstall',
    group: 'Inside clients',
    summary: 'Remove Throughline from clients, and restore every file.',
    load: async () => (await import('./groups/clients.ts')).uninstallCommand,
  },
  {
    name: 'run',
    group: 'Around clients',
    summary: 'Run any client behind its own gateway, so that it never runs out of context.',
    load: async () => (await import('./groups/start.ts')).runCommand,
  },
  {
    name: 'serve',
    group: 'Around clients',
    summary: 'Run a gateway at one address, for any client in any language.',
    load: async () => (await import('./groups/start.ts')).serveCommand,
  },
  {
    name: 'mcp',
    group: 'For agents',
    summary: 'Serve the recall tool to an agent, over MCP on standard input and output.',
    load: async () => (await import('./commands/mcp/command.ts')).mcpCommand,
  },
  {
    name: 'config',
    group: 'Setup',
    summary: 'Show the active configuration, and where each value comes from.',
    load: async () => (await import('./groups/clients.ts')).configCommand,
  },
  {
    name: 'completions',
    group: 'Setup',
    summary: 'Let your shell complete commands, options and sessions.',
    load: async () => (await import('./commands/completions/command.ts')).completionsFor(commands),
  },
]

/** A command of earlier versions: what stands for it now, and the line that says so. */
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

/** Where it was installed, it is resumed; what was only written is compacted where it has to be. */
function handedOver(rest: readonly string[]): readonly string[] {
  const left = rest.filter((word) => word !== '--install' && word !== '--compact')
  if (rest.includes('--install')) {
    return ['resume', '--print', ...left.map((word) => word.replace(/^--to(?==|$)/, '--in'))]
  }
  return ['compact', ...(rest.includes('--compact') ? [] : ['--if-needed']), ...left]
}
