import type { Command } from './command.ts'

/**
 * What the overview says about a subcommand, and how the subcommand is loaded when it is called.
 */
export interface Listed {
  name: string
  /** Another word for it. */
  alias?: string
  /** Groups appear in the order of their first command. */
  group: string
  /** One line. */
  summary: string
  load: () => Promise<Command>
}

/** Every subcommand, in the order of the overview. Nothing of it is loaded before it is called. */
export const commands: readonly Listed[] = [
  {
    name: 'resume',
    alias: 'rescue',
    group: 'Sessions of harnesses',
    summary: 'Continue a session that ran out of room, in its own client or another.',
    load: async () => (await import('./groups/start.ts')).resumeCommand,
  },
  {
    name: 'list',
    group: 'Sessions of harnesses',
    summary: 'List the sessions of every harness on this machine, newest first.',
    load: async () => (await import('./groups/look.ts')).listCommand,
  },
  {
    name: 'search',
    group: 'Sessions of harnesses',
    summary: 'Search every session of every harness on this machine.',
    load: async () => (await import('./groups/look.ts')).searchCommand,
  },
  {
    name: 'handoff',
    group: 'Sessions of harnesses',
    summary: 'Write a session of one harness so that another one can continue it.',
    load: async () => (await import('./groups/start.ts')).handoffCommand,
  },
  {
    name: 'compact',
    group: 'Sessions as files',
    summary: 'Print the session as a context that fits its window.',
    load: async () => (await import('./groups/start.ts')).compactCommand,
  },
  {
    name: 'replay',
    group: 'Sessions as files',
    summary: 'Replay the session in a smaller window and see what compaction does to it.',
    load: async () => (await import('./groups/look.ts')).replayCommand,
  },
  {
    name: 'inspect',
    group: 'Sessions as files',
    summary: 'Show what fills the context: by role, tool, file and turn.',
    load: async () => (await import('./groups/look.ts')).inspectCommand,
  },
  {
    name: 'report',
    group: 'Sessions as files',
    summary: 'Show what fills a session and costs money, and what its compactions forgot.',
    load: async () => (await import('./groups/look.ts')).reportCommand,
  },
  {
    name: 'diff',
    group: 'Sessions as files',
    summary: 'Compare two contexts, or a session before and after its newest compaction.',
    load: async () => (await import('./groups/look.ts')).diffCommand,
  },
  {
    name: 'view',
    group: 'Sessions as files',
    summary: 'Follow a session in a browser; undo, pin and annotate a stored one.',
    load: async () => (await import('./groups/look.ts')).viewCommand,
  },
  {
    name: 'eval',
    group: 'Sessions as files',
    summary: 'Measure how much of what is needed next a compaction would keep.',
    load: async () => (await import('./commands/eval.ts')).evalCommand,
  },
  {
    name: 'import',
    group: 'Sessions in the store',
    summary: 'Add a session to the store, or add what is new in it.',
    load: async () => (await import('./groups/start.ts')).importCommand,
  },
  {
    name: 'sessions',
    group: 'Sessions in the store',
    summary: 'List the sessions in the store, newest first.',
    load: async () => (await import('./groups/stored.ts')).sessionsCommand,
  },
  {
    name: 'show',
    group: 'Sessions in the store',
    summary: 'Show a session: its history, the model’s view, or one whole message.',
    load: async () => (await import('./groups/stored.ts')).showCommand,
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
    summary: 'Keep a text through every compaction of a stored session, word for word.',
    load: async () => (await import('./groups/stored.ts')).pinCommand,
  },
  {
    name: 'unpin',
    group: 'Sessions in the store',
    summary: 'Stop keeping a pinned text.',
    load: async () => (await import('./groups/stored.ts')).unpinCommand,
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
    load: async () => (await import('./commands/completions/command.ts')).completionsCommand,
  },
]
