import { claudeCode } from '../../of/claude-code.ts'
import { lastTextOf } from '../last-text.ts'
import { runClient } from '../../run-client.ts'
import type { InsideClient } from '../client-trial.ts'

// It takes no smaller one.
const window = 100_000
const plugin = '.local/share/throughline/clients/claude-code/plugin'
const ours = 'mcp__plugin_throughline_throughline__'
const flags = ['--dangerously-skip-permissions']

export const insideClaudeCode: InsideClient = {
  client: claudeCode,
  word: 'claude',
  window,
  overflowsAt: 60_000,
  // It sends messages of the role system.
  strict: false,
  filesBeforeCompact: 4,
  read: (file_path) => ({ name: 'Read', input: { file_path } }),
  run: (command) => ({ name: 'Bash', input: { command, description: 'Run it' } }),
  write: (file_path, content) => ({ name: 'Write', input: { file_path, content } }),
  loads: ({ said, tools }) => {
    const names = ['recall', 'pin', 'compact'].map((each) => `${ours}${each}`)
    const isNamed = said.some((part) => 'text' in part && part.text.includes(`\n${names[0]}`))
    if (!isNamed || names.every((name) => tools.includes(name))) return undefined
    return { name: 'ToolSearch', input: { query: `select:${names.join(',')}` } }
  },
  asksForSummary: (request) => /detailed summary of the conversation/i.test(lastTextOf(request)),
  summary: (usual) => `<analysis>The notes were read.</analysis>\n<summary>\n${usual}\n</summary>`,
  resumesInOtherWords: true,
  broken: {
    [`${plugin}/program.js`]: 'throw new Error("broken")\n',
    [`${plugin}/hooks/register.mjs`]: 'export function register() { throw new Error("broken") }\n',
  },
  // Its billing line changes with every request.
  prepare: async () => ({ CLAUDE_CODE_ATTRIBUTION_HEADER: '0' }),
  afterOverflow: { exitCode: 0, compacts: true },
  first: (prompt) => ['-p', prompt, ...flags],
  again: (prompt) => ['-p', prompt, '--continue', ...flags],
  async compact(place) {
    const { exitCode, printed } = await runClient({
      ...place,
      args: ['-p', '/compact', '--continue', ...flags],
    })
    if (exitCode !== 0) throw new Error(`/compact ended with ${exitCode}: ${printed}`)
  },
}
